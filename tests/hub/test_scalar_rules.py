"""What is kept of the scalars of jobs, and which ones a list shows."""

import itertools
import math
from collections import Counter

import pytest

from lightboard.hub.resources.job_scalars import (
    MAX_NAME_CHARS,
    MAX_SAMPLES,
    MAX_SCALARS,
    Place,
    Point,
    ScalarSeries,
    ScalarTable,
    current,
    default_columns,
    name_of,
    offered_names,
    pack,
    place_of,
    thin,
    unpack,
)

RUN = "attempt-1/rank-0"


def points(count: int) -> list[Point]:
    """Points at the steps 0, 1, 2, ..."""
    return [Point(step, 100.0 + step, step / 2) for step in range(count)]


def series_of(found: list[Point], *cuts: int) -> ScalarSeries:
    """A scalar that has got its points in several parts."""
    series = ScalarSeries(RUN, "loss", 0)
    for begin, end in itertools.pairwise([0, *cuts, len(found)]):
        part = found[begin:end]
        series.extend(*([point[column] for point in part] for column in range(3)))
    return series


@pytest.mark.parametrize(
    ("run", "place"),
    [
        (".", Place(0, 0, "")),
        ("mine", Place(0, 0, "mine")),
        ("attempt-3/rank-12", Place(3, 12, "")),
        ("attempt-3/rank-12/val/fold", Place(3, 12, "val/fold")),
        ("attempt-x/rank-1", Place(0, 0, "attempt-x/rank-1")),
    ],
)
def test_a_run_says_attempt_and_replica(run: str, place: Place) -> None:
    """As the hub has named the folders; all else is part of the name."""
    assert place_of(run) == place


def test_names_leave_out_attempt_and_replica() -> None:
    """So that they are the same in all jobs."""
    assert (name_of(RUN, "loss"), name_of(f"{RUN}/val", "loss"), name_of(".", "loss")) == ("loss", "val/loss", "loss")


def test_few_points_are_all_kept() -> None:
    """In their order."""
    found = points(MAX_SAMPLES - 1)

    assert series_of(found).points() == found


@pytest.mark.parametrize("count", [64, 65, 127, 128, 1_000, 4_097])
def test_of_many_points_evenly_spaced_ones_and_the_last_are_kept(count: int) -> None:
    """At most MAX_SAMPLES, and not less than half of that."""
    kept = series_of(points(count)).points()
    steps = [point.step for point in kept[:-1]]

    assert MAX_SAMPLES / 2 <= len(kept) <= MAX_SAMPLES
    assert (kept[0].step, kept[-1].step) == (0, count - 1)
    assert len({after - before for before, after in itertools.pairwise(steps)}) == 1


@pytest.mark.parametrize("cuts", [(1,), (63, 64), (500, 501, 990), tuple(range(1, 1_000))])
def test_what_is_kept_does_not_depend_on_the_parts(cuts: tuple[int, ...]) -> None:
    """That come at once."""
    assert series_of(points(1_000), *cuts) == series_of(points(1_000))


def test_values_that_are_not_finite_are_kept() -> None:
    """Also when they are stored."""
    found = [Point(0, math.nan, math.nan), Point(1, 1.0, math.inf), Point(2, 1.0, -math.inf)]

    assert repr(unpack(pack(series_of(found).points()))) == repr(found)


def test_a_restart_drops_points_from_its_step_on() -> None:
    """What follows is kept as before."""
    series = series_of(points(10))

    assert series.drop_from(4)
    series.extend([4, 5], [200.0, 201.0], [7.0, 8.0])

    assert series.points() == [*points(4), Point(4, 200.0, 7.0), Point(5, 201.0, 8.0)]
    assert not series.drop_from(6)


def test_a_restart_may_drop_everything() -> None:
    """Then there is no last point."""
    series = series_of(points(1_000))
    series.drop_from(0)

    assert series == ScalarSeries(RUN, "loss", 0)


def test_packed_points_are_thinned_evenly() -> None:
    """From the first on."""
    assert [point.step for point in unpack(thin(pack(points(63)), 31))] == list(range(0, 63, 3))
    assert unpack(thin(pack(points(5)), 5)) == points(5)
    assert thin(b"", 5) == b""


def test_of_too_many_scalars_the_first_are_kept() -> None:
    """The table says that there were more."""
    table = ScalarTable()
    kept = [table.get(RUN, f"tag {number}")[0] is not None for number in range(MAX_SCALARS + 2)]

    assert kept == [True] * MAX_SCALARS + [False] * 2
    assert table.limited


def test_a_later_attempt_replaces_an_earlier_one() -> None:
    """And the first replica another, from the scalar on that appeared last."""
    table = ScalarTable()
    for number in range(MAX_SCALARS):
        table.get("attempt-1/rank-1", f"tag {number}")
    first, dropped = table.get("attempt-1/rank-0", "loss")
    later, dropped_then = table.get("attempt-2/rank-5", "loss")
    refused, _ = table.get("attempt-1/rank-2", "loss")

    assert first is not None
    assert later is not None
    assert refused is None
    assert [each and each.tag for each in (dropped, dropped_then)] == ["tag 199", "tag 198"]


def test_long_names_are_left_out() -> None:
    """The table says so."""
    table = ScalarTable()

    assert table.get(RUN, "x" * (MAX_NAME_CHARS + 1)) == (None, None)
    assert table.limited


def test_a_list_has_the_first_replica_of_the_last_attempt() -> None:
    """Of each name."""
    runs = ["attempt-1/rank-0", "attempt-2/rank-1", "attempt-2/rank-0", "attempt-2/rank-0/val"]
    found = current(ScalarSeries(run, "loss", number) for number, run in enumerate(runs))

    assert {name: each.run for name, each in found.items()} == {
        "loss": "attempt-2/rank-0", "val/loss": "attempt-2/rank-0/val",
    }  # fmt: skip


def test_common_and_telling_metrics_are_offered_first() -> None:
    """Then short ones; names with a comma cannot be asked for."""
    counts = Counter({"epoch": 3, "val/loss": 3, "loss": 3, "lr": 9, "rare": 1, "a,b": 9})

    assert offered_names(counts) == ["lr", "loss", "val/loss", "epoch", "rare"]


def test_a_list_shows_what_half_of_its_jobs_have() -> None:
    """Up to three, and if there is no such metric, one."""
    counts = Counter({"accuracy": 5, "epoch": 5, "loss": 5, "lr": 5, "rare": 2})

    assert default_columns(counts, 5) == ["accuracy", "loss", "epoch"]
    assert default_columns(Counter({"rare": 2, "a": 3, "b": 4}), 5) == ["b", "a"]
    assert default_columns(Counter({"a": 1, "b": 1, "c": 1}), 3) == ["a"]
    assert default_columns(Counter(), 0) == []
