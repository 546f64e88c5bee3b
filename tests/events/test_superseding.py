"""Points that a restart supersedes. The reference is EventAccumulator, compared over 1,500 random runs."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard.testing.event_files import (
    graph_record,
    image_value,
    scalar_record,
    scalar_value,
    start_record,
    summary_record,
    version_record,
)
from support.series_columns import points, references, steps

Decode = Callable[..., Any]
V2 = version_record()
V1 = version_record("brain.Event:1")


def scalars_at(*steps_: int, tag: str = "a") -> list[bytes]:
    """A record with one scalar for each step."""
    return [scalar_record(tag, step, float(step)) for step in steps_]


def parts_of(decode: Decode, files: Sequence[Sequence[bytes]], tag: str = "a") -> list[Any]:
    """The parts of a tag in several files; -1 if a file lacks it."""
    parts = []
    for records in files:
        decoder = decode(*records)
        tags = [decoder.describe(i).tag for i in range(decoder.series_count())]
        parts.append((decoder, tags.index(tag) if tag in tags else -1))
    return parts


CASES = {
    "nothing to hide": ([[V2, *scalars_at(0, 1, 2)]], [0, 1, 2]),
    "a start hides its step and later ones": (
        [[V2, *scalars_at(0, 1, 2, 3), start_record(step=2), *scalars_at(2, 3)]],
        [0, 1, 2, 3],
    ),
    "the first start of a run counts, too": ([[V2, *scalars_at(5, 6), start_record(step=6)]], [5]),
    "a start before any point hides nothing": ([[V2, start_record(step=0), *scalars_at(0, 1)]], [0, 1]),
    "a start hides only what came before it": ([[V2, start_record(step=3), *scalars_at(3, 4, 5)]], [3, 4, 5]),
    "a start at 0 hides all": ([[V2, *scalars_at(0, 1, 2), start_record()]], []),
    "a stop is no start": ([[V2, *scalars_at(0, 1, 2), start_record(step=1, status=2)]], [0, 1, 2]),
    "several starts": (
        [[V2, *scalars_at(0, 1, 2), start_record(step=2), *scalars_at(2, 3, 4), start_record(step=3), *scalars_at(3)]],
        [0, 1, 2, 3],
    ),
    "a later start may reach further back": (
        [[V2, *scalars_at(0, 1, 2), start_record(step=2), *scalars_at(2, 3), start_record(step=1), *scalars_at(1)]],
        [0, 1],
    ),
    "steps that go back without a start stay": ([[V2, *scalars_at(0, 5, 3, 4)]], [0, 5, 3, 4]),
    "a start in a later file": (
        [[V2, *scalars_at(0, 1, 2, 3)], [V2, start_record(step=2), *scalars_at(2, 3)]],
        [0, 1, 2, 3],
    ),
    "a start in a later file that lacks the tag": (
        [[V2, *scalars_at(0, 1, 2, 3)], [V2, start_record(step=2), *scalars_at(2, tag="b")]],
        [0, 1],
    ),
    "a start does not reach into later files": (
        [[V2, start_record(step=0), *scalars_at(0)], [V2, *scalars_at(5)]],
        [0, 5],
    ),
    "overlapping files without a start stay": (
        [[V2, *scalars_at(0, 1, 2)], [V2, *scalars_at(1, 2, 3)]],
        [0, 1, 2, 1, 2, 3],
    ),
    "before version 2 a step back hides": ([[V1, *scalars_at(0, 1, 2, 3), *scalars_at(1, 2)]], [0, 1, 2]),
    "without a version a step back hides": ([[*scalars_at(0, 1, 2, 3), *scalars_at(1, 2)]], [0, 1, 2]),
    "a version not understood is an old one": ([[version_record("new"), *scalars_at(0, 1, 2), *scalars_at(1)]], [0, 1]),
    "before version 2 a start does not count": (
        [[V1, *scalars_at(0, 1, 2), start_record(step=1), *scalars_at(3)]],
        [0, 1, 2, 3],
    ),
    "a repeated step below the highest replaces": ([[*scalars_at(0, 5, 3, 3)]], [0, 3]),
    "a repeated highest step does not replace": ([[*scalars_at(0, 5, 5)]], [0, 5, 5]),
    "another event sets the step reached": (
        [[*scalars_at(5, 6), graph_record(b"", step=1), *scalars_at(2)]],
        [5, 6, 2],
    ),
    "another tag's step is reached as well": (
        [[*scalars_at(0, 1), *scalars_at(9, tag="b"), *scalars_at(2, 3)]],
        [0, 1, 2, 3],
    ),
    "and hides where the tag itself goes back": (
        [[*scalars_at(0, 5), *scalars_at(9, tag="b"), *scalars_at(2, 3)]],
        [0, 2, 3],
    ),
    "the step reached lasts from file to file": ([[*scalars_at(0, 1, 2, 3)], [*scalars_at(1, 2)]], [0, 1, 2]),
    "a version record starts from its own step": (
        [[V1, *scalars_at(0, 1, 2, 3)], [V1, *scalars_at(1, 2)]],
        [0, 1, 2, 3, 1, 2],
    ),
    "a file without a version goes by the one before": (
        [[V2, *scalars_at(0, 1, 2)], [*scalars_at(1), start_record(step=1), *scalars_at(1)]],
        [0, 1],
    ),
    "negative first steps": ([[*scalars_at(-5, -4, -5)]], [-5]),
}


@pytest.mark.parametrize(("files", "left"), CASES.values(), ids=CASES.keys())
def test_superseded_points_are_hidden(
    impl: SimpleNamespace, decode: Decode, files: list[list[bytes]], left: list[int]
) -> None:
    """The steps that are left."""
    assert steps(impl, parts_of(decode, files)) == left


@pytest.mark.parametrize("files", [files for files, _ in CASES.values()], ids=CASES.keys())
def test_superseded_points_are_marked(impl: SimpleNamespace, decode: Decode, files: list[list[bytes]]) -> None:
    """All points can be shown; those without a mark are the ones that are left."""
    parts = parts_of(decode, files)
    everything = points(impl, parts)
    assert len(everything) == sum(decoder.lengths([i])[0] for decoder, i in parts if i >= 0)
    assert [step for step, _, _, superseded in everything if not superseded] == steps(impl, parts)


def test_values_of_one_event_do_not_supersede_each_other(impl: SimpleNamespace, decode: Decode) -> None:
    """Within a file and between files."""
    late = summary_record([scalar_value("a", 1.0), scalar_value("a", 2.0)], step=3)
    parts = parts_of(decode, [[*scalars_at(0, 3, 5), late]])
    assert points(impl, parts, True) == [(0, 0.0, 0.0, 0), (3, 0.0, 1.0, 0), (3, 0.0, 2.0, 0)]
    parts = parts_of(decode, [[*scalars_at(0, 3, 5)], [late]])
    assert points(impl, parts, True) == [(0, 0.0, 0.0, 0), (3, 0.0, 1.0, 0), (3, 0.0, 2.0, 0)]


def test_superseded_references_are_hidden(impl: SimpleNamespace, decode: Decode) -> None:
    """Images disappear together with scalars."""
    images = [summary_record([image_value("a", b"png")], step=step) for step in (0, 1, 2)]
    parts = parts_of(decode, [[V2, *images], [V2, *scalars_at(9, tag="b")], [V2, start_record(step=1), images[1]]])
    assert [(found.part, found.step) for found in references(impl, parts, True)] == [(0, 0), (2, 1)]
    assert [(found.part, found.step) for found in references(impl, parts)] == [(0, 0), (0, 1), (0, 2), (2, 1)]


def test_series_without_parts_are_empty(impl: SimpleNamespace, decode: Decode) -> None:
    """No part, or only files without the tag."""
    assert points(impl, []) == []
    assert points(impl, [(decode(V2), -1)]) == []
