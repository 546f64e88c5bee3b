"""Reads profiles of memory in the format of pprof, as `jax.profiler.save_device_memory_profile` writes them.

They say what is in use at one moment: bytes by stack, kind and device.
"""

from collections.abc import Iterator
from typing import NamedTuple

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64, varint
from lightboard.profiles.capture import MAX_NAME_CHARS
from lightboard.profiles.memory import (
    MAX_FRAMES,
    NO_CURVE,
    Block,
    DeviceMemory,
    Frame,
    MemoryProfile,
    Stack,
    holders_of,
    largest,
)
from lightboard.profiles.text_stream import raw_pieces, unzipped

MAX_PROFILE_BYTES = 64 << 20
"""How much is read, decompressed."""

MAX_ROWS = 500_000
"""Samples, places and functions that are read."""

CHECKED_ROWS = 10_000

MOST_BYTES = 1 << 52
"""Larger sizes are damage."""

IN_USE = ("space", "inuse_space")
"""What writers call the bytes in use."""

COUNTS = ("allocations", "inuse_objects")

NO_DEVICE = "host"
"""Where memory is that belongs to no device."""

DAMAGED = "the file is cut off or damaged, and is read up to there"


class Sample(NamedTuple):
    """Allocations with one stack. Labels are indexes of texts."""

    places: list[int]
    values: list[int]
    labels: dict[int, int]


class Tables:
    """What the messages of a profile say, by their numbers."""

    def __init__(self) -> None:
        self.value_types: list[tuple[int, int]] = []
        self.samples: list[Sample] = []
        self.lines: dict[int, list[tuple[int, int]]] = {}
        """The functions and lines of each place, the innermost first."""
        self.functions: dict[int, tuple[int, int]] = {}
        """The name and the file of each function, as indexes of texts."""
        self.texts: list[str] = []
        self._stacks: dict[tuple[int, ...], Stack] = {}

    def add(self, data: bytes, number: int, begin: int, end: int) -> bool:
        """A message of the profile. Returns whether it is one that profiles have. Raises MalformedError."""
        if number == 1:
            found = numbers(data, begin, end)
            self.value_types.append((found.get(1, 0), found.get(2, 0)))
        elif number == 2:
            self.samples.append(sample_of(data, begin, end))
        elif number == 4:
            self._add_place(data, begin, end)
        elif number == 5:
            found = numbers(data, begin, end)
            self.functions[found.get(1, 0)] = found.get(2, 0), found.get(4, 0)
        elif number == 6:
            self.texts.append(data[begin : min(end, begin + MAX_NAME_CHARS)].decode(errors="replace"))
        return 1 <= number <= 6

    def _add_place(self, data: bytes, begin: int, end: int) -> None:
        """A place in the program."""
        key, lines = 0, list[tuple[int, int]]()
        for number, wire_type, value, stop in fields(data, begin, end):
            if number == 1 and wire_type == VARINT:
                key = value
            elif number == 4 and wire_type == BYTES and len(lines) < MAX_FRAMES:
                found = numbers(data, value, stop)
                lines.append((found.get(1, 0), found.get(2, 0)))
        self.lines[key] = lines

    def text(self, index: int) -> str:
        """A text; empty if there is none."""
        return self.texts[index] if 0 <= index < len(self.texts) else ""

    def stack(self, places: list[int]) -> Stack:
        """The calls of these places."""
        key = tuple(places)
        found = self._stacks.get(key)
        if found is None:
            lines = (line for place in places for line in self.lines.get(place, ()))
            frames = (self._frame(*line) for line, _ in zip(lines, range(MAX_FRAMES), strict=False))
            found = self._stacks[key] = tuple(frames)
        return found

    def _frame(self, function: int, line: int) -> Frame:
        """A call."""
        name, file = self.functions.get(function, (0, 0))
        return Frame(self.text(name) or "?", self.text(file), line if line < 1 << 31 else 0)

    def value_index(self, names: tuple[str, ...], unit: str = "") -> int | None:
        """Which of the values of samples has one of these names, or else this unit."""
        types = [(self.text(name), self.text(of)) for name, of in self.value_types]
        named = [at for at, (name, _) in enumerate(types) if name in names]
        return next(iter(named + [at for at, (_, of) in enumerate(types) if unit and of == unit]), None)


