"""Orders the tests of a run so that each worker begins with quick ones, then runs some of those that take minutes.

What is quick comes first since it tells soonest that something is broken.

With `--dist worksteal`, each worker gets a piece of the list of tests, and one that has finished its own takes the end
of the longest other one. A worker that has all the tests of minutes at the beginning of its piece would still run them
one after the other when there is nothing left to take.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def share_out(
    tests: Sequence[T], group_of: Callable[[T], Hashable | None], is_quick: Callable[[T], bool], workers: int
) -> list[T]:
    """The same tests. Those of a group stay together, dealt to the workers in turn; None is a test without a group.

    Quick ones of no group come before the groups, as many in each worker; all others after them.
    """
    groups: dict[Hashable, list[T]] = {}
    quick: list[T] = []
    others: list[T] = []
    for test in tests:
        group = group_of(test)
        if group is not None:
            groups.setdefault(group, []).append(test)
        else:
            (quick if is_quick(test) else others).append(test)
    beginnings = cut(quick, piece_sizes(len(quick), workers))
    for number, group in enumerate(groups.values()):
        beginnings[number % workers] += group
    ordered: list[T] = []
    for beginning, size in zip(beginnings, piece_sizes(len(tests), workers), strict=True):
        rest = max(0, size - len(beginning))
        ordered += beginning + others[:rest]
        del others[:rest]
    return ordered + others


def cut(tests: Sequence[T], sizes: Sequence[int]) -> list[list[T]]:
    """Pieces of these sizes, one after the other."""
    left = iter(tests)
    return [list(islice(left, size)) for size in sizes]


def piece_sizes(tests: int, workers: int) -> list[int]:
    """How many tests each worker gets at first."""
    sizes = []
    for left in range(workers, 0, -1):
        sizes.append((tests - sum(sizes)) // left)
    return sizes
