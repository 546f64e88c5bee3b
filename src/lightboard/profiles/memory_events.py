"""Allocations in traces of PyTorch, which has recorded them with `profile_memory=True`: a curve for each device.

Only these events of a file are decoded: the others are passed over as bytes. Who holds memory is told from the
operators and calls around each allocation.
"""

import json
import re
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange
from lightboard.profiles.capture import CATEGORIES, EPOCH_LIMIT_NS, HostCapture, SliceRows
from lightboard.profiles.devices import CPU
from lightboard.profiles.memory import (
    MAX_FRAMES,
    Block,
    Curve,
    DeviceMemory,
    Frame,
    Stack,
    holder_frame,
    holders_of,
    largest,
)
from lightboard.profiles.slice_rows import slice_rows
from lightboard.profiles.text_stream import raw_pieces, text_of, unzipped
from lightboard.profiles.trace_json import MEMORY_EVENT, device_name, id_of, nanoseconds

MAX_EVENTS = 2_000_000
"""Allocations and frees of one file that are read, which are 100 MB."""

MAX_DEVICES = 1024

MAX_EVENT_BYTES = 2000
"""The longest event that is decoded, and how far before its name it begins."""

MAX_STACKS = 5000
"""Blocks whose stacks are looked up, the largest ones."""

NAME = f'"{MEMORY_EVENT}"'.encode()

BASE = re.compile(rb'"baseTimeNanoseconds"\s{0,20}:\s{0,20}(-?\d{1,19})')

MOST_BYTES = 1 << 52

CALL = re.compile(r"^(?P<file>.+\.py)\((?P<line>\d{1,9})\): (?P<name>.+)$", re.DOTALL)
"""How PyTorch names calls of Python."""

ANNOTATION, PYTHON = CATEGORIES.index("annotation"), CATEGORIES.index("python")

DEVICES_CUT = f"only the first {MAX_DEVICES:,} devices have memory here"
EVENTS_CUT = f"only the first {MAX_EVENTS:,} allocations are read"


class Place(NamedTuple):
    """A thread, by the names of the writer."""

    process: str
    thread: str


class DeviceEvents:
    """The allocations of a device, in the order of the file."""

    def __init__(self) -> None:
        self.time_ns, self.change, self.allocated, self.reserved = array("q"), array("q"), array("q"), array("q")
        self.address, self.place = array("Q"), array("i")

    def columns(self) -> tuple[NDArray[np.int64], ...]:
        """The columns in the order of time."""
        times = np.array(self.time_ns, np.int64)
        order = np.argsort(times, kind="stable")
        columns = (self.change, self.allocated, self.reserved, self.place)
        return times[order], *(np.array(column, np.int64)[order] for column in columns)

    def addresses(self) -> list[int]:
        """The addresses in the order of time."""
        order = np.argsort(np.array(self.time_ns, np.int64), kind="stable")
        found: list[int] = np.array(self.address, np.uint64)[order].tolist()
        return found


class MemoryEvents:
    """The allocations in one file, by device. Times are absolute."""

    def __init__(self, read: ReadRange, size: int) -> None:
        self.problems = list[str]()
        self.devices: dict[str, DeviceEvents] = {}
        self.places: dict[Place, int] = {}
        self._base_ns: int | None = None
        self._count = 0
        for event in self._events(read, size):
            if self._count >= MAX_EVENTS:
                self.problems.append(EVENTS_CUT)
                break
            self._add(event)

    @property
    def base_ns(self) -> int:
        """What times are relative to."""
        return self._base_ns or 0

    def _events(self, read: ReadRange, size: int) -> Iterator[dict[str, Any]]:
        """The events that have the name of allocations. Problems of the file are those of its capture."""
        decoder, data, at = json.JSONDecoder(strict=False), b"", 0
        for piece in unzipped(raw_pieces(read, size), []):
            cancellation.check()
            data += piece
            if self._base_ns is None and (base := BASE.search(data)):
                self._base_ns = int(base[1])
            while 0 <= (found := data.find(NAME, at)) <= len(data) - MAX_EVENT_BYTES:
                at = found + len(NAME)
                yield from decoded(decoder, data, found)
            at = found if found >= 0 else max(at, len(data) - len(NAME))
            kept = max(0, at - MAX_EVENT_BYTES)
            data, at = data[kept:], at - kept
        while (found := data.find(NAME, at)) >= 0:
            at = found + len(NAME)
            yield from decoded(decoder, data, found)

    def _add(self, event: dict[str, Any]) -> None:
        """One event, unless it is damaged."""
        args, time = event.get("args"), nanoseconds(event.get("ts"))
        if not isinstance(args, dict) or time is None:
            return
        change, allocated, reserved = map(args.get, ("Bytes", "Total Allocated", "Total Reserved"))
        address, device = args.get("Addr"), device_name(args.get("Device Type"), args.get("Device Id"))
        events = self.devices.get(device)
        if events is None:
            if len(self.devices) >= MAX_DEVICES:
                self.problems = [DEVICES_CUT]
                return
            events = self.devices[device] = DeviceEvents()
        place = Place(id_of(event.get("pid")), id_of(event.get("tid")))
        self._count += 1
        events.time_ns.append(time)
        events.change.append(size_of(change))
        events.allocated.append(max(0, size_of(allocated)))
        events.reserved.append(max(0, size_of(reserved)))
        events.address.append(address if type(address) is int and 0 <= address < 1 << 64 else 0)
        events.place.append(self.places.setdefault(place, len(self.places)))


