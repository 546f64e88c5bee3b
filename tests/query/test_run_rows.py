"""Runs as rows of a table."""

import math
import time
from collections.abc import Iterator
from dataclasses import fields

import pytest

from lightboard import cancellation
from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.query.runs import LIVE_SECS, RunRows, is_live, names_by_start
from lightboard.schema import runs as schema
from lightboard.series.run import Run
from lightboard.testing.event_files import hparams_start_record, scalar_record, start_record, version_record
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


def test_a_run_lasted_from_its_first_scalar_to_its_last() -> None:
    """The header of a converted log is younger than all that it tells."""
    board = memory_board({})
    records = [scalar_record("loss", step, 1.0, 1000.0 + 600 * step) for step in range(4)]
    board.storage.write("r/events.tfevents.0", version_record(wall_time=9e9) + b"".join(records))
    board.storage.write("r/events.tfevents.1", version_record(wall_time=9e9) + scalar_record("loss", 4, 1.0, 3700.0))
    board.storage.write("text/events.tfevents.0", version_record(wall_time=5.0) + version_record(wall_time=7.0))
    board.look()
    rows = {row.name: row.duration_secs for row in RunRows(board.catalog).all(time.time())}

    assert rows == {"r": 2700.0, "text": 2.0}


def loss(*values: float, tag: str = "loss", begin: int = 0) -> bytes:
    return b"".join(scalar_record(tag, begin + 10 * i, value, 1.0 + i) for i, value in enumerate(values))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([loss(3.0, 2.0, 1.0)], None),
        ([loss(3.0, math.nan, math.nan)], ("loss", 10, "nan", 1)),
        ([loss(3.0, 2.0, math.inf)], ("loss", 20, "inf", 1)),
        ([loss(3.0, math.nan, 1.0)], None),
        ([loss(math.nan, math.nan)], None),  # it never was a number: nothing diverged
        ([loss(3.0, 2.0, math.nan) + loss(1.0, math.nan, math.nan, tag="norm")], ("norm", 10, "nan", 2)),
        ([loss(3.0, math.nan), loss(math.nan, begin=20)], ("loss", 10, "nan", 1)),
        ([loss(3.0, math.nan), loss(2.0, begin=20)], None),
        ([loss(3.0, 2.0, math.nan), start_record(step=15) + loss(1.0, begin=20)], None),
        ([loss(3.0, math.nan) + loss(1.0, begin=20) + start_record(step=20)], ("loss", 10, "nan", 1)),
    ],
)
def test_a_run_that_ends_in_what_is_no_number_says_so(
    files: list[bytes], expected: tuple[str, int, str, int] | None
) -> None:
    """Which series is the first to be lost, at which step, and how many are."""
    board = memory_board({})
    for number, records in enumerate(files):
        board.storage.write(f"r/events.tfevents.{number}", version_record() + records)
    board.look()
    (row,) = RunRows(board.catalog).all(time.time())
    found = row.nonfinite_end

    assert (found and (found.tag, found.step, str(found.value), found.tags)) == expected


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


class Clock:
    """The time, as scripted."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def test_a_version_says_which_rows_became_others_after_it() -> None:
    """And whether runs came."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}, "b": {"x": [(0, 1.0, 1.0)]}})
    rows = RunRows(board.catalog)
    first = rows.table(LOADED_AT)
    board.storage.write("b/more.tfevents.1", version_record() + scalar_record("x", 5, 1.0))
    board.look()
    second = rows.table(LOADED_AT)
    board.storage.write("c/events.tfevents.1", version_record() + scalar_record("x", 5, 1.0))
    board.look()
    third = rows.table(LOADED_AT)

    assert second.remade == {0: first.number, 1: second.number}
    assert (second.listed, third.listed) == (first.number, third.number)
    assert third.remade == {0: first.number, 1: second.number, 2: third.number}
    assert [first.number_of(table.version) for table in (first, second)] == [first.number, None]
    assert third.number_of(second.version) == second.number


def test_an_unchanged_catalog_costs_no_look_at_its_runs() -> None:
    """Until the moment when a live run falls silent."""
    board = memory_board({"a": {"x": [(0, 5000.0, 1.0)]}, "b": {"x": [(0, 1.0, 1.0)]}})
    looks = []
    catalog, listed = board.catalog, board.catalog.runs
    catalog.runs = lambda: looks.append(1) or listed()  # type: ignore[method-assign]
    clock = Clock(5001.0)
    rows = RunRows(catalog, clock)

    live = rows.table(math.inf)
    clock.now = 5000.0 + LIVE_SECS - 1
    assert rows.table(math.inf) is live
    assert (looks, [row.status for row in live.rows]) == ([1], ["idle", "live"])
    clock.now = 5000.0 + LIVE_SECS
    idle = rows.table(math.inf)
    assert (looks, [row.status for row in idle.rows]) == ([1, 1], ["idle", "idle"])
    assert idle.remade == {0: live.number, 1: idle.number}


def test_versions_of_two_servers_are_never_the_same() -> None:
    """Though they count alike."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}})

    assert RunRows(board.catalog).table(LOADED_AT).version != RunRows(board.catalog).table(LOADED_AT).version


def test_rows_that_are_made_while_a_change_is_published_do_not_stay() -> None:
    """Whoever asks in that moment gets the old rows, and the new ones the next time."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}})
    rows, (run,) = RunRows(board.catalog), board.catalog.runs()
    rows.table(LOADED_AT)
    run.files[0].decoder.feed(scalar_record("x", 5, 1.0))
    looked: list[int | None] = []

    def changing() -> Iterator[Run]:
        looked.append(rows.table(LOADED_AT).rows[0].last_step)
        yield run

    board.catalog.publish(changed=changing())

    assert (looked, rows.table(LOADED_AT).rows[0].last_step) == ([0], 5)


def test_tags_listed_while_a_change_is_published_do_not_stay() -> None:
    """Neither do they where only the tags of a run became others."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}})
    (run,) = board.catalog.runs()
    looked: list[int] = []

    def changing() -> Iterator[Run]:
        looked.append(board.catalog.structure_generation)
        yield run

    before = board.catalog.structure_generation
    board.catalog.publish(changed=changing(), structure=True)

    assert (looked, board.catalog.structure_generation) == ([before], board.catalog.generation)


def test_who_leaves_while_rows_are_made_leaves_no_old_ones_behind() -> None:
    """The next one who asks gets them all."""
    board = memory_board({"a": {"loss": [(0, 0.0, 1.0)]}})
    rows = RunRows(board.catalog)
    rows.table(math.inf)
    board.storage.write("b/events.out.tfevents.0", version_record() + scalar_record("loss", 0, 1.0))
    board.look()
    token = cancellation.CancelToken()
    token.cancel()
    held = cancellation.current.set(token)
    try:
        with pytest.raises(cancellation.Cancelled):
            rows.table(math.inf)
    finally:
        cancellation.current.reset(held)

    assert [row.name for row in rows.table(math.inf).rows] == ["a", "b"]
