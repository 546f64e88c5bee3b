"""Reads an XSpace, the captures of TensorFlow, Keras and JAX: see xplane.proto.

Events are read one at a time; what describes them may follow them, so the bytes of lines are noted first.
"""

from dataclasses import dataclass, field

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64
from lightboard.profiles.capture import MAX_NAMES, NO_ARGS, CaptureBuilder, Category, HostCapture, StepMarker
from lightboard.profiles.categories import category_of

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

DEVICE = "/device:"

Span = tuple[int, int]


@dataclass
class Plane:
    """An XPlane: its name, the bytes of its lines, and the names of events and stats by their numbers."""

    id: int = 0
    name: str = ""
    lines: list[Span] = field(default_factory=list)
    events: dict[int, str] = field(default_factory=dict)
    stats: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class Event:
    """An XEvent. Stats are those that say what it is."""

    metadata: int = 0
    offset_ps: int = 0
    duration_ps: int = 0
    step: int | None = None
    hlo: bool = False
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
            raise Unshowable("it is no xplane: it has no planes", hint="capture it again")
        if self.reader.cut:
            self.builder.problems.append("the file is cut off or damaged, and is read up to there")
        return self.builder.build()

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
        if len(names) < MAX_NAMES:
            names[key] = shown if shown and HLO in name else name or shown

    def _read_plane(self, plane: Plane) -> None:
        if not plane.lines:
            return
        process = str(plane.id) if not plane.name else plane.name
        self.builder.name_process(process, plane.name)
        wanted = {number: name for number, name in plane.stats.items() if name in WANTED}
        for begin, end in plane.lines:
            self._read_line(plane, process, wanted, begin, end)

    def _read_line(self, plane: Plane, process: str, wanted: dict[int, str], begin: int, end: int) -> None:
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
                    self._add(plane, track, start_ns, value, self._event(wanted, value, stop))
                except MalformedError:
                    self.reader.cut = self.reader.cut or stop > self.reader.size
                    self.builder.skipped += stop <= self.reader.size

    def _event(self, wanted: dict[int, str], begin: int, end: int) -> Event:
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
                read_stat(event, wanted, data, value, stop)
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
        default: Category = (
            "annotation" if event.step is not None
            else "python" if name.startswith("$")
            else "compute" if event.hlo or plane.name.startswith(DEVICE) or is_operation(name)
            else "host"
        )  # fmt: skip
        where = offset if event.has_stats else NO_ARGS
        category = category_of(name, default)
        index = builder.add_slice(track, time_ns, rounded_ns(event.duration_ps), builder.name_id(name), category, where)
        if index is not None and event.step is not None and not plane.name.startswith(DEVICE):
            builder.steps.append(StepMarker(index, event.step))

    def _add_flows(self, track: int, time_ns: int, name: str, event: Event) -> None:
        for flow, points in ((event.flow_out, self.builder.flow_begins), (event.flow_in, self.builder.flow_ends)):
            if flow is not None:
                self.builder.add_flow_end(points, track, time_ns, self.builder.name_id(name), flow)


WANTED = frozenset({"step_num", "hlo_op", "_p", "_c"})
"""Stats that say what an event is. The others are read when somebody asks for them."""


def read_stat(event: Event, wanted: dict[int, str], data: bytes, begin: int, end: int) -> None:
    """An XStat, if it is one that says what the event is. Raises MalformedError."""
    key, number = 0, 0
    for each, wire_type, value, _ in fields(data, begin, end):
        if each == 1 and wire_type == VARINT:
            key = signed64(value)
            if key not in wanted:
                return
        elif wire_type == VARINT:
            number = signed64(value)
    match wanted.get(key):
        case "step_num" if 0 <= number < 1 << 53:
            event.step = number
        case "hlo_op":
            event.hlo = True
        case "_p":
            event.flow_out = number
        case "_c":
            event.flow_in = number


def rounded_ns(picoseconds: int) -> int:
    """Whole nanoseconds."""
    return (picoseconds + 500) // 1000


def is_operation(name: str) -> bool:
    """Whether a name is that of an operation of TensorFlow, `scope/name:Type`."""
    path, _, kind = name.rpartition(":")
    return bool(path) and not path.endswith(":") and kind.isidentifier() and kind.lstrip("_")[:1].isupper()
