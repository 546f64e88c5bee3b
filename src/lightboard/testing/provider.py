"""Providers of runs in memory, and tests that all providers must pass.

Only the storage is a fake; provider and decoders are the real ones. To test another provider, subclass `ProviderTests`
and return a provider of `SAMPLE`.
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
    """The bytes of an event file with these series, one after another."""
    records = [version_record(wall_time=min((p[1] for ps in tags.values() for p in ps), default=0.0))]
    records += [scalar_record(tag, step, value, wall) for tag, points in tags.items() for step, wall, value in points]
    return b"".join(records)


def memory_board(runs: Runs) -> MemoryBoard:
    """A board in memory with one event file for each run, in `<run>/events.out.tfevents.0`."""
    return MemoryBoard({path_of(run): file_of(tags) for run, tags in runs.items()})


def path_of(run: str) -> str:
    """The path of the event file of a run in the memory board."""
    return f"{run}/events.out.tfevents.0" if run != "." else "events.out.tfevents.0"


def memory_provider(runs: Runs, settings: BoardSettings | None = None) -> CatalogProvider:
    """A provider of these runs."""
    return CatalogProvider(memory_board(runs).catalog, settings or BoardSettings(logdir="memory"))


def chart_body(provider: Provider, style: ChartStyle, requests: Sequence[ChartRequest]) -> bytes:
    """The whole response with these charts."""
    return b"".join(piece for piece in provider.charts(style, requests) if isinstance(piece, bytes))


SAMPLE: Runs = {
    "first": {
        "loss": [(0, 100.0, 4.0), (1, 101.0, 2.0), (2, 102.0, math.nan), (3, 103.0, 1.0)],
        "layer_10/norm": [(0, 100.0, 1.0)],
        "layer_2/norm": [(0, 100.0, 1.0)],
    },
    "second": {"loss": [(0, 200.0, 8.0), (5, 205.0, 0.5)]},
}
"""The runs of the tests."""


class ProviderTests:
    """Tests of a provider of `SAMPLE`."""

    def provider(self) -> Provider:
        """A provider of SAMPLE that has read everything."""
        raise NotImplementedError

    def test_runs_are_ordered_by_slot(self) -> None:
        """With their names, and their numbers of tags and points."""
        rows = [(run.name, run.slot, run.tags, run.points) for run in self.provider().runs()]
        assert rows == [("first", 0, 3, 6), ("second", 1, 1, 2)]

    def test_tags_are_in_natural_order_with_their_runs(self) -> None:
        """layer_2 comes before layer_10."""
        ids = {run.name: run.id for run in self.provider().runs()}
        tags = [(tag.tag, tag.runs) for tag in self.provider().tags("scalars")]
        assert tags == [
            ("layer_2/norm", [ids["first"]]),
            ("layer_10/norm", [ids["first"]]),
            ("loss", [ids["first"], ids["second"]]),
        ]

    def test_a_series_has_all_points(self) -> None:
        """Values are exact, also those that are not finite."""
        points = self.provider().series("first", "loss")
        assert list(points.steps) == [0, 1, 2, 3]
        assert list(points.walls) == [100.0, 101.0, 102.0, 103.0]
        assert repr(list(points.values)) == "[4.0, 2.0, nan, 1.0]"

    def test_runs_are_found_by_their_tags(self) -> None:
        """Ordered by slot, among all runs or some."""
        provider = self.provider()
        ids = {run.name: run.id for run in provider.runs()}
        requests = [("loss", None), ("layer_2/norm", None), ("loss", frozenset([ids["second"]])), ("nothing", None)]

        assert [provider.runs_having(*request) for request in requests] == [
            ["first", "second"],
            ["first"],
            ["second"],
            [],
        ]

    def test_a_series_can_be_read_in_pieces(self) -> None:
        """With the same points, and their maximum number."""
        most, pieces = self.provider().long_series("first", "loss")
        rows = [repr(row) for piece in pieces for row in zip(*piece, strict=True)]

        assert most == 4
        assert rows == [repr(row) for row in zip(*self.provider().series("first", "loss"), strict=True)]

    def test_statistics_are_those_of_finite_values(self) -> None:
        """Minimum, maximum and mean ignore other values, which are counted."""
        stats = self.provider().stats(["loss"], None)
        figures = [(s.held, s.last_value, s.min_value, s.max_value, round(s.mean, 6), s.nonfinite) for _, _, s in stats]
        assert figures == [(4, 1.0, 1.0, 4.0, 2.333333, 1), (2, 0.5, 0.5, 8.0, 4.25, 0)]

    def test_columns_have_a_value_for_every_run(self) -> None:
        """Ordered by slot. It is None if the run does not have the tag."""
        provider = self.provider()
        requests = [ColumnRequest("loss", "last"), ColumnRequest("layer_2/norm", "max_step")]
        ids = [run.id for run in provider.runs()]
        assert provider.columns(requests) == Columns(ids, [[1.0, 0.5], [0, None]])

    def test_a_run_without_restarts_has_an_empty_list(self) -> None:
        """It is not an error."""
        assert self.provider().restarts("first") == []

    def test_the_files_of_a_run_have_its_points(self) -> None:
        """Their numbers of points add up to that of the run."""
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

    def test_a_chart_of_an_unknown_tag_has_no_blocks(self) -> None:
        """The response has an entry for every requested chart."""
        style = ChartStyle(axis=0, px=100, smoothing=0.0, aux=False, orphans=False)
        body = chart_body(self.provider(), style, [ChartRequest("nothing", None, -math.inf, math.inf)])
        assert body[:8] == b"LBC1\x01\0\0\0"
        assert body[16:] == bytes(16)

    def test_nothing_has_changed_since_the_current_generation(self) -> None:
        """There are neither changed runs nor a changed structure."""
        provider = self.provider()
        change = provider.changes_since(provider.generation)
        assert (change.runs, change.structure) == ((), False)
