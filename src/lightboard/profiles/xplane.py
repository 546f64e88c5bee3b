"""Reads an XSpace, the captures of TensorFlow, Keras and JAX: see xplane.proto.

Events are read one at a time; what describes them may follow them, so the bytes of lines are noted first.
"""

from array import array
from dataclasses import dataclass, field

import numpy as np

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64
from lightboard.profiles import capture as limits
from lightboard.profiles.capture import NO_ARGS, CaptureBuilder, HostCapture
from lightboard.profiles.hlo import HloKey, HloOps
from lightboard.profiles.xplane_meaning import OPERATION, PLAIN, STEP, with_meaning

MAX_EVENT_BYTES = 1 << 20
"""Larger events are left out."""

MAX_SPANS = 200_000
"""Lines of a plane that are read."""

MAX_TEXT_BYTES = 4000
"""Longer names are cut."""

NOISE = "ThreadpoolListener::"
"""Events of no length about threads that wait."""

HLO = " = "
"""What names of operations on devices have that are their whole definition. Then the name for display is used."""

CUT = "the file is cut off or damaged, and is read up to there"

REFERENCE = 7
"""The field of stats whose value is the name of another one."""

Span = tuple[int, int]


@dataclass
class Plane:
    """An XPlane: its name, the bytes of its lines, and the names of events and stats by their numbers."""

    id: int = 0
    name: str = ""
    lines: list[Span] = field(default_factory=list)
    events: dict[int, str] = field(default_factory=dict)
    stats: dict[int, str] = field(default_factory=dict)
    wanted: dict[int, str] = field(default_factory=dict)
    """Of the stats, those that say what an event is."""


@dataclass(slots=True)
class Event:
    """An XEvent. Stats are those that say what it is."""

    metadata: int = 0
    offset_ps: int = 0
    duration_ps: int = 0
    step: int | None = None
    is_operation: bool = False
    op: str = ""
    program: int = 0
    flow_out: int | None = None
    flow_in: int | None = None
    has_stats: bool = False


