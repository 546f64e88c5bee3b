"""The table of operators: how often each ran, and for how long."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import CATEGORIES, Category, HostCapture
from lightboard.profiles.categories import is_operation
from lightboard.profiles.nesting import PYTHON, module_scopes, self_times

ANNOTATION = CATEGORIES.index("annotation")


class Operator(NamedTuple):
    """A row: all slices of a name, category and scope. Self time is that in which no other operator ran inside."""

    name: str
    category: Category
    scope: str
    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    total_ns: int
    self_ns: int


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


def host_operators(capture: HostCapture) -> list[Operator]:
    """The operators of one host."""
    slices, rows = capture.slices, operator_rows(capture)
    if not len(rows):
        return []
    scopes, scope_names = slice_scopes(capture)
    unique, group = unique_keys(slices.name[rows], slices.category[rows], scopes[rows])
    counts = np.bincount(group)
    totals, selves = np.zeros(len(unique), np.int64), np.zeros(len(unique), np.int64)
    np.add.at(totals, group, slices.duration_ns[rows])
    np.add.at(selves, group, self_times(slices, rows))
    result = []
    for (name, category, scope), *figures in zip(
        unique.tolist(), counts.tolist(), totals.tolist(), selves.tolist(), strict=True
    ):
        text = capture.names[name]
        kind, own = split_name(text)
        result.append(Operator(kind, CATEGORIES[category], scope_names[scope] or own, *figures))
    return result


def operator_rows(capture: HostCapture) -> NDArray[np.int64]:
    """The slices that are operators: neither functions of Python nor steps, also where devices repeat these."""
    slices = capture.slices
    is_step = np.zeros(len(capture.names), bool)
    is_step[[int(slices.name[marker.slice]) for marker in capture.steps]] = True
    wanted = (slices.category != PYTHON) & ~((slices.category == ANNOTATION) & is_step[slices.name])
    wanted[[marker.slice for marker in capture.steps]] = False
    return np.flatnonzero(wanted).astype(np.int64)


def slice_scopes(capture: HostCapture) -> tuple[NDArray[np.int32], list[str]]:
    """For each slice the index of its scope in the list that is returned: what the writer names, or else modules."""
    if len(capture.scope):
        return capture.scope, capture.scope_names
    return module_scopes(capture)


def unique_keys(
    names: NDArray[np.int32], categories: NDArray[np.int8], scopes: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different rows of these columns, and which of them each row is. One number for each is faster to sort."""
    names_, scopes_ = names.astype(np.int64), scopes.astype(np.int64)
    keys = (names_ * len(CATEGORIES) + categories) * (int(scopes_.max()) + 1) + scopes_
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return np.stack([names_[first], categories[first].astype(np.int64), scopes_[first]], axis=1), group.reshape(-1)


def split_name(name: str) -> tuple[str, str]:
    """The operation and the scope of a name of TensorFlow, `scope/name:Type`; any other name has no scope."""
    if not is_operation(name):
        return name, ""
    path, _, kind = name.rpartition(":")
    return kind, path.rpartition("/")[0]
