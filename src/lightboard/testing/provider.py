"""Answers over runs that lie in memory, and the suite that every provider passes.

The fake is the real provider over real decoders; only the files are no files. Subclass `ProviderTests` and give it a
provider over the same runs.
"""

import math
from collections.abc import Mapping, Sequence

import pytest

from lightboard.config import BoardSettings
from lightboard.errors import RunNotFound, TagNotFound
from lightboard.query.columns import ColumnRequest, Columns
from lightboard.query.provider import CatalogProvider, Provider
from lightboard.query.scalars import ChartRequest, ChartStyle
from lightboard.testing.event_files import scalar_record, version_record
from lightboard.testing.fakes import MemoryBoard

Point = tuple[int, float, float]
"""Step, wall time in seconds, value."""

Runs = Mapping[str, Mapping[str, Sequence[Point]]]
"""Run name -> tag -> points."""


def file_of(tags: Mapping[str, Sequence[Point]]) -> bytes:
    """An event file that holds these series, one after another."""
    records = [version_record(wall_time=min((p[1] for ps in tags.values() for p in ps), default=0.0))]
    records += [scalar_record(tag, step, value, wall) for tag, points in tags.items() for step, wall, value in points]
    return b"".join(records)


def memory_board(runs: Runs) -> MemoryBoard:
    """A board in memory with one event file for each run, in `<run>/events.out.tfevents.0`."""
    return MemoryBoard({path_of(run): file_of(tags) for run, tags in runs.items()})


def path_of(run: str) -> str:
    """Where the event file of a run lies in the memory board."""
    return f"{run}/events.out.tfevents.0" if run != "." else "events.out.tfevents.0"


def memory_provider(runs: Runs, settings: BoardSettings | None = None) -> CatalogProvider:
    """A provider over these runs."""
    return CatalogProvider(memory_board(runs).catalog, settings or BoardSettings(logdir="memory"))


def chart_body(provider: Provider, style: ChartStyle, requests: Sequence[ChartRequest]) -> bytes:
    """The whole answer."""
    return b"".join(piece for piece in provider.charts(style, requests) if isinstance(piece, bytes))


SAMPLE: Runs = {
    "first": {
        "loss": [(0, 100.0, 4.0), (1, 101.0, 2.0), (2, 102.0, math.nan), (3, 103.0, 1.0)],
        "layer_10/norm": [(0, 100.0, 1.0)],
        "layer_2/norm": [(0, 100.0, 1.0)],
    },
    "second": {"loss": [(0, 200.0, 8.0), (5, 205.0, 0.5)]},
}
"""The runs that the suite asks about."""


class ProviderTests:
    """What every provider promises about `SAMPLE`."""

    def provider(self) -> Provider:
        """A provider over SAMPLE, fully read."""
        raise NotImplementedError

    def test_runs_come_by_slot_with_what_they_hold(self) -> None:
        """Names, slots and counts of every run."""
        rows = [(run.name, run.slot, run.tags, run.points) for run in self.provider().runs()]
        assert rows == [("first", 0, 3, 6), ("second", 1, 1, 2)]

    def test_tags_come_in_natural_order_with_their_runs(self) -> None:
        """layer_2 stands before layer_10."""
        ids = {run.name: run.id for run in self.provider().runs()}
        tags = [(tag.tag, tag.runs) for tag in self.provider().tags("scalars")]
        assert tags == [
            ("layer_2/norm", [ids["first"]]),
            ("layer_10/norm", [ids["first"]]),
            ("loss", [ids["first"], ids["second"]]),
        ]

    def test_a_series_comes_whole(self) -> None:
        """Every point, bit for bit, what is no number included."""
        points = self.provider().series("first", "loss")
        assert list(points.steps) == [0, 1, 2, 3]
        assert list(points.walls) == [100.0, 101.0, 102.0, 103.0]
        assert repr(list(points.values)) == "[4.0, 2.0, nan, 1.0]"

    def test_runs_are_found_by_what_they_hold(self) -> None:
        """By slot; of all runs or of some."""
        provider = self.provider()
        ids = {run.name: run.id for run in provider.runs()}
        asked = [("loss", None), ("layer_2/norm", None), ("loss", frozenset([ids["second"]])), ("nothing", None)]

        assert [provider.runs_having(*one) for one in asked] == [["first", "second"], ["first"], ["second"], []]

    def test_a_series_comes_in_stretches_too(self) -> None:
        """The same points, and how many there may be."""
        most, pieces = self.provider().long_series("first", "loss")
        rows = [repr(row) for piece in pieces for row in zip(*piece, strict=True)]

        assert most == 4
        assert rows == [repr(row) for row in zip(*self.provider().series("first", "loss"), strict=True)]

    def test_statistics_look_at_finite_values(self) -> None:
        """Lowest, highest and mean leave out what is no number and count it."""
        stats = self.provider().stats(["loss"], None)
        figures = [(s.held, s.last_value, s.min_value, s.max_value, round(s.mean, 6), s.nonfinite) for _, _, s in stats]
        assert figures == [(4, 1.0, 1.0, 4.0, 2.333333, 1), (2, 0.5, 0.5, 8.0, 4.25, 0)]

    def test_columns_have_a_value_for_every_run(self) -> None:
        """By slot; none where the run lacks the tag."""
        provider = self.provider()
        asked = [ColumnRequest("loss", "last"), ColumnRequest("layer_2/norm", "max_step")]
        ids = [run.id for run in provider.runs()]
        assert provider.columns(asked) == Columns(ids, [[1.0, 0.5], [0, None]])

    def test_a_run_that_went_straight_on_has_no_restarts(self) -> None:
        """In a list of its own."""
        assert self.provider().restarts("first") == []

    def test_the_files_of_a_run_hold_its_points(self) -> None:
        """All of them."""
        provider = self.provider()
        for run in provider.runs():
            files = provider.files(run.name)
            assert (len(files), sum(file.points for file in files)) == (run.files, run.points)

    def test_an_unknown_run_is_an_error(self) -> None:
        """Not an empty series."""
        with pytest.raises(RunNotFound):
            self.provider().series("nobody", "loss")
        with pytest.raises(RunNotFound):
            self.provider().restarts("nobody")
        with pytest.raises(RunNotFound):
            self.provider().files("nobody")

    def test_an_unknown_tag_is_an_error(self) -> None:
        """Not an empty series."""
        with pytest.raises(TagNotFound):
            self.provider().series("second", "accuracy")

    def test_an_unknown_tag_gives_a_chart_without_blocks(self) -> None:
        """A chart answer has a place for every chart asked."""
        style = ChartStyle(axis=0, px=100, smoothing=0.0, aux=False, orphans=False)
        body = chart_body(self.provider(), style, [ChartRequest("nothing", None, -math.inf, math.inf)])
        assert body[:8] == b"LBC1\x01\0\0\0"
        assert body[16:] == bytes(16)

    def test_nothing_changed_since_now(self) -> None:
        """The present generation has no news."""
        provider = self.provider()
        change = provider.changes_since(provider.generation)
        assert (change.runs, change.structure) == ((), False)
