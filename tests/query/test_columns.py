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

CURVE = [(2, 10.0, 3.0), (4, 11.0, 1.0), (6, 12.0, 5.0), (8, 13.0, 2.0)]


def test_every_figure_of_a_tag() -> None:
    """One value for each run, in the order asked."""
    provider = memory_provider({"a": {"loss": CURVE}})
    asked = [ColumnRequest("loss", stat) for stat in FIELDS]

    assert provider.columns(asked) == Columns([0], [[3.0], [2.0], [1.0], [5.0], [2.75], [4], [6], [8], [4]])
    assert tuple(FIELDS) == get_args(Stat)


def test_a_run_without_the_tag_has_no_value() -> None:
    """Nor has anybody of a tag that is nowhere; runs come by slot."""
    provider = memory_provider({"b": {"lr": [(0, 1.0, 0.5)]}, "a": {"loss": CURVE, "lr": [(0, 1.0, 0.1)]}})
    asked = [ColumnRequest("loss", "last"), ColumnRequest("lr", "last"), ColumnRequest("nothing", "points")]
    by_name = {run.name: run.id for run in provider.runs()}

    assert provider.columns(asked) == Columns(
        sorted(by_name.values()), [[2.0, None], [0.10000000149011612, 0.5], [None, None]]
    )


def test_where_nothing_is_finite_there_is_no_extreme() -> None:
    """No number, and no step of it; the last value is what it is."""
    provider = memory_provider({"a": {"loss": [(7, 1.0, math.inf)]}})
    asked = [ColumnRequest("loss", stat) for stat in ("min", "min_step", "max_step", "last", "last_step", "points")]

    assert repr(provider.columns(asked).columns) == "[[nan], [None], [None], [inf], [7], [1]]"


def test_superseded_points_count_when_asked_for() -> None:
    """As everywhere."""
    records = [scalar_record("loss", step, float(step), 1.0) for step in range(5)]
    again = [start_record(step=3), scalar_record("loss", 3, 0.5, 2.0)]
    board = MemoryBoard({"a/events.tfevents.0": b"".join([version_record(), *records, *again])})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="x"))
    asked = [ColumnRequest("loss", "max"), ColumnRequest("loss", "points")]

    assert provider.columns(asked).columns == [[2.0], [4]]
    assert provider.columns(asked, orphans=True).columns == [[4.0], [6]]


def test_a_series_of_which_nothing_is_visible_has_no_value() -> None:
    """Not 0: a restart made all of it void."""
    records = [version_record(), scalar_record("loss", 3, 1.0), start_record(step=0), scalar_record("lr", 0, 1.0)]
    board = MemoryBoard({"a/events.tfevents.0": b"".join(records)})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="x"))

    assert provider.columns([ColumnRequest("loss", "last"), ColumnRequest("loss", "points")]).columns == [
        [None],
        [None],
    ]
