"""Finds children of a scope that are repeated: those of equal structure whose names differ only in a number."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from lightboard.graphs.graph import Ints
from lightboard.graphs.scope_tree import ScopeTree

LEAST = 3
"""Members of the smallest stack."""

NUMBERED = re.compile(r"(.*?)([0-9]{1,9})([^0-9]*)", re.DOTALL)
"""The last number of a label."""


class Stack(NamedTuple):
    """Repeated children of a scope, in the order of their numbers."""

    label: str
    members: list[int]


class Numbered(NamedTuple):
    """A child whose label is `before`, a number, and `after`. `bare` is its whole label if the number is implied."""

    number: int
    item: int
    bare: str = ""


def find_stacks(tree: ScopeTree, children: Ints) -> list[Stack]:
    """The stacks among the children of a scope."""
    digests = tree.digests[children]
    _, group, counts = np.unique(digests, return_inverse=True, return_counts=True)
    repeated = np.flatnonzero(counts[group] >= LEAST)
    families: dict[tuple[int, bool, str, str], list[Numbered]] = {}
    plain: dict[tuple[int, bool, str], int] = {}
    for item, digest_at in zip(children[repeated].tolist(), group[repeated].tolist(), strict=True):
        label, key = tree.labels[item], (digest_at, item < tree.scopes)
        match = NUMBERED.fullmatch(label)
        if match is not None:
            families.setdefault((*key, match[1], match[3]), []).append(Numbered(int(match[2]), item))
        plain[(*key, label)] = item
    stacks = []
    for (digest, is_scope, before, after), family in families.items():
        first = plain.get((digest, is_scope, before[:-1])) if before.endswith("_") and not after else None
        if first is not None and all(each.number for each in family):
            family.append(Numbered(0, first, before[:-1]))  # TensorFlow numbers the second one first
        for run in evenly_numbered(sorted(family), strides=is_scope):
            stacks.append(Stack(stack_label(before, after, run), [each.item for each in run]))
    return without_overlap(stacks)


def evenly_numbered(family: list[Numbered], *, strides: bool) -> Iterable[list[Numbered]]:
    """The longest runs of consecutive numbers from the left, or with `strides`, of equal distances."""
    at = 0
    while at + LEAST <= len(family):
        stride = family[at + 1].number - family[at].number
        end = at + 1
        while end < len(family) and family[end].number - family[end - 1].number == stride:
            end += 1
        if end - at >= LEAST and stride and (strides or stride == 1):
            yield family[at:end]
            at = end
        else:
            at = max(at + 1, end - 1)


def without_overlap(stacks: list[Stack]) -> list[Stack]:
    """The stacks whose members are in no stack before."""
    taken: set[int] = set()
    kept = []
    for stack in sorted(stacks, key=lambda stack: -len(stack.members)):
        if taken.isdisjoint(stack.members):
            taken.update(stack.members)
            kept.append(stack)
    return kept


def stack_label(before: str, after: str, run: list[Numbered]) -> str:
    """For display, such as "layer_[0–11]"."""
    return f"{before}[{run[0].number}–{run[-1].number}]{after}"
