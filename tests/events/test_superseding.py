"""What a restart makes void; the measure is EventAccumulator, with which 1,500 random runs were compared."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from columns import points, references, steps

from lightboard.testing.event_files import (
    graph_record,
    image_value,
    scalar_record,
    scalar_value,
    start_record,
    summary_record,
    version_record,
)

Decoded = Callable[..., Any]
V2 = version_record()
V1 = version_record("brain.Event:1")


def at(*steps_: int, tag: str = "a") -> list[bytes]:
    """A record of one scalar at each step."""
    return [scalar_record(tag, step, float(step)) for step in steps_]


def parts_of(decoded: Decoded, files: Sequence[Sequence[bytes]], tag: str = "a") -> list[Any]:
    """The parts of a tag in several files, -1 where a file lacks it."""
    parts = []
    for records in files:
        decoder = decoded(*records)
        tags = [decoder.describe(i).tag for i in range(decoder.series_count())]
        parts.append((decoder, tags.index(tag) if tag in tags else -1))
    return parts


CASES = {
    "nothing to hide": ([[V2, *at(0, 1, 2)]], [0, 1, 2]),
    "a start hides its step and later ones": ([[V2, *at(0, 1, 2, 3), start_record(step=2), *at(2, 3)]], [0, 1, 2, 3]),
    "the first start of a run counts, too": ([[V2, *at(5, 6), start_record(step=6)]], [5]),
    "a start before any point hides nothing": ([[V2, start_record(step=0), *at(0, 1)]], [0, 1]),
    "a start hides only what came before it": ([[V2, start_record(step=3), *at(3, 4, 5)]], [3, 4, 5]),
    "a start at 0 hides all": ([[V2, *at(0, 1, 2), start_record()]], []),
    "a stop is no start": ([[V2, *at(0, 1, 2), start_record(step=1, status=2)]], [0, 1, 2]),
    "several starts": (
        [[V2, *at(0, 1, 2), start_record(step=2), *at(2, 3, 4), start_record(step=3), *at(3)]],
        [0, 1, 2, 3],
    ),
    "a later start may reach further back": (
        [[V2, *at(0, 1, 2), start_record(step=2), *at(2, 3), start_record(step=1), *at(1)]],
        [0, 1],
    ),
    "steps that go back without a start stay": ([[V2, *at(0, 5, 3, 4)]], [0, 5, 3, 4]),
    "a start in a later file": ([[V2, *at(0, 1, 2, 3)], [V2, start_record(step=2), *at(2, 3)]], [0, 1, 2, 3]),
    "a start in a later file that lacks the tag": (
        [[V2, *at(0, 1, 2, 3)], [V2, start_record(step=2), *at(2, tag="b")]],
        [0, 1],
    ),
    "a start does not reach into later files": ([[V2, start_record(step=0), *at(0)], [V2, *at(5)]], [0, 5]),
    "overlapping files without a start stay": ([[V2, *at(0, 1, 2)], [V2, *at(1, 2, 3)]], [0, 1, 2, 1, 2, 3]),
    "before version 2 a step back hides": ([[V1, *at(0, 1, 2, 3), *at(1, 2)]], [0, 1, 2]),
    "without a version a step back hides": ([[*at(0, 1, 2, 3), *at(1, 2)]], [0, 1, 2]),
    "a version not understood is an old one": ([[version_record("new"), *at(0, 1, 2), *at(1)]], [0, 1]),
    "before version 2 a start does not count": ([[V1, *at(0, 1, 2), start_record(step=1), *at(3)]], [0, 1, 2, 3]),
    "a repeated step below the highest replaces": ([[*at(0, 5, 3, 3)]], [0, 3]),
    "a repeated highest step does not replace": ([[*at(0, 5, 5)]], [0, 5, 5]),
    "another event sets the step reached": ([[*at(5, 6), graph_record(b"", step=1), *at(2)]], [5, 6, 2]),
    "another tag's step is reached as well": ([[*at(0, 1), *at(9, tag="b"), *at(2, 3)]], [0, 1, 2, 3]),
    "and hides where the tag itself goes back": ([[*at(0, 5), *at(9, tag="b"), *at(2, 3)]], [0, 2, 3]),
    "the step reached lasts from file to file": ([[*at(0, 1, 2, 3)], [*at(1, 2)]], [0, 1, 2]),
    "a version record starts from its own step": ([[V1, *at(0, 1, 2, 3)], [V1, *at(1, 2)]], [0, 1, 2, 3, 1, 2]),
    "a file without a version goes by the one before": (
        [[V2, *at(0, 1, 2)], [*at(1), start_record(step=1), *at(1)]],
        [0, 1],
    ),
    "negative first steps": ([[*at(-5, -4, -5)]], [-5]),
}


@pytest.mark.parametrize(("files", "left"), CASES.values(), ids=CASES.keys())
def test_what_is_left(impl: SimpleNamespace, decoded: Decoded, files: list[list[bytes]], left: list[int]) -> None:
    """The steps that are shown when void points are hidden."""
    assert steps(impl, parts_of(decoded, files)) == left


@pytest.mark.parametrize("files", [files for files, _ in CASES.values()], ids=CASES.keys())
def test_nothing_is_lost(impl: SimpleNamespace, decoded: Decoded, files: list[list[bytes]]) -> None:
    """All points can be shown, the void ones marked: those not marked are what is left."""
    parts = parts_of(decoded, files)
    everything = points(impl, parts)
    assert len(everything) == sum(decoder.lengths([i])[0] for decoder, i in parts if i >= 0)
    assert [step for step, _, _, superseded in everything if not superseded] == steps(impl, parts)


def test_values_of_one_event_do_not_hide_each_other(impl: SimpleNamespace, decoded: Decoded) -> None:
    """An event below the step reached hides what came before it, once."""
    late = summary_record([scalar_value("a", 1.0), scalar_value("a", 2.0)], step=3)
    parts = parts_of(decoded, [[*at(0, 3, 5), late]])
    assert points(impl, parts, True) == [(0, 0.0, 0.0, 0), (3, 0.0, 1.0, 0), (3, 0.0, 2.0, 0)]
    parts = parts_of(decoded, [[*at(0, 3, 5)], [late]])
    assert points(impl, parts, True) == [(0, 0.0, 0.0, 0), (3, 0.0, 1.0, 0), (3, 0.0, 2.0, 0)]


def test_references_are_hidden_like_points(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Images of a dead branch disappear with its scalars; parts are told apart by number."""
    images = [summary_record([image_value("a", b"png")], step=step) for step in (0, 1, 2)]
    parts = parts_of(decoded, [[V2, *images], [V2, *at(9, tag="b")], [V2, start_record(step=1), images[1]]])
    assert [(found.part, found.step) for found in references(impl, parts, True)] == [(0, 0), (2, 1)]
    assert [(found.part, found.step) for found in references(impl, parts)] == [(0, 0), (0, 1), (0, 2), (2, 1)]


def test_a_series_of_no_parts_is_empty(impl: SimpleNamespace, decoded: Decoded) -> None:
    """No part, or only parts without the series."""
    assert points(impl, []) == []
    assert points(impl, [(decoded(V2), -1)]) == []
