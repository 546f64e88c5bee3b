"""The table of operators by the shapes of their inputs: how often each ran with them, and for how long."""

from collections.abc import Generator, Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.call_tree import LongestSlice
from lightboard.profiles.capture import Category, HostCapture
from lightboard.profiles.input_shapes import MAX_SHAPES, ShapeReader, Shapes
from lightboard.profiles.nesting import PYTHON
from lightboard.profiles.operator_rows import OperatorRows
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
    p95_ns: int
    longest: LongestSlice


ShapeKey: TypeAlias = tuple[str, Category, Shapes | None]


def shape_operators(hosts: list[tuple[HostCapture, ShapeReader]]) -> Generator[None, None, list[ShapeOperator]]:
    """The operators of hosts or ranks together, those with most self time first. Raises OSError.

    Yields to other work while files are read.
    """
    rows, longest = OperatorRows[ShapeKey](), dict[ShapeKey, LongestSlice]()
    for number, (capture, reader) in enumerate(hosts):
        yield from add_host(rows, longest, capture, reader, number)
    table = [ShapeOperator(*key, *figures, longest[key]) for key, figures in rows]
    return sorted(table, key=lambda row: (-row.self_ns, -row.total_ns, row.name, row.shapes or (), row.category))


def shapes_text(shapes: Iterable[str] | None) -> str:
    """Shapes for people: `float[8,16], -, Scalar`, "" if there are none."""
    return ", ".join(shape or "-" for shape in shapes or ())


def add_host(
    rows: OperatorRows[ShapeKey],
    longest: dict[ShapeKey, LongestSlice],
    capture: HostCapture,
    reader: ShapeReader,
    number: int,
) -> Generator[None]:
    """Add the operators of the host with this index, and their longest slices."""
    slices, sums, by_row = capture.slices, OperatorSums(capture, GROUPS), dict[int, LongestSlice]()
    for large in capture.parts(len(slices)):
        for begin in range(large.start, large.stop, AT_ONCE):
            yield None
            part = slice(begin, min(begin + AT_ONCE, large.stop))
            group = np.zeros(part.stop - begin, np.int32)
            wanted = np.flatnonzero((slices.category[part] != PYTHON) & (slices.args[part] >= 0))
            group[wanted] = reader.read(slices.args[part][wanted])
            note_longest(by_row, sums.add(part, group), slices.duration_ns, number)
    found = list[tuple[ShapeKey, list[int]]]()
    for row, name, category, shapes, figures in sums.rows():
        key = (split_name(name)[0], category, reader.known[shapes])
        found.append((key, figures))
        longest[key] = longer(longest.get(key), by_row[row])
    rows.add(found, sums.durations())


def longer(one: LongestSlice | None, other: LongestSlice) -> LongestSlice:
    """The longer slice, the first of those that are as long."""
    return other if one is None or other.duration_ns > one.duration_ns else one


def note_longest(
    longest: dict[int, LongestSlice], part: PartSums, durations_ns: NDArray[np.int64], number: int
) -> None:
    """Keep the first of the longest slices of each row, of the host with this index."""
    durations = durations_ns[part.slices]
    order = np.lexsort((-durations, part.place))
    first = order[np.searchsorted(part.place[order], np.arange(len(part.keys)))]
    for key, at in zip(part.keys, first.tolist(), strict=True):
        found = LongestSlice(number, int(part.slices[at]), int(durations[at]))
        longest[key] = longer(longest.get(key), found)
