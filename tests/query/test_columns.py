"""Columns of the run table."""

import math
from typing import get_args

from lightboard.config import BoardSettings
from lightboard.query.columns import FIELDS, ColumnRequest, Columns
from lightboard.query.provider import CatalogProvider
from lightboard.schema.columns import Stat
from lightboard.testing.event_files import scalar_record, start_record, version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.provider import memory_provider

POINTS = [(2, 10.0, 3.0), (4, 11.0, 1.0), (6, 12.0, 5.0), (8, 13.0, 2.0)]


def test_columns_return_every_stat() -> None:
    """One value per run, in the order of the request."""
    provider = memory_provider({"a": {"loss": POINTS}})
    requests = [ColumnRequest("loss", stat) for stat in FIELDS]

    assert provider.columns(requests) == Columns([0], [[3.0], [2.0], [1.0], [5.0], [2.75], [4], [6], [8], [4]])
    assert tuple(FIELDS) == get_args(Stat)


def test_runs_without_the_tag_have_no_value() -> None:
    """Unknown tags have none for any run. Runs are sorted by slot."""
    provider = memory_provider({"b": {"lr": [(0, 1.0, 0.5)]}, "a": {"loss": POINTS, "lr": [(0, 1.0, 0.1)]}})
    requests = [ColumnRequest("loss", "last"), ColumnRequest("lr", "last"), ColumnRequest("nothing", "points")]
    by_name = {run.name: run.id for run in provider.runs()}

    assert provider.columns(requests) == Columns(
        sorted(by_name.values()), [[2.0, None], [0.10000000149011612, 0.5], [None, None]]
    )


def test_nonfinite_series_have_no_extremes() -> None:
    """Nor steps of extremes. The last value is returned as it is."""
    provider = memory_provider({"a": {"loss": [(7, 1.0, math.inf)]}})
    requests = [ColumnRequest("loss", stat) for stat in ("min", "min_step", "max_step", "last", "last_step", "points")]

    assert repr(provider.columns(requests).columns) == "[[nan], [None], [None], [inf], [7], [1]]"


def test_superseded_points_count_on_request() -> None:
    """With `orphans=True`."""
    records = [scalar_record("loss", step, float(step), 1.0) for step in range(5)]
    restarted = [start_record(step=3), scalar_record("loss", 3, 0.5, 2.0)]
    board = MemoryBoard({"a/events.tfevents.0": b"".join([version_record(), *records, *restarted])})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="x"))
    requests = [ColumnRequest("loss", "max"), ColumnRequest("loss", "points")]

    assert provider.columns(requests).columns == [[2.0], [4]]
    assert provider.columns(requests, orphans=True).columns == [[4.0], [6]]


def test_fully_superseded_series_have_no_value() -> None:
    """Rather than 0 points."""
    records = [version_record(), scalar_record("loss", 3, 1.0), start_record(step=0), scalar_record("lr", 0, 1.0)]
    board = MemoryBoard({"a/events.tfevents.0": b"".join(records)})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="x"))

    assert provider.columns([ColumnRequest("loss", "last"), ColumnRequest("loss", "points")]).columns == [
        [None],
        [None],
    ]
