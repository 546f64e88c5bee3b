"""Reads the step stats in RunMetadata, which sessions of TensorFlow 1 write into event files: see step_stats.proto.

They say what each device did in one call of a session. What streams of GPUs did is in there twice, once for each
stream and once for all together.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from lightboard import cancellation
from lightboard.events.byte_reader import ByteReader, ReadRange, read_fields
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64
from lightboard.profiles.capture import CATEGORIES, NO_ARGS, CaptureBuilder, Category, HostCapture
from lightboard.profiles.categories import category_of
from lightboard.profiles.devices import DEVICE, set_launches
from lightboard.profiles.step_stats_values import Span, StepStatsValue, messages

MAX_NODE_BYTES = 1 << 20
"""The stats of larger nodes are left out."""

MAX_TEXT_BYTES = 4000
"""Longer names are cut."""

LOCAL = re.compile(r"^/job:localhost/replica:0/task:0")
"""What names of devices of a session without a cluster begin with."""

STREAM = re.compile(r"^(?P<device>.*?)/(?P<stream>stream:.+|memcpy)$")
"""How devices are called that are streams of a GPU."""

GPU = re.compile(r"(^|/)(?:device:)?gpu:", re.IGNORECASE)

HOST = "/host:"
"""What names of devices begin with that repeat what TensorFlow does on the host."""

ALL_STREAMS = frozenset({"stream:all", "memcpy"})
"""What shows the same again that streams show one by one."""

OPERATION = re.compile(r" = (\w+)\(")
"""In labels of nodes: `scope/name = Type(inputs)`."""

EXECUTOR = "executor"
"""What runs nodes of a device, if it does not say on which thread."""

STEPS = "run metadata"
"""The process, and the track, of the steps."""

ANNOTATION = CATEGORIES.index("annotation")


class NodeTimes(NamedTuple):
    """A NodeExecStats: its name with the type of its operation, the thread, and when it ran in nanoseconds."""

    name: str
    label: str
    thread: int
    start_ns: int
    duration_ns: int


class DeviceLines(NamedTuple):
    """A DeviceStepStats: the name of the device, the names of its threads, and the bytes of its nodes."""

    name: str
    threads: dict[int, str]
    nodes: list[Span]


def read_step_stats(read: ReadRange, values: Sequence[StepStatsValue]) -> HostCapture:
    """The capture in these values of an event file, each of which is a step. Raises OSError."""
    builder = CaptureBuilder()
    for value in values:
        StepReader(builder, read, value).read()
    capture = builder.build()
    set_launches(capture)
    return capture


class StepReader:
    """Reads one value into a builder."""

    def __init__(self, builder: CaptureBuilder, read: ReadRange, value: StepStatsValue) -> None:
        self.builder, self.value = builder, value
        self.reader = ByteReader(read, value.end)
        self._begin_ns, self._end_ns = 1 << 63, -1

    def read(self) -> None:
        """Add the slices of all devices, and that of the step around them."""
        devices = list[DeviceLines]()
        try:
            for begin, end in messages(self.reader, 1, self.value.begin, self.value.end):
                devices.extend(self._device(*span) for span in messages(self.reader, 1, begin, end))
        except MalformedError:
            self.builder.problems.append(f"the step stats {self.value.tag} are damaged, and are read up to there")
        streams = {found["device"] for each in devices if (found := is_one_stream(each.name))}
        for device in devices:
            self._add_device(device, streams)
        self._add_step()

    def _device(self, begin: int, end: int) -> DeviceLines:
        """A DeviceStepStats without its nodes. Raises MalformedError."""
        device = DeviceLines("", {}, [])
        for number, wire_type, value, stop in read_fields(self.reader, begin, end):
            if wire_type != BYTES:
                continue
            if number == 1:
                device = device._replace(name=self._text(value, stop))
            elif number == 2:
                device.nodes.append((value, stop))
            elif number == 3:
                device.threads.update([thread_name(self.reader.slice(value, min(stop, value + MAX_TEXT_BYTES)))])
        return device

    def _text(self, begin: int, end: int) -> str:
        return self.reader.slice(begin, min(end, begin + MAX_TEXT_BYTES)).decode(errors="replace")

    def _add_device(self, device: DeviceLines, streams: set[str]) -> None:
        """Add the nodes of a device. What is of all its streams only names what each of them shows."""
        stream = STREAM.match(device.name)
        is_summary = stream is not None and stream["stream"] in ALL_STREAMS and stream["device"] in streams
        default: Category = "annotation" if is_summary else "host" if device.name.startswith(HOST) else "compute"
        process = process_name(device.name)
        self.builder.name_process(process, process)
        for begin, end in device.nodes:
            cancellation.check()
            try:
                node = read_node(self._node_bytes(begin, end), is_kernel=stream is not None)
            except MalformedError:
                self.builder.skipped += 1
                continue
            track = stream["stream"] if stream else str(node.thread)
            named = device.threads.get(node.thread) or (f"thread {node.thread}" if node.thread else EXECUTOR)
            self.builder.name_track(process, track, stream["stream"] if stream else named)
            self._add_node(self.builder.track_id(process, track), node, begin, default, stream is not None)

    def _node_bytes(self, begin: int, end: int) -> bytes:
        """The bytes of a NodeExecStats. Raises MalformedError."""
        if end - begin > MAX_NODE_BYTES:
            raise MalformedError
        return self.reader.slice(begin, end)

    def _add_node(self, track: int | None, node: NodeTimes, at: int, default: Category, is_device: bool) -> None:
        text = f"{node.name} {node.label}" if is_device else node.name  # labels of kernels say what they copy
        category = ANNOTATION if default == "annotation" else category_of(text, default, is_device=is_device)
        name = self.builder.name_id(node.name)
        if self.builder.add_slice(track, node.start_ns, node.duration_ns, name, category, at) is not None:
            self._begin_ns = min(self._begin_ns, node.start_ns)
            self._end_ns = max(self._end_ns, node.start_ns + node.duration_ns)

    def _add_step(self) -> None:
        """Add the slice from the first beginning to the last end, if anything ran."""
        if self._end_ns < 0:
            return
        builder, tag = self.builder, self.value.tag
        builder.name_process(STEPS, STEPS)
        builder.name_track(STEPS, STEPS, STEPS)
        track, name = builder.track_id(STEPS, STEPS), builder.name_id(tag)
        duration = self._end_ns - self._begin_ns
        index = builder.add_slice(track, self._begin_ns, duration, name, ANNOTATION, NO_ARGS)
        if index is not None:
            builder.add_step(index, self.value.step)


def is_one_stream(device: str) -> re.Match[str] | None:
    """The parts of the name of a device that is a single stream."""
    found = STREAM.match(device)
    return None if found is None or found["stream"] in ALL_STREAMS else found


def process_name(device: str) -> str:
    """What the process of a device is called.

    Only streams of GPUs are devices: what the others have run, they have run on the host, such as starting kernels.
    """
    stream = STREAM.match(device)
    name = LOCAL.sub("", stream["device"] if stream else device)
    if stream:
        return DEVICE + GPU.sub(r"\1GPU:", name).lstrip("/")
    return name.removeprefix(DEVICE).lstrip("/")


def thread_name(entry: bytes) -> tuple[int, str]:
    """An entry of the map of threads. Raises MalformedError."""
    thread, name = 0, ""
    for number, wire_type, value, stop in fields(entry, 0, len(entry)):
        if number == 1 and wire_type == VARINT:
            thread = value
        elif number == 2 and wire_type == BYTES:
            name = entry[value:stop].decode(errors="replace")
    return thread, name


def read_node(data: bytes, *, is_kernel: bool) -> NodeTimes:
    """A NodeExecStats. Raises MalformedError."""
    name, label, numbers = "", "", dict[int, int]()
    for number, wire_type, value, stop in fields(data, 0, len(data)):
        if number == 1 and wire_type == BYTES:
            name = data[value : min(stop, value + MAX_TEXT_BYTES)].decode(errors="replace")
        elif number == 8 and wire_type == BYTES:
            label = data[value : min(stop, value + MAX_TEXT_BYTES)].decode(errors="replace")
        elif wire_type == VARINT:
            numbers[number] = signed64(value)
    kind = None if is_kernel or not label.startswith(f"{name} = ") else OPERATION.match(label, len(name))
    start, duration = numbers.get(13) or numbers.get(2, 0) * 1000, numbers.get(16) or numbers.get(5, 0) * 1000
    return NodeTimes(f"{name}:{kind[1]}" if kind else name, label, numbers.get(10, 0), start, duration)
