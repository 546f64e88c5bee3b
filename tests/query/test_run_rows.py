"""Runs as rows of a table."""

import time
from dataclasses import fields

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.query.runs import LIVE_SECS, RunRows, is_live, names_by_start
from lightboard.schema import runs as schema
from lightboard.series.run import Run
from lightboard.testing.event_files import hparams_start_record, scalar_record, version_record
from lightboard.testing.provider import memory_board, memory_provider

LOADED_AT = 1000.0


def run_written(changed_at: float, wall_time: float) -> Run:
    """A run that got bytes at `changed_at` (our clock); its last event says `wall_time` (the writer's clock)."""
    run = memory_board({"r": {"loss": [(0, wall_time, 1.0)]}}).catalog.run("r")
    run.changed_at = changed_at
    return run


def test_a_run_that_grew_while_we_watched_is_live() -> None:
    """Whatever the writer's clock says."""
    assert is_live(run_written(5000.0, wall_time=1.0), LOADED_AT, now=5000.0 + LIVE_SECS - 1)


def test_a_run_that_stopped_growing_is_idle() -> None:
    """After a minute of silence."""
    assert not is_live(run_written(5000.0, wall_time=5000.0), LOADED_AT, now=5000.0 + LIVE_SECS + 1)


def test_what_the_first_reading_brought_is_not_news() -> None:
    """An old log read just now is idle; one whose last event is fresh is live."""
    assert not is_live(run_written(999.0, wall_time=1.0), LOADED_AT, now=1001.0)
    assert is_live(run_written(999.0, wall_time=990.0), LOADED_AT, now=1001.0)


def test_names_are_listed_by_first_event() -> None:
    """TensorBoard's order, not the alphabet's."""
    board = memory_board({"a": {"x": [(0, 300.0, 1.0)]}, "b": {"x": [(0, 100.0, 1.0)]}, "c": {"x": [(0, 200.0, 1.0)]}})

    assert names_by_start(board.catalog) == ["b", "c", "a"]


def test_a_row_has_no_number_where_there_is_no_event() -> None:
    """A run of an empty file is shown, without times."""
    board = memory_board({"a": {"x": [(0, 300.0, 1.0)]}})
    board.storage.write("empty/events.tfevents.0", b"")
    board.look()
    row = RunRows(board.catalog).all(time.time())[1]

    assert (row.name, row.points) == ("empty", 0)
    assert (row.start_wall_time, row.last_wall_time, row.last_step) == (None, None, None)


def test_damage_is_counted_by_region_and_byte() -> None:
    """So that the run table can show it."""
    board = memory_board({})
    good = scalar_record("loss", 0, 1.0)
    bad = bytearray(scalar_record("loss", 1, 1.0))
    bad[20] ^= 1
    board.storage.write("r/events.tfevents.0", version_record() + good + bytes(bad) + good)
    board.look()
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="x"))
    row, (problem,) = provider.runs()[0], provider.problems()

    assert (row.damage_regions, row.damage_bytes) == (1, len(bad))
    assert (problem.run, problem.offset, problem.length, problem.kind) == (
        "r",
        len(version_record() + good),
        len(bad),
        "damage",
    )


def test_a_row_is_made_anew_when_its_run_changed() -> None:
    """And only then: nobody waits for the ten thousand others."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}, "b": {"x": [(0, 1.0, 1.0)]}})
    rows = RunRows(board.catalog)
    before = rows.all(LOADED_AT)
    board.storage.write("b/more.tfevents.1", version_record() + scalar_record("x", 5, 1.0))
    board.look()
    after = rows.all(LOADED_AT)

    assert (after[0] is before[0], [row.last_step for row in after]) == (True, [0, 5])


def test_hyper_parameters_that_come_later_reach_the_row() -> None:
    """Of the run itself and of the one that they describe, and the change is one of structure."""
    board = memory_board({"base": {"x": [(0, 1.0, 1.0), (1, 2.0, 1.0)]}})
    rows = RunRows(board.catalog)
    before, generation = rows.all(LOADED_AT), board.catalog.generation
    board.storage.write("base/hp/events.tfevents.0", version_record() + hparams_start_record({"lr": 0.1}, "seeds"))
    board.look()
    after = rows.all(LOADED_AT)

    assert [(row.config, row.group_name, row.folded_into) for row in before] == [({}, "", None)]
    assert [(row.config, row.group_name, row.folded_into) for row in after] == [
        ({"lr": 0.1}, "seeds", None),
        ({"lr": 0.1}, "seeds", 0),
    ]
    assert board.catalog.changes_since(generation).structure


def test_status_counts_everything() -> None:
    """Runs, series and points in one look."""
    status = memory_provider({"a": {"x": [(0, 1.0, 1.0), (1, 2.0, 1.0)]}, "b": {"y": [(0, 9.0, 1.0)]}}).status()

    assert (status.runs, status.series, status.points, status.last_event_wall_time) == (2, 2, 3, 9.0)


def test_a_row_says_what_the_model_says() -> None:
    """Rows are plain values for speed; the model is what travels, field for field."""
    (row,) = memory_provider({"a": {"x": [(0, 1.0, 1.0), (1, 2.0, 1.0)]}}).runs()
    told = {field.name: getattr(row, field.name) for field in fields(row)}

    assert schema.Run.model_validate(told, strict=True).model_dump() == told
