"""Reads snapshots of the memory of GPUs by PyTorch: what is allocated, and what happened before.

`torch.cuda.memory._dump_snapshot` writes them. The allocations that were recorded are replayed twice: once for the
curve and its peak, and once for what is allocated there. What was allocated before recording is told from what is
freed later, or still there at the end.
"""

from typing import Any, NamedTuple

import numpy as np

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.profiles.capture import MAX_NAME_CHARS
from lightboard.profiles.memory import (
    MAX_FRAMES,
    NO_CURVE,
    Block,
    Curve,
    DeviceMemory,
    Frame,
    MemoryProfile,
    Stack,
    holders_of,
    largest,
)
from lightboard.profiles.plain_pickle import read_plain_pickle
from lightboard.profiles.text_stream import raw_pieces, unzipped
from lightboard.sizes import size_text

MAX_DEVICES = 1024

MAX_ROWS = 2_000_000
"""Blocks and events of a device that are read. Lists may have the same rows many times."""

CHECKED_ROWS = 10_000

MIN_BLOCK_BYTES = 512
"""What the allocator rounds to."""

MOST_BYTES = 1 << 52
"""Larger sizes are damage."""

MOST_US = 1 << 52
"""The same of times."""

RESERVED = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}
"""What events do to the memory that is reserved."""

FREED = ("free_requested", "free")

WRITTEN_BY = "torch.cuda.memory._dump_snapshot writes them"

NO_TIMES = "events have no times, and are shown one microsecond apart: PyTorch 2.1 and later write them"

NO_EVENTS = (
    "no allocations were recorded, only what is allocated: call torch.cuda.memory._record_memory_history() at the "
    "beginning of the program"
)


class Segments(NamedTuple):
    """What the allocator of a device has at the end."""

    live: dict[int, Block]
    reserved_bytes: int
    largest_free_bytes: int


class Stacks:
    """Stacks by their lists of frames, which are the same list for the same stack."""

    def __init__(self) -> None:
        self._found: dict[int, Stack] = {}

    def of(self, row: dict[str, Any]) -> Stack:
        """The stack of a block or an event."""
        frames = row.get("frames")
        if frames is None and isinstance(history := row.get("history"), list) and history:
            frames = history[0].get("frames") if isinstance(history[0], dict) else None
        if not isinstance(frames, list) or not frames:
            return ()
        found = self._found.get(id(frames))
        if found is None:
            found = self._found[id(frames)] = tuple(map(frame_of, frames[:MAX_FRAMES]))
        return found


def read_snapshot(read: ReadRange, size: int) -> MemoryProfile:
    """What a snapshot of this size says. Raises Unshowable."""
    problems = list[str]()
    data = read_plain_pickle(unzipped(raw_pieces(read, size), problems), problems)
    if isinstance(data, list):  # of PyTorch 1: only segments
        data = {"segments": data}
    if not isinstance(data, dict) or not isinstance(data.get("segments", data.get("device_traces")), list):
        raise Unshowable(
            "it is no memory snapshot: it has no segments", hint="torch.cuda.memory._dump_snapshot writes them"
        )
    traces = data.get("device_traces")
    traces = traces[:MAX_DEVICES] if isinstance(traces, list) else []
    segments: dict[int, list[dict[str, Any]]] = {at: [] for at, trace in enumerate(traces) if trace}
    for row in dict_rows(data.get("segments")):
        if 0 <= (number := whole(row.get("device"))) < MAX_DEVICES:
            segments.setdefault(number, []).append(row)
    stacks = Stacks()
    devices = [
        device_memory(at, segments[at], dict_rows(traces[at] if at < len(traces) else []), stacks, problems)
        for at in sorted(segments)
    ]
    begin = min((int(each.curve.time_ns[0]) for each in devices if len(each.curve.time_ns)), default=0)
    return MemoryProfile(devices, problems, begin)


def device_memory(
    number: int, rows: list[dict[str, Any]], events: list[dict[str, Any]], stacks: Stacks, problems: list[str]
) -> DeviceMemory:
    """One device."""
    name = f"GPU:{number}"
    segments = segments_of(rows, stacks)
    live = segments.live
    live_bytes = sum(block.size_bytes for block in live.values())
    curve, peak, at_peak, reserved_at_peak = NO_CURVE, live_bytes, list(live.values()), segments.reserved_bytes
    peak_ns, allocations = None, 0
    if events:
        replay = Replay(events, segments, stacks)
        if not replay.has_times:
            problems.append(f"{name}: {NO_TIMES}")
        curve, allocations = replay.curve(), replay.allocations
        index = int(curve.allocated.argmax())
        peak, reserved_at_peak = int(curve.allocated[index]), int(curve.reserved[index])
        peak_ns, at_peak = int(curve.time_ns[index]), replay.live_after(index)
        problems += replay.failures(name)
    elif not problems:
        problems.append(f"{name}: {NO_EVENTS}")
    return DeviceMemory(
        *("", None, name, curve, peak, reserved_at_peak, peak_ns, live_bytes, segments.reserved_bytes),
        *(segments.largest_free_bytes, holders_of(at_peak), largest(at_peak), allocations),
    )


