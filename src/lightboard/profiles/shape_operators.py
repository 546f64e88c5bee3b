"""The table of operators by the shapes of their inputs: how often each ran with them, and for how long."""

from collections.abc import Generator, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.call_tree import LongestSlice
from lightboard.profiles.capture import Category, HostCapture
from lightboard.profiles.input_shapes import MAX_SHAPES, ShapeReader, Shapes
from lightboard.profiles.nesting import PYTHON
from lightboard.profiles.operators import OperatorSums, PartSums, split_name

AT_ONCE = 1 << 13
"""Slices whose shapes are read at once."""

GROUPS = MAX_SHAPES + 2
"""The most lists of shapes of a file: those that are known, none, and others."""


class ShapeOperator(NamedTuple):
    """A row: all slices of a name and category with inputs of these shapes, None if they have not recorded any."""

    name: str
    category: Category
    shapes: Shapes | None
    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    total_ns: int
    self_ns: int
    longest: LongestSlice


def shape_operators(hosts: list[tuple[HostCapture, ShapeReader]]) -> Generator[None, None, list[ShapeOperator]]:
    """The operators of hosts or ranks together, those with most self time first. Raises OSError.

    Yields to other work while files are read.
    """
    sums: dict[tuple[str, Category, Shapes | None], ShapeOperator] = {}
    for number, (capture, reader) in enumerate(hosts):
        for row in (yield from host_shape_operators(capture, reader, number)):
            before = sums.get(row[:3])
            sums[row[:3]] = row if before is None else together(before, row)
    return sorted(
        sums.values(), key=lambda row: (-row.self_ns, -row.total_ns, row.name, row.shapes or (), row.category)
    )


def shapes_text(shapes: Iterable[str] | None) -> str:
    """Shapes for people: `float[8,16], -, Scalar`, "" if there are none."""
    return ", ".join(shape or "-" for shape in shapes or ())


def together(row: ShapeOperator, other: ShapeOperator) -> ShapeOperator:
    """Two rows as one."""
    longest = max(row.longest, other.longest, key=lambda each: each.duration_ns)
    count, total_ns, self_ns = row.count + other.count, row.total_ns + other.total_ns, row.self_ns + other.self_ns
    return row._replace(count=count, total_ns=total_ns, self_ns=self_ns, longest=longest)


def host_shape_operators(
    capture: HostCapture, reader: ShapeReader, number: int
) -> Generator[None, None, list[ShapeOperator]]:
    """The operators of the host with this index."""
    slices, sums, longest = capture.slices, OperatorSums(capture, GROUPS), dict[int, LongestSlice]()
    for large in capture.parts(len(slices)):
        for begin in range(large.start, large.stop, AT_ONCE):
            yield None
            part = slice(begin, min(begin + AT_ONCE, large.stop))
            group = np.zeros(part.stop - begin, np.int32)
            wanted = np.flatnonzero((slices.category[part] != PYTHON) & (slices.args[part] >= 0))
            group[wanted] = reader.read(slices.args[part][wanted])
            note_longest(longest, sums.add(part, group), slices.duration_ns, number)
    rows = []
    for key, name, category, shapes, figures in sums.rows():
        kind, _ = split_name(name)
        rows.append(ShapeOperator(kind, category, reader.known[shapes], *figures, longest[key]))
    return rows


def note_longest(
    longest: dict[int, LongestSlice], part: PartSums, durations_ns: NDArray[np.int64], number: int
) -> None:
    """Keep the first of the longest slices of each row, of the host with this index."""
    durations = durations_ns[part.slices]
    order = np.lexsort((-durations, part.place))
    first = order[np.searchsorted(part.place[order], np.arange(len(part.keys)))]
    for key, at in zip(part.keys, first.tolist(), strict=True):
        found = LongestSlice(number, int(part.slices[at]), int(durations[at]))
        before = longest.get(key)
        if before is None or found.duration_ns > before.duration_ns:
            longest[key] = found