def read_xplane(read: ReadRange, size: int) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none."""
    return XplaneReader(read, size).capture()


class XplaneReader:
    """Reads one file into a builder."""

    def __init__(self, read: ReadRange, size: int) -> None:
        self.builder = CaptureBuilder()
        self.reader = TruncatedReader(read, size)
        self._read = read
        self._hlo_index: dict[HloKey, int] = {}
        self._op_index: dict[str, int] = {}
        self._hlo = array("i")

    def capture(self) -> HostCapture:
        """Read all. Raises Unshowable."""
        found = False
        for number, wire_type, begin, end in self.reader.fields(0, self.reader.size):
            if number == 1 and wire_type == BYTES:
                plane = self._plane(begin, end)
                found = found or bool(plane.lines or plane.name)
                self._read_plane(plane)
            elif number == 4 and wire_type == BYTES and not self.builder.host:
                self.builder.host = self._text(begin, end)
        if not found:
            raise no_xplane()
        if self.reader.cut:
            self.builder.problems.append(CUT)
        if self._hlo:
            self._hlo.extend([-1] * (len(self.builder.track) - len(self._hlo)))
        hlo = HloOps(np.array(self._hlo, np.int32), list(self._hlo_index), list(self._op_index))
        return with_meaning(self.builder.build(), hlo, self._read, self.reader.size)

    def _text(self, begin: int, end: int) -> str:
        try:
            return self.reader.slice(begin, min(end, begin + MAX_TEXT_BYTES)).decode(errors="replace")
        except MalformedError:
            self.reader.cut = True
            return ""

    def _plane(self, begin: int, end: int) -> Plane:
        """An XPlane without the events in it."""
        plane = Plane()
        for number, wire_type, value, stop in self.reader.fields(begin, end):
            if number == 1 and wire_type == VARINT:
                plane.id = signed64(value)
            elif number == 2 and wire_type == BYTES:
                plane.name = self._text(value, stop)
            elif number == 3 and wire_type == BYTES and len(plane.lines) < MAX_SPANS:
                plane.lines.append((value, stop))
            elif number in (4, 5) and wire_type == BYTES:
                self._read_entry(plane.events if number == 4 else plane.stats, value, stop)
        return plane

    def _read_entry(self, names: dict[int, str], begin: int, end: int) -> None:
        """An entry of a map from numbers to what has a name."""
        key, name, shown = 0, "", ""
        for number, wire_type, value, stop in self.reader.fields(begin, end):
            if number == 1 and wire_type == VARINT:
                key = signed64(value)
            elif number == 2 and wire_type == BYTES:
                for inner, inner_type, inner_begin, inner_end in self.reader.fields(value, stop):
                    if inner == 2 and inner_type == BYTES:
                        name = self._text(inner_begin, inner_end)
                    elif inner == 4 and inner_type == BYTES:
                        shown = self._text(inner_begin, inner_end)
        if len(names) < limits.MAX_NAMES:
            names[key] = shown if shown and HLO in name else name or shown

    def _read_plane(self, plane: Plane) -> None:
        if not plane.lines:
            return
        process = str(plane.id) if not plane.name else plane.name
        self.builder.name_process(process, plane.name)
        plane.wanted = {number: name for number, name in plane.stats.items() if name in WANTED}
        for begin, end in plane.lines:
            self._read_line(plane, process, begin, end)

    def _read_line(self, plane: Plane, process: str, begin: int, end: int) -> None:
        """An XLine, whose events may come before its own fields."""
        id_, name, shown, start_ns = 0, "", "", 0
        events = False
        for number, wire_type, value, stop in self.reader.fields(begin, end):
            if number == 1 and wire_type == VARINT:
                id_ = signed64(value)
            elif number == 2 and wire_type == BYTES:
                name = self._text(value, stop)
            elif number == 11 and wire_type == BYTES:
                shown = self._text(value, stop)
            elif number == 3 and wire_type == VARINT:
                start_ns = signed64(value)
            events = events or number == 4
        if not events:
            return
        self.builder.name_track(process, str(id_), shown or name)
        track = self.builder.track_id(process, str(id_))
        for number, wire_type, value, stop in self.reader.fields(begin, end):
            if number == 4 and wire_type == BYTES:
                try:
                    self._add(plane, track, start_ns, value, self._event(plane, value, stop))
                except MalformedError:
                    self.reader.cut = self.reader.cut or stop > self.reader.size
                    self.builder.skipped += stop <= self.reader.size

    def _event(self, plane: Plane, begin: int, end: int) -> Event:
        """An XEvent. Raises MalformedError."""
        if end - begin > MAX_EVENT_BYTES:
            raise MalformedError
        data, event = self.reader.slice(begin, end), Event()
        for number, wire_type, value, stop in fields(data, 0, len(data)):
            if wire_type == VARINT:
                if number == 1:
                    event.metadata = signed64(value)
                elif number == 2:
                    event.offset_ps = signed64(value)
                elif number == 3:
                    event.duration_ps = signed64(value)
            elif number == 4 and wire_type == BYTES:
                event.has_stats = True
                read_stat(event, plane, data, value, stop)
        return event

    def _add(self, plane: Plane, track: int | None, start_ns: int, offset: int, event: Event) -> None:
        """Store an event: a slice, or an instant if it has no length."""
        builder, name = self.builder, plane.events.get(event.metadata) or f"event {event.metadata}"
        time_ns = start_ns + rounded_ns(event.offset_ps)
        if track is not None:
            self._add_flows(track, time_ns, name, event)
        if event.duration_ps == 0 and event.step is None:
            if not name.startswith(NOISE):
                builder.add_point(builder.instants, track, time_ns, builder.name_id(name))
            return
        kind = STEP if event.step is not None else OPERATION if event.is_operation else PLAIN
        where, name_id = offset if event.has_stats else NO_ARGS, builder.name_id(name)
        index = builder.add_slice(track, time_ns, rounded_ns(event.duration_ps), name_id, kind, where)
        if index is None:
            return
        if event.step is not None:
            builder.add_step(index, event.step)
        if event.op:
            self._add_hlo(index, name_id, event)

    def _add_hlo(self, index: int, name: int, event: Event) -> None:
        """Note which operation of XLA a slice has run."""
        if event.op not in self._op_index and len(self._op_index) >= limits.MAX_NAMES:
            return
        key = HloKey(event.program, self._op_index.setdefault(event.op, len(self._op_index)), name)
        found = self._hlo_index.get(key)
        if found is None:
            if len(self._hlo_index) >= limits.MAX_NAMES:
                return
            found = self._hlo_index[key] = len(self._hlo_index)
        self._hlo.extend([-1] * (index - len(self._hlo)))
        self._hlo.append(found)

    def _add_flows(self, track: int, time_ns: int, name: str, event: Event) -> None:
        for flow, points in ((event.flow_out, self.builder.flow_begins), (event.flow_in, self.builder.flow_ends)):
            if flow is not None:
                self.builder.add_flow_end(points, track, time_ns, self.builder.name_id(name), flow)


WANTED = frozenset({"step_num", "hlo_op", "program_id", "_p", "_c"})
"""Stats that say what an event is. The others are read when somebody asks for them."""


def read_stat(event: Event, plane: Plane, data: bytes, begin: int, end: int) -> None:
    """An XStat, if it is one that says what the event is. Raises MalformedError."""
    key, number, text, is_reference = 0, 0, b"", False
    for each, wire_type, value, stop in fields(data, begin, end):
        if each == 1 and wire_type == VARINT:
            key = signed64(value)
            if key not in plane.wanted:
                return
        elif wire_type == VARINT:
            number, is_reference = signed64(value), each == REFERENCE
        elif each == 5 and wire_type == BYTES:
            text = data[value:stop]
    match plane.wanted.get(key):
        case "step_num" if 0 <= number < 1 << 53:
            event.step = number
        case "hlo_op":
            event.is_operation = True
            event.op = plane.stats.get(number, "") if is_reference else text[:MAX_TEXT_BYTES].decode(errors="replace")
        case "program_id":
            event.program = number
        case "_p":
            event.flow_out = number
        case "_c":
            event.flow_in = number


def no_xplane() -> Unshowable:
    """The error of a file that is none."""
    return Unshowable("it is no xplane: it has no planes", hint="capture it again")


def rounded_ns(picoseconds: int) -> int:
    """Whole nanoseconds."""
    return (picoseconds + 500) // 1000
