"""The table of operators: how often each ran, and for how long."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import CATEGORIES, Category, HostCapture
from lightboard.profiles.categories import is_operation
from lightboard.profiles.nesting import module_scopes, operator_self_times, operator_test

AT_ONCE = 1 << 20
"""Slices that are added at once."""


OPERATORS_PER_CHECK = 1000
"""Rows that are made between two checks for cancellation."""

SliceScopes: TypeAlias = tuple[NDArray[np.int32] | None, list[str]]
"""See `slice_scopes`."""


class Operator(NamedTuple):
    """A row: all slices of a name, category and scope. Self time is that in which no other operator ran inside."""

    name: str
    category: Category
    scope: str
    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    total_ns: int
    self_ns: int


class PartSums(NamedTuple):
    """The keys of the rows of some slices, and the place of each `slice` among them."""

    keys: list[int]
    place: NDArray[np.int64]
    slices: NDArray[np.int64]


class OperatorSums:
    """Adds up the slices of a host that are operators, by name, category and one of so many groups."""

    def __init__(self, capture: HostCapture, groups: int) -> None:
        self._capture = capture
        self._groups = groups
        self._selves = operator_self_times(capture) if capture.rows is None else capture.rows.self_ns
        self._are_operators = operator_test(capture)
        self._sums: dict[int, NDArray[np.int64]] = {}

    def add(self, part: slice, group: NDArray[np.int32] | None) -> PartSums:
        """Add a range of slices, each of which is in the first group, or in the one that is given."""
        slices, wanted = self._capture.slices, self._are_operators(part)
        keys = (slices.name[part].astype(np.int64) * len(CATEGORIES) + slices.category[part]) * self._groups
        keys = (keys if group is None else keys + group)[wanted]
        unique, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
        figures, place = np.zeros((len(unique), 3), np.int64), place.reshape(-1)
        figures[:, 0] = counts
        np.add.at(figures[:, 1], place, slices.duration_ns[part][wanted])
        np.add.at(figures[:, 2], place, self._selves[part][wanted])
        found = unique.tolist()
        for key, row in zip(found, figures, strict=True):
            before = self._sums.get(key)
            self._sums[key] = row if before is None else before + row
        return PartSums(found, place, np.flatnonzero(wanted) + part.start)

    def rows(self) -> Iterator[tuple[int, str, Category, int, tuple[int, int, int]]]:
        """The key, name, category and group of each row, with its count, total and self time."""
        for at, key in enumerate(sorted(self._sums)):
            if at % OPERATORS_PER_CHECK == 0:
                cancellation.check()
            rest, group = divmod(key, self._groups)
            name, category = divmod(rest, len(CATEGORIES))
            count, total, own = self._sums[key].tolist()
            yield key, self._capture.names[name], CATEGORIES[category], group, (count, total, own)


def operators_of(captures: list[HostCapture]) -> list[Operator]:
    """The operators of hosts or ranks together, those with most self time first.

    Steps and functions of Python are none.
    """
    sums: dict[tuple[str, Category, str], list[int]] = {}
    for capture in captures:
        for row in host_operators(capture):
            total = sums.setdefault((row.name, row.category, row.scope), [0, 0, 0])
            total[0] += row.count
            total[1] += row.total_ns
            total[2] += row.self_ns
    rows = [Operator(*key, *total) for key, total in sums.items()]
    return sorted(rows, key=lambda each: (-each.self_ns, -each.total_ns, each.name, each.scope, each.category))


def host_operators(
    capture: HostCapture, known: SliceScopes | None = None, used: Callable[[], None] = lambda: None
) -> list[Operator]:
    """The operators of one host, with scopes that are known or else computed. `used` is called after each part."""
    if capture.operators is not None:
        return [Operator(*each) for each in capture.operators]
    scopes, scope_names = known or slice_scopes(capture)
    sums = OperatorSums(capture, len(scope_names))
    for begin in range(0, len(capture.slices), AT_ONCE):
        part = slice(begin, min(begin + AT_ONCE, len(capture.slices)))
        sums.add(part, None if scopes is None else scopes[part])
        used()
    result = []
    for _, name, category, scope, figures in sums.rows():
        kind, own = split_name(name)
        result.append(Operator(kind, category, scope_names[scope] or own, *figures))
    return result


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