def read_pprof(read: ReadRange, size: int) -> MemoryProfile:
    """What a profile of this size says. Raises Unshowable."""
    problems = list[str]()
    tables = tables_of(bounded(unzipped(raw_pieces(read, size), problems), problems), problems)
    space = tables.value_index(IN_USE, "bytes")
    if space is None:
        raise Unshowable(
            "it is no profile of memory: it does not count bytes",
            hint="jax.profiler.save_device_memory_profile writes them; those of cProfile cannot be shown",
        )
    counts = tables.value_index(COUNTS)
    by_device: dict[str, list[Block]] = {}
    for at, sample in enumerate(tables.samples):
        if at % CHECKED_ROWS == 0:
            cancellation.check()
        labels = {tables.text(key): tables.text(value) for key, value in sample.labels.items()}
        bytes_, count = value_of(sample, space), 1 if counts is None else value_of(sample, counts)
        kind, device = labels.get("kind", ""), labels.get("device") or NO_DEVICE
        by_device.setdefault(device, []).append(Block(bytes_, bytes_, None, tables.stack(sample.places), kind, count))
    devices = [device_memory(device, by_device[device]) for device in sorted(by_device)]
    return MemoryProfile([each for each in devices if each.live_bytes] or devices[:1], problems)


def bounded(pieces: Iterator[bytes], problems: list[str]) -> bytes:
    """The first bytes."""
    data = bytearray()
    for piece in pieces:
        cancellation.check()
        data += piece
        if len(data) > MAX_PROFILE_BYTES:
            problems.append(f"only the first {MAX_PROFILE_BYTES >> 20} MiB are read")
            break
    return bytes(data)


def tables_of(data: bytes, problems: list[str]) -> Tables:
    """The messages of a profile, as far as they are valid."""
    tables, known = Tables(), 0
    try:
        for number, wire_type, begin, end in fields(data, 0, len(data)):
            if wire_type == BYTES:
                known += tables.add(data, number, begin, end)
            if known > MAX_ROWS:
                problems.append(f"only the first {MAX_ROWS:,} rows are read")
                break
    except MalformedError:
        if not problems:
            problems.append(DAMAGED)
    return tables


def sample_of(data: bytes, begin: int, end: int) -> Sample:
    """One sample. Raises MalformedError."""
    sample = Sample([], [], {})
    for number, wire_type, value, stop in fields(data, begin, end):
        if number in (1, 2):
            target = sample.places if number == 1 else sample.values
            target += [value] if wire_type == VARINT else packed(data, value, stop) if wire_type == BYTES else []
        elif number == 3 and wire_type == BYTES:
            label = numbers(data, value, stop)
            sample.labels[label.get(1, 0)] = label.get(2, 0)
    return sample


def packed(data: bytes, at: int, end: int) -> list[int]:
    """Varints beside each other. Raises MalformedError."""
    found = list[int]()
    while at < end:
        value, at = varint(data, at, end)
        if len(found) < 10 * MAX_FRAMES:
            found.append(value)
    return found


def numbers(data: bytes, begin: int, end: int) -> dict[int, int]:
    """The numbers in a message by their fields. Raises MalformedError."""
    return {number: value for number, wire_type, value, _ in fields(data, begin, end) if wire_type == VARINT}


def value_of(sample: Sample, index: int) -> int:
    """A value of a sample; 0 if it has none or an impossible one."""
    value = signed64(sample.values[index]) if index < len(sample.values) else 0
    return value if 0 <= value < MOST_BYTES else 0


def device_memory(device: str, blocks: list[Block]) -> DeviceMemory:
    """What is in use on a device."""
    total = sum(block.size_bytes for block in blocks)
    return DeviceMemory(
        *("", None, device, NO_CURVE, total, 0, None, total, 0, None),
        *(holders_of(blocks), largest(blocks), sum(block.blocks for block in blocks)),
    )
