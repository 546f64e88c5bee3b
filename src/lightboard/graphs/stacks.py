"""Finds children of a scope that are repeated: those of equal structure whose names differ only in a number."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from lightboard.graphs.graph import Ints
from lightboard.graphs.scope_tree import ScopeTree

LEAST = 3
"""Members of the smallest stack."""

NUMBER = re.compile(r"[0-9]{1,9}([^0-9]*)\Z")
"""The last number of a label, and what is after it."""


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
    families = families_of(tree, children[repeated].tolist(), group[repeated].tolist())
    plain: dict[tuple[int, bool, str], int] | None = None
    stacks = []
    for (digest, is_scope, before, after), items in families.items():
        family = [Numbered(int(tree.labels[item][len(before) :].removesuffix(after)), item) for item in items]
        if before.endswith("_") and not after and all(each.number for each in family):
            if plain is None:
                plain = plain_labels(tree, children[repeated].tolist(), group[repeated].tolist())
            first = plain.get((digest, is_scope, before[:-1]))
            if first is not None:
                family.append(Numbered(0, first, before[:-1]))  # TensorFlow numbers the second one first
        for run in evenly_numbered(sorted(family), strides=is_scope):
            stacks.append(Stack(stack_label(before, after, run), [each.item for each in run]))
    return without_overlap(stacks)


Family = tuple[int, bool, str, str]
"""A group of equal structure, whether it is one of scopes, and what is before and after the numbers in labels."""


def families_of(tree: ScopeTree, items: list[int], groups: list[int]) -> dict[Family, list[int]]:
    """The items whose labels differ only in their last number, where they are enough for a stack with a bare one."""
    families = defaultdict[Family, list[int]](list)
    labels, scopes, search = tree.labels, tree.scopes, NUMBER.search
    for item, group in zip(items, groups, strict=True):
        label = labels[item]
        match = search(label)
        if match is not None:
            families[group, item < scopes, label[: match.start()], match[1]].append(item)
    return {family: members for family, members in families.items() if len(members) >= LEAST - 1}


def plain_labels(tree: ScopeTree, items: list[int], groups: list[int]) -> dict[tuple[int, bool, str], int]:
    """Items by their groups and whole labels."""
    return {(group, item < tree.scopes, tree.labels[item]): item for item, group in zip(items, groups, strict=True)}


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
    """For display, such as "layer_[0–11]", or "Layer[0–11]" of torch."""
    numbers = f"{run[0].number}–{run[-1].number}"
    return (
        f"{before}{numbers}{after}" if before.endswith("[") and after.startswith("]") else f"{before}[{numbers}]{after}"
    )
