"""The table of operators: how often each ran, and for how long."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import CATEGORIES, Category, HostCapture
from lightboard.profiles.categories import is_operation
from lightboard.profiles.duration_histograms import BITS, BUCKETS, DurationHistograms, buckets_of
from lightboard.profiles.keyed_sums import KeyedSums
from lightboard.profiles.nesting import module_scopes, operator_self_times, operator_test
from lightboard.profiles.operator_rows import OperatorRows

AT_ONCE = 1 << 20
"""Slices that are added at once."""

FIGURES = 3
"""Those of a row, without its percentile."""

OPERATORS_PER_CHECK = 1000
"""Rows that are made between two checks for cancellation."""

SliceScopes: TypeAlias = tuple[NDArray[np.int32] | None, list[str]]
"""See `slice_scopes`."""


class Operator(NamedTuple):
    """A row: all slices of a name, category and scope. Self time is that in which no other operator ran inside.

    95 % of them run for `p95_ns` at most.
    """

    name: str
    category: Category
    scope: str
    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    total_ns: int
    self_ns: int
    p95_ns: int


class PartSums(NamedTuple):
    """The keys of the rows of some slices, and the place of each `slice` among them."""

    keys: list[int]
    place: NDArray[np.int64]
    slices: NDArray[np.int64]


class OperatorTable(NamedTuple):
    """The operators of a host, and a histogram for each."""

    rows: list[Operator]
    durations: DurationHistograms


class OperatorSums:
    """Adds up the slices of a host that are operators, by name, category and one of so many groups."""

    def __init__(self, capture: HostCapture, groups: int) -> None:
        self._capture = capture
        self._groups = groups
        self._selves = operator_self_times(capture) if capture.rows is None else capture.rows.self_ns
        self._are_operators = operator_test(capture)
        self._sums = KeyedSums(FIGURES, BITS)

    def add(self, part: slice, group: NDArray[np.int32] | None) -> PartSums:
        """Add a range of slices, each of which is in the first group, or in the one that is given."""
        slices, wanted = self._capture.slices, self._are_operators(part)
        rows = (slices.name[part].astype(np.int64) * len(CATEGORIES) + slices.category[part]) * self._groups
        durations = slices.duration_ns[part][wanted]
        keys = (rows if group is None else rows + group)[wanted] * BUCKETS + buckets_of(durations)
        unique, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
        figures, place = np.zeros((len(unique), FIGURES), np.int64), place.reshape(-1)
        figures[:, 0] = counts
        np.add.at(figures[:, 1], place, durations)
        np.add.at(figures[:, 2], place, self._selves[part][wanted])
        self._sums.add(unique, figures)
        found, at = np.unique(unique // BUCKETS, return_inverse=True)
        return PartSums(found.tolist(), at.reshape(-1)[place], np.flatnonzero(wanted) + part.start)

    def rows(self) -> Iterator[tuple[int, str, Category, int, list[int]]]:
        """The key, name, category and group of each row, with its count, total and self time."""
        keys, figures = self._sums.sums()
        rows = keys // BUCKETS
        first = np.flatnonzero(np.diff(rows, prepend=-1))
        sums = np.add.reduceat(figures, first) if len(first) else figures
        for at, (key, row) in enumerate(zip(rows[first].tolist(), sums.tolist(), strict=True)):
            if at % OPERATORS_PER_CHECK == 0:
                cancellation.check()
            rest, group = divmod(key, self._groups)
            name, category = divmod(rest, len(CATEGORIES))
            yield key, self._capture.names[name], CATEGORIES[category], group, row

    def durations(self) -> DurationHistograms:
        """The histogram of each row."""
        keys, figures = self._sums.sums()
        rows, buckets = np.divmod(keys, BUCKETS)
        places = np.cumsum(np.diff(rows, prepend=rows[:1]) > 0)
        return DurationHistograms(
            *(places.astype(np.int32), buckets.astype(np.int16), figures[:, 0].copy(), figures[:, 1].copy())
        )


def operators_of(captures: list[HostCapture]) -> list[Operator]:
    """The operators of hosts or ranks together, those with most self time first.

    Steps and functions of Python are none.
    """
    sums = OperatorRows[tuple[str, Category, str]]()
    for capture in captures:
        table = host_operators(capture)
        sums.add(((row[:3], row[3:6]) for row in table.rows), table.durations)
    rows = [Operator(*key, *figures) for key, figures in sums]
    return sorted(rows, key=lambda each: (-each.self_ns, -each.total_ns, each.name, each.scope, each.category))


def host_operators(
    capture: HostCapture, known: SliceScopes | None = None, used: Callable[[], None] = lambda: None
) -> OperatorTable:
    """The operators of one host, with scopes that are known or else computed. `used` is called after each part."""
    if capture.operators is not None:
        return OperatorTable([Operator(*each) for each in capture.operators], capture.durations)
    scopes, scope_names = known or slice_scopes(capture)
    sums, rows = OperatorSums(capture, len(scope_names)), OperatorRows[tuple[str, Category, str]]()
    for begin in range(0, len(capture.slices), AT_ONCE):
        part = slice(begin, min(begin + AT_ONCE, len(capture.slices)))
        sums.add(part, None if scopes is None else scopes[part])
        used()
    rows.add(
        (
            ((kind, category, scope_names[scope] or own), figures)
            for _, name, category, scope, figures in sums.rows()
            for kind, own in [split_name(name)]
        ),
        sums.durations(),
    )
    return OperatorTable([Operator(*key, *figures) for key, figures in rows], rows.durations())


def slice_scopes(capture: HostCapture) -> SliceScopes:
    """For each slice the index of its scope in the list that is returned: what the writer names, or else modules.

    None if there are neither.
    """
    if len(capture.scope):
        return capture.scope, capture.scope_names
    return module_scopes(capture)


def split_name(name: str) -> tuple[str, str]:
    """The operation and the scope of a name of TensorFlow, `scope/name:Type`; any other name has no scope."""
    if not is_operation(name):
        return name, ""
    path, _, kind = name.rpartition(":")
    return kind, path.rpartition("/")[0]
