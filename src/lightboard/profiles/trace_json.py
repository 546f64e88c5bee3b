"""Reads traces as JSON: those of PyTorch and JAX, and any other in the format of Chrome's trace viewer.

An event at a time: the file is never in memory as a whole. Times are microseconds, relative to `baseTimeNanoseconds` if
there is one.
"""

import math
import re
from collections.abc import Iterator
from typing import Any

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.profiles.capture import (
    MAX_NAME_CHARS,
    NO_ARGS,
    OTHER,
    CaptureBuilder,
    Category,
    HostCapture,
)
from lightboard.profiles.categories import TORCH, category_of
from lightboard.profiles.devices import CPU, set_launches
from lightboard.profiles.text_stream import CutOffError, TextStream, text_of

STEP = "ProfilerStep#"
"""How PyTorch names steps."""

MEMORY_EVENT = "[memory]"
"""How PyTorch names allocations and frees."""

ALLOCATED_MEMORY = "allocated memory "
"""What the counter of a device is called, before the device."""

DEVICE_TYPES = {0: CPU, 1: "GPU", 6: "GPU", 12: "XPU", 13: "MPS", 15: "HPU", 19: "MTIA"}
"""The numbers of c10::DeviceType."""

RECORDING = "Trace"
"""The category of the range that PyTorch has recorded, which is no event of the program."""

WRITER_LIMIT = 1_000_000
"""How many events JAX writes at most to JSON."""

NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
"""A time that is written as text."""

Event = dict[str, Any]


