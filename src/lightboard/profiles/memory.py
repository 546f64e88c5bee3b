"""The memory of devices: how much was used over time, and who holds it at the peak."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_FRAMES = 64
"""Frames of a stack that are read, the innermost ones."""

MAX_HOLDERS, MAX_BLOCKS = 1000, 200
"""Holders and blocks of a device that are kept, the largest ones."""

FRAMEWORK = re.compile(r"(?:^|(?:site|dist)-packages[/\\])(?:torch|jax|jaxlib|functorch)[/\\]")
"""Files of frameworks, which hold memory for the program that calls them."""


class Frame(NamedTuple):
    """A call. `file` and `line` are empty if they are unknown, and for operators."""

    name: str
    file: str = ""
    line: int = 0


Stack = tuple[Frame, ...]
"""Calls, the innermost first."""


class Block(NamedTuple):
    """Memory that is in use. `blocks` are one row where the writer has added them up.

    `since_ns` is when it was allocated, None if that was before recording or is unknown.
    """

    size_bytes: int
    requested_bytes: int
    since_ns: int | None
    stack: Stack
    kind: str = ""
    blocks: int = 1


class Holder(NamedTuple):
    """What one line of code holds. `stack` is that of the largest of its blocks."""

    frame: Frame | None
    size_bytes: int
    blocks: int
    stack: Stack


class Curve(NamedTuple):
    """Bytes over time: what holds from each moment on."""

    time_ns: NDArray[np.int64]
    allocated: NDArray[np.int64]
    reserved: NDArray[np.int64]


@dataclass(frozen=True)
class DeviceMemory:
    """A device. `peak_ns` is None without a curve; what is reserved is 0 where it is unknown.

    `live_bytes` and `reserved_bytes` are those at the end, `largest_free_bytes` the largest free block then.
    """

    host: str
    rank: int | None
    device: str
    curve: Curve
    peak_bytes: int
    peak_reserved_bytes: int
    peak_ns: int | None
    live_bytes: int
    reserved_bytes: int
    largest_free_bytes: int | None
    holders: list[Holder]
    blocks: list[Block]
    allocations: int = 0
    """How many were recorded."""


@dataclass(frozen=True)
class MemoryProfile:
    """What a capture says of memory. `problems` are sentences."""

    devices: list[DeviceMemory]
    problems: list[str] = field(default_factory=list)
    begin_ns: int = 0

    @property
    def size_bytes(self) -> int:
        """An estimate of the memory that it takes."""
        rows = sum(len(each.holders) + len(each.blocks) for each in self.devices)
        return 1000 + rows * 500 + sum(24 * len(each.curve.time_ns) for each in self.devices)


NO_CURVE = Curve(*(np.empty(0, np.int64) for _ in range(3)))


def holder_frame(stack: Stack) -> Frame | None:
    """The innermost call outside of the framework, or the innermost one; None of an empty stack."""
    for frame in stack:
        if frame.file and frame.file.endswith(".py") and not FRAMEWORK.search(frame.file):
            return frame
    return stack[0] if stack else None


def holders_of(blocks: Iterable[Block], frame_of: Callable[[Stack], Frame | None] = holder_frame) -> list[Holder]:
    """Who holds these blocks, the largest first. `frame_of` chooses the holder of a stack."""
    found: dict[Frame | None, tuple[int, int, int, Stack]] = {}
    for block in blocks:
        frame = frame_of(block.stack)
        size, count, largest, stack = found.get(frame, (0, 0, -1, ()))
        if block.size_bytes > largest:
            largest, stack = block.size_bytes, block.stack
        found[frame] = size + block.size_bytes, count + block.blocks, largest, stack
    rows = [Holder(frame, size, count, stack) for frame, (size, count, _, stack) in found.items() if size]
    return sorted(rows, key=lambda row: -row.size_bytes)[:MAX_HOLDERS]


def largest(blocks: Iterable[Block]) -> list[Block]:
    """The largest of these blocks."""
    return sorted((each for each in blocks if each.size_bytes), key=lambda each: -each.size_bytes)[:MAX_BLOCKS]


def thinned(curve: Curve, columns: int) -> Curve:
    """The curve for so many columns of pixels: of each the first and last moment, its peaks and its lowest point."""
    times = curve.time_ns
    if len(times) <= 4 * columns:
        return curve
    first, last = int(times[0]), int(times[-1])
    edges = first + np.arange(columns + 1, dtype=np.float64) * ((last - first + 1) / columns)
    bounds = np.searchsorted(times, edges.astype(np.int64))
    bounds[-1] = len(times)
    chosen = set[int]()
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        if begin < end:
            part = curve.allocated[begin:end]
            chosen.update((begin, end - 1, begin + int(part.argmax()), begin + int(part.argmin())))
            chosen.add(begin + int(curve.reserved[begin:end].argmax()))
    indexes = np.array(sorted(chosen), np.int64)
    return Curve(*(column[indexes] for column in curve))