def decoded(decoder: json.JSONDecoder, data: bytes, found: int) -> Iterator[dict[str, Any]]:
    """The event with its name at this position, if it is valid."""
    begin = data.rfind(b"{", max(0, found - MAX_EVENT_BYTES), found)
    if begin < 0:
        return
    try:
        event, _ = decoder.raw_decode(data[begin : found + MAX_EVENT_BYTES].decode("latin-1"))
    except (ValueError, RecursionError):
        return
    if isinstance(event, dict) and event.get("name") == "[memory]":
        yield event


def size_of(value: Any) -> int:
    """A number of bytes, or a change of it; 0 if it is none."""
    return value if type(value) is int and abs(value) < MOST_BYTES else 0


def memory_of_host(host: HostCapture, read: ReadRange, size: int) -> tuple[list[DeviceMemory], list[str]]:
    """The memory of each device in a trace, which was read as a capture before, the CPU last; and problems."""
    found = MemoryEvents(read, size)
    calls = Calls(host, list(found.places))
    names = sorted(found.devices, key=lambda name: (name == CPU, name))
    return [device_memory(host, name, found.devices[name], found.base_ns, calls) for name in names], found.problems


def device_memory(host: HostCapture, name: str, events: DeviceEvents, base_ns: int, calls: "Calls") -> DeviceMemory:
    """One device."""
    time_ns, change, allocated, reserved, place = events.columns()
    time_ns = np.clip(time_ns + base_ns, -EPOCH_LIMIT_NS, EPOCH_LIMIT_NS)
    index = int(allocated.argmax())
    live = dict[int, int]()
    for at, address in enumerate(events.addresses()[: index + 1]):
        if change[at] > 0:
            live[address] = at
        else:
            live.pop(address, None)
    order = sorted(live.values(), key=lambda at: -int(change[at]))
    blocks = [
        Block(
            *(int(change[at]), int(change[at]), int(time_ns[at])),
            calls.around(int(place[at]), int(time_ns[at])) if rank < MAX_STACKS else (),
        )
        for rank, at in enumerate(order)
    ]
    before = int(allocated[index]) - sum(block.size_bytes for block in blocks)
    if before > 0:
        blocks.append(Block(before, before, None, ()))
    return DeviceMemory(
        *(host.host, host.rank, name, Curve(time_ns, allocated, reserved)),
        *(int(allocated[index]), int(reserved[index]), int(time_ns[index]), int(allocated[-1]), int(reserved[-1])),
        *(None, holders_of(blocks, operator_frame), largest(blocks), int((change > 0).sum())),
    )


def operator_frame(stack: Stack) -> Frame | None:
    """The call of the program that holds memory, or else the outermost operator."""
    frame = holder_frame(stack)
    if frame is None or frame.file:
        return frame
    return next((each for each in reversed(stack) if not each.file), frame)


class Calls:
    """What ran on threads of a host at some moment."""

    def __init__(self, host: HostCapture, places: list[Place]) -> None:
        self.host = host
        rows: SliceRows = slice_rows(host) if host.rows is None else host.rows
        self._order = rows.order
        tracks = {Place(host.processes[each.process].id, each.id): at for at, each in enumerate(host.tracks)}
        self._tracks = [tracks.get(place, -1) for place in places]
        self._rows: dict[int, list[tuple[int, int]]] = {}
        for track, _depth, begin, end in rows.rows.tolist():
            self._rows.setdefault(track, []).append((begin, end))
        self._frames: dict[int, Frame | None] = {}

    def around(self, place: int, time_ns: int) -> Stack:
        """Operators and calls at a moment, the innermost first."""
        slices, frames = self.host.slices, list[Frame]()
        for begin, end in reversed(self._rows.get(self._tracks[place], ())):
            at = self._last_before(begin, end, time_ns)
            if at < 0 or slices.start_ns[at] + slices.duration_ns[at] < time_ns:
                continue
            frame = self._frame(at)
            if frame is not None and len(frames) < MAX_FRAMES:
                frames.append(frame)
        return tuple(frames)

    def _last_before(self, begin: int, end: int, time_ns: int) -> int:
        """The last slice of a row that has begun at a moment; -1 if there is none."""
        starts, first = self.host.slices.start_ns, begin
        while begin < end:
            middle = (begin + end) // 2
            if starts[self._order[middle]] <= time_ns:
                begin = middle + 1
            else:
                end = middle
        return int(self._order[begin - 1]) if begin > first else -1

    def _frame(self, at: int) -> Frame | None:
        """The call that a slice is; None of an annotation."""
        slices = self.host.slices
        if slices.category[at] == ANNOTATION:
            return None
        name = int(slices.name[at])
        if name not in self._frames:
            text = text_of(self.host.names[name])
            found = CALL.match(text) if slices.category[at] == PYTHON else None
            self._frames[name] = Frame(found["name"], found["file"], int(found["line"])) if found else Frame(text)
        return self._frames[name]