def read_trace_json(read: ReadRange, size: int) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none."""
    capture = JsonReader(read, size).capture()
    set_launches(capture)
    return capture


class JsonReader:
    """Reads one file into a builder."""

    def __init__(self, read: ReadRange, size: int) -> None:
        self.builder = CaptureBuilder()
        self.stream = TextStream(read, size, self.builder.problems)
        self.base_ns = 0
        self._open: dict[int, list[int]] = {}
        """Slices that have begun, by their tracks."""
        self._found = False
        self._last_ns = 0
        self._categories: dict[tuple[str, int, bool], int] = {}

    def capture(self) -> HostCapture:
        """Read all. Raises Unshowable."""
        stream, begin, cut_off = self.stream, self.stream.peek(), False
        try:
            if begin == "[":
                self._read_events()
            elif begin == "{":
                stream.at += 1
                self._read_object()
        except CutOffError:
            cut_off = True
        if not self._found:
            raise no_trace()
        self.builder.problems += text_problems(cut_off, stream.malformed, self._close_open())
        return self._shifted(self.builder.build())

    def _read_object(self) -> None:
        """The members of the file, in any order."""
        stream = self.stream
        while (begin := stream.peek()) not in ("}", ""):
            if begin != '"':
                self._search_events()
                return
            try:
                key = stream.value()
                if stream.peek() == ":":
                    stream.at += 1
                if key == "traceEvents" and stream.peek() == "[":
                    self._read_events()
                else:
                    self._note(key, stream.value())
            except ValueError:
                self._search_events()
                return
        if not begin:
            raise CutOffError

    def _search_events(self) -> None:
        """Go on with events after damage outside of their list."""
        if self.stream.skip_to_event():
            self._read_events(inside=True)

    def _note(self, key: str, value: Any) -> None:
        """A fact about the capture."""
        if key == "baseTimeNanoseconds" and type(value) is int and abs(value) < 1 << 62:
            self.base_ns = value
        elif key == "distributedInfo" and isinstance(value, dict) and is_count(value.get("rank")):
            self.builder.rank = value["rank"]
        elif key == "host_name" and isinstance(value, str):
            self.builder.host = text_of(value)

    def _read_events(self, *, inside: bool = False) -> None:
        """The list of events, with the position before it."""
        stream = self.stream
        if not inside:
            stream.at += 1
        self._found = True
        while (begin := stream.peek()) != "]":
            if not begin:
                raise CutOffError
            offset = stream.offset + stream.at
            try:
                event = stream.value()
            except ValueError:
                if not stream.skip_to_event():
                    raise CutOffError from None
                continue
            if isinstance(event, dict):
                self._read_event(event, offset)
        stream.at += 1

    def _read_event(self, event: Event, offset: int) -> None:
        """One event, by its phase."""
        phase = event.get("ph")
        if phase == "M":
            self._read_metadata(event)
            return
        if phase not in ("X", "B", "E", "i", "I", "R", "C", "s", "t", "f"):
            return
        time_ns = nanoseconds(event.get("ts"))
        if time_ns is None:
            self.builder.skipped += 1
            return
        self._last_ns = max(self._last_ns, time_ns)
        builder, track = self.builder, self._track(event)
        if phase in ("X", "B"):
            self._read_slice(event, track, time_ns, offset)
        elif phase == "E":
            self._end_slice(track, time_ns)
        elif phase == "C":
            for label, value in self._samples(event):
                builder.add_point(builder.counters, track, time_ns, builder.name_id(label), value)
        elif phase in ("s", "f"):
            key = f"{id_of(event.get('cat'))}:{id_of(event.get('id'))}"[:100]
            points = builder.flow_begins if phase == "s" else builder.flow_ends
            builder.add_flow_end(points, track, time_ns, builder.name_id(self._name(event)), key)
        elif phase != "t":
            self._read_instant(event, track, time_ns)

    def _read_instant(self, event: Event, track: int | None, time_ns: int) -> None:
        """An instant. Allocations are also samples of a counter of their device."""
        builder, name, args = self.builder, self._name(event), event.get("args")
        args = args if isinstance(args, dict) else {}
        builder.add_point(builder.instants, track, time_ns, builder.name_id(name), amount_of(args.get("Bytes")) or 0.0)
        allocated = amount_of(args.get("Total Allocated"))
        if name == MEMORY_EVENT and allocated is not None:
            counter = ALLOCATED_MEMORY + device_name(args.get("Device Type"), args.get("Device Id"))
            builder.add_point(builder.counters, track, time_ns, builder.name_id(counter), allocated)

    def _read_metadata(self, event: Event) -> None:
        """The name of a process or a thread."""
        args = event.get("args")
        name = args.get("name") if isinstance(args, dict) else None
        if not isinstance(name, str):
            return
        if event.get("name") == "process_name":
            self.builder.name_process(id_of(event.get("pid")), text_of(name))
        elif event.get("name") == "thread_name":
            self.builder.name_track(id_of(event.get("pid")), id_of(event.get("tid")), text_of(name))

    def _read_slice(self, event: Event, track: int | None, time_ns: int, offset: int) -> None:
        """A slice, or the beginning of one."""
        builder, name = self.builder, self._name(event)
        duration_ns = nanoseconds(event.get("dur", 0))
        if duration_ns is None or duration_ns < 0:
            builder.skipped += 1
            return
        if event.get("cat") == RECORDING:
            return
        args = event.get("args")
        where, name_id = offset if args else NO_ARGS, builder.name_id(name)
        index = builder.add_slice(track, time_ns, duration_ns, name_id, self._category(event, name, name_id), where)
        if index is None or track is None:
            return
        self._last_ns = max(self._last_ns, time_ns + duration_ns)
        if event["ph"] == "B":
            self._open.setdefault(track, []).append(index)
        if (step := step_of(name, event.get("cat"), args)) is not None:
            builder.add_step(index, step)

    def _end_slice(self, track: int | None, time_ns: int) -> None:
        """The end of the last slice that has begun on a track."""
        builder, open_ = self.builder, self._open.get(-1 if track is None else track)
        if not open_:
            builder.skipped += 1
            return
        index = open_.pop()
        builder.duration_ns[index] = max(0, time_ns - builder.start_ns[index])

    def _close_open(self) -> int:
        """Slices without an end last until the last event. Returns how many there are."""
        unfinished = [index for each in self._open.values() for index in each]
        for index in unfinished:
            self.builder.duration_ns[index] = max(0, self._last_ns - self.builder.start_ns[index])
        return len(unfinished)

    def _category(self, event: Event, name: str, name_id: int) -> int:
        kind = event.get("cat")
        key = (kind if isinstance(kind, str) else "", name_id, has_hlo(event.get("args")))
        found = self._categories.get(key)
        if found is None:
            text = OTHER if name_id == self.builder.names.get(OTHER) else name[:MAX_NAME_CHARS]
            found = trace_category(key[0], text, is_hlo=key[2])
            if len(self._categories) < 100_000:
                self._categories[key] = found
        return found

    def _samples(self, event: Event) -> Iterator[tuple[str, float]]:
        """The values of a counter by what they are called."""
        args = event.get("args")
        for key, value in args.items() if isinstance(args, dict) else ():
            if (amount := amount_of(value)) is not None:
                yield f"{self._name(event)}/{text_of(key)}", amount

    def _track(self, event: Event) -> int | None:
        return self.builder.track_id(id_of(event.get("pid")), id_of(event.get("tid")))

    @staticmethod
    def _name(event: Event) -> str:
        name = event.get("name")
        return text_of(name) if isinstance(name, str) else ""

    def _shifted(self, capture: HostCapture) -> HostCapture:
        """The capture in absolute time."""
        if self.base_ns:
            capture.slices.start_ns[:] += self.base_ns
            for points in (capture.instants, capture.counters, capture.flow_begins, capture.flow_ends):
                points.time_ns[:] += self.base_ns
        capture.problems.extend(writer_problems(len(capture.slices)))
        return capture


def no_trace() -> Unshowable:
    """The error of a file that is none."""
    return Unshowable("it is no trace: it has no list of events", hint="export it again")


def text_problems(cut_off: bool, malformed: int, unfinished: int) -> list[str]:
    """What to say of a text that is cut off, of places that are no JSON, and of slices without an end."""
    problems = []
    if cut_off:
        problems.append("the file is cut off, and is read up to there")
    if malformed:
        problems.append(f"{malformed:,} places are no valid JSON, and are skipped")
    if unfinished:
        problems.append(f"{unfinished:,} events have no end, and are shown until the last event")
    return problems


def writer_problems(slices: int) -> list[str]:
    """What to say if a writer has stopped at its limit."""
    return ["the writer has stopped at 1,000,000 events, so the end may be missing"] if slices == WRITER_LIMIT else []


def trace_category(kind: str, name: str, *, is_hlo: bool) -> int:
    """The index of the category of a slice, by what the writer calls its category and by its name."""
    default: Category = TORCH.get(kind, "python" if name.startswith("$") else "host")
    if not kind and default == "host" and is_hlo:
        default = "compute"
    return category_of(name, default)


def nanoseconds(value: Any) -> int | None:
    """Microseconds, as a number or a text, in whole nanoseconds; None if they are impossible."""
    if isinstance(value, str) and len(value) < 40 and NUMBER.fullmatch(value):
        value = float(value)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if not abs(value) < 1e15 * 4 or not math.isfinite(value):
        return None
    return round(value * 1000)


def id_of(value: Any) -> str:
    """A process or a thread, which writers name by number or by text; "" if it is neither."""
    if isinstance(value, str):
        return text_of(value)[:200]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
        value = int(value)
    return str(value)[:200] if type(value) is int else ""


def is_count(value: Any) -> bool:
    """Whether a value is a number of steps or ranks."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53


def step_of(name: str, kind: Any, args: Any) -> int | None:
    """The number of a step, if this slice is one on the host."""
    if name.startswith(STEP) and kind != "gpu_user_annotation":
        digits = name[len(STEP) :]
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None
    number = args.get("step_num") if isinstance(args, dict) else None
    if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) < 16:
        return int(number)
    return number if is_count(number) else None


def has_hlo(args: Any) -> bool:
    """Whether an event is an operation of XLA."""
    return isinstance(args, dict) and "hlo_op" in args


def amount_of(value: Any) -> float | None:
    """A number of a counter or an allocation, None if it is none."""
    return float(value) if isinstance(value, int | float) and abs(value) < 1e300 else None


def device_name(kind: Any, number: Any) -> str:
    """`GPU:0`, as elsewhere; the CPU has no number."""
    name = DEVICE_TYPES.get(kind, "") if type(kind) is int else ""
    name = name or f"device {id_of(kind) or '?'}"
    return name if name == CPU else f"{name}:{number if type(number) is int and 0 <= number < 1 << 31 else 0}"