def segments_of(rows: list[dict[str, Any]], stacks: Stacks) -> Segments:
    """The blocks of segments."""
    live = dict[int, Block]()
    reserved = largest_free = count = 0
    for segment in rows:
        reserved += size_of(segment, "total_size")
        address = whole(segment.get("address"))
        for block in dict_rows(segment.get("blocks")):
            count += 1
            if count % CHECKED_ROWS == 0:
                cancellation.check()
            if count > MAX_ROWS:
                return Segments(live, reserved, largest_free)
            size = size_of(block, "size")
            if block.get("state") == "active_allocated":
                requested = size_of(block, "requested_size") or size
                live[whole(block.get("address", address))] = Block(size, requested, None, stacks.of(block))
            elif block.get("state") == "inactive":
                largest_free = max(largest_free, size)
            address += size
    return Segments(live, reserved, largest_free)


class Replay:
    """The events of a device, in order."""

    def __init__(self, events: list[dict[str, Any]], segments: Segments, stacks: Stacks) -> None:
        self.events, self.stacks = events, stacks
        self.has_times = any("time_us" in each for each in events)
        self.allocations = 0
        self._sizes = np.zeros(len(events), np.int64)
        """The size of what each event allocates."""
        self._initial: dict[int, Block] = {}
        """What was there before the first event, by address."""
        self._changes = np.zeros(len(events), np.int64)
        self._reserved = np.zeros(len(events), np.int64)
        self._run(segments)

    def _run(self, segments: Segments) -> None:
        """Find what each event changes."""
        live, freed_at = dict[int, int](), list[tuple[int, int]]()
        for at, event in enumerate(self.events):
            if at % CHECKED_ROWS == 0:
                cancellation.check()
            action, address, size = str(event.get("action")), whole(event.get("addr")), size_of(event, "size")
            if action == "alloc":
                self.allocations += 1
                if address in live:  # it was freed, which is not recorded
                    freed_at.append((at, live[address]))
                live[address] = at
                self._sizes[at] = rounded(size)
            elif action in FREED:
                before = live.pop(address, None)
                if before is not None:
                    freed_at.append((at, before))
                elif address not in self._initial:
                    self._initial[address] = Block(rounded(size), size, None, self.stacks.of({}))
                    self._changes[at] -= rounded(size)
            elif action in RESERVED:
                self._reserved[at] = RESERVED[action] * size
        for address, block in segments.live.items():
            if address in live:
                self._sizes[live[address]] = block.size_bytes
            else:
                self._initial.setdefault(address, block)
        self._changes += self._sizes
        for at, before in freed_at:
            self._changes[at] -= self._sizes[before]
        self._reserved_bytes = segments.reserved_bytes

    def curve(self) -> Curve:
        """Bytes before the first event, and after each."""
        base = sum(block.size_bytes for block in self._initial.values())
        changes, reserved = np.concatenate(([0], self._changes)), np.concatenate(([0], self._reserved))
        before = self._reserved_bytes - int(self._reserved.sum())
        times = self._times()
        return Curve(
            np.concatenate((times[:1], times)),
            base + changes.cumsum(),
            np.maximum(max(before, 0) + reserved.cumsum(), 0),
        )

    def _times(self) -> np.ndarray:
        """The time of each event, which is not before the one of the event before it."""
        times = np.arange(len(self.events), dtype=np.int64) * 1000
        if self.has_times:
            times = (
                np.array([min(max(whole(each.get("time_us")), 0), MOST_US) for each in self.events], np.int64) * 1000
            )
        return np.maximum.accumulate(times)

    def live_after(self, index: int) -> list[Block]:
        """What is allocated at a point of the curve."""
        initial, live, times = dict(self._initial), dict[int, int](), self._times()
        for at, event in enumerate(self.events[:index]):
            action, address = str(event.get("action")), whole(event.get("addr"))
            if action == "alloc":
                live[address] = at
                initial.pop(address, None)
            elif action in FREED and live.pop(address, None) is None:
                initial.pop(address, None)
        blocks = list(initial.values())
        for at in live.values():
            event = self.events[at]
            since = int(times[at]) if self.has_times else None
            blocks.append(Block(int(self._sizes[at]), size_of(event, "size"), since, self.stacks.of(event)))
        return blocks

    def failures(self, device: str) -> list[str]:
        """Where memory ran out."""
        times, found = self._times(), []
        for at, event in enumerate(self.events):
            if event.get("action") == "oom":
                wanted, free = size_text(size_of(event, "size")), size_text(size_of(event, "device_free"))
                seconds = (int(times[at]) - int(times[0])) / 1e9
                found.append(
                    f"{device}: out of memory after {seconds:.3f} s: {wanted} were requested, {free} were free"
                )
        return found[:10]


def dict_rows(value: Any) -> list[dict[str, Any]]:
    """The dictionaries in a list."""
    return [each for each in value[:MAX_ROWS] if isinstance(each, dict)] if isinstance(value, list) else []


def whole(value: Any) -> int:
    """A number or an address; -1 if it is none."""
    return value if isinstance(value, int) and abs(value) < 1 << 64 else -1


def size_of(row: dict[str, Any], name: str) -> int:
    """A number of bytes; 0 if it is none."""
    value = row.get(name)
    return value if isinstance(value, int) and 0 <= value < MOST_BYTES else 0


def rounded(size: int) -> int:
    """The size of the block for a request."""
    return -(-size // MIN_BLOCK_BYTES) * MIN_BLOCK_BYTES


def frame_of(value: Any) -> Frame:
    """A frame of a stack."""
    if not isinstance(value, dict):
        return Frame("?")
    name, file = value.get("name"), value.get("filename")
    file = file[:MAX_NAME_CHARS] if isinstance(file, str) and file != "??" else ""
    return Frame(name[:MAX_NAME_CHARS] if isinstance(name, str) else "?", file, max(0, whole(value.get("line"))))
