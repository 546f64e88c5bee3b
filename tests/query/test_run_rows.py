"""Rows of the run table."""

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


def run_changed_at(changed_at: float, wall_time: float) -> Run:
    """A run with bytes added at `changed_at` (our clock) and a last event at `wall_time` (the writer's clock)."""
    run = memory_board({"r": {"loss": [(0, wall_time, 1.0)]}}).catalog.run("r")
    run.changed_at = changed_at
    return run


def test_growing_runs_are_live() -> None:
    """Whatever the writer's clock says."""
    assert is_live(run_changed_at(5000.0, wall_time=1.0), LOADED_AT, now=5000.0 + LIVE_SECS - 1)


def test_runs_become_idle() -> None:
    """One minute after the last bytes."""
    assert not is_live(run_changed_at(5000.0, wall_time=5000.0), LOADED_AT, now=5000.0 + LIVE_SECS + 1)


def test_the_first_load_makes_no_run_live() -> None:
    """Unless its last event is recent."""
    assert not is_live(run_changed_at(999.0, wall_time=1.0), LOADED_AT, now=1001.0)
    assert is_live(run_changed_at(999.0, wall_time=990.0), LOADED_AT, now=1001.0)


def test_names_are_sorted_by_first_event() -> None:
    """As in TensorBoard."""
    board = memory_board({"a": {"x": [(0, 300.0, 1.0)]}, "b": {"x": [(0, 100.0, 1.0)]}, "c": {"x": [(0, 200.0, 1.0)]}})

    assert names_by_start(board.catalog) == ["b", "c", "a"]


def test_runs_of_empty_files_have_no_times() -> None:
    """They are listed."""
    board = memory_board({"a": {"x": [(0, 300.0, 1.0)]}})
    board.storage.write("empty/events.tfevents.0", b"")
    board.refresh()
    row = RunRows(board.catalog).all(time.time())[1]

    assert (row.name, row.points) == ("empty", 0)
    assert (row.start_wall_time, row.last_wall_time, row.last_step) == (None, None, None)


def test_durations_span_the_scalars() -> None:
    """The headers of a converted log may be newer than its events."""
    board = memory_board({})
    records = [scalar_record("loss", step, 1.0, 1000.0 + 600 * step) for step in range(4)]
    board.storage.write("r/events.tfevents.0", version_record(wall_time=9e9) + b"".join(records))
    board.storage.write("r/events.tfevents.1", version_record(wall_time=9e9) + scalar_record("loss", 4, 1.0, 3700.0))
    board.storage.write("text/events.tfevents.0", version_record(wall_time=5.0) + version_record(wall_time=7.0))
    board.refresh()
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
        ([loss(math.nan, math.nan)], None),  # never finite, so nothing diverged
        ([loss(3.0, 2.0, math.nan) + loss(1.0, math.nan, math.nan, tag="norm")], ("norm", 10, "nan", 2)),
        ([loss(3.0, math.nan), loss(math.nan, begin=20)], ("loss", 10, "nan", 1)),
        ([loss(3.0, math.nan), loss(2.0, begin=20)], None),
        ([loss(3.0, 2.0, math.nan), start_record(step=15) + loss(1.0, begin=20)], None),
        ([loss(3.0, math.nan) + loss(1.0, begin=20) + start_record(step=20)], ("loss", 10, "nan", 1)),
    ],
)
def test_runs_report_nonfinite_ends(files: list[bytes], expected: tuple[str, int, str, int] | None) -> None:
    """The first series that diverged, its step, and how many series did."""
    board = memory_board({})
    for number, records in enumerate(files):
        board.storage.write(f"r/events.tfevents.{number}", version_record() + records)
    board.refresh()
    (row,) = RunRows(board.catalog).all(time.time())
    found = row.nonfinite_end

    assert (found and (found.tag, found.step, str(found.value), found.tags)) == expected


def test_rows_count_damage() -> None:
    """In regions and bytes. Problems list each region."""
    board = memory_board({})
    good = scalar_record("loss", 0, 1.0)
    bad = bytearray(scalar_record("loss", 1, 1.0))
    bad[20] ^= 1
    board.storage.write("r/events.tfevents.0", version_record() + good + bytes(bad) + good)
    board.refresh()
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="x"))
    row, (problem,) = provider.runs()[0], provider.problems()

    assert (row.damage_regions, row.damage_bytes) == (1, len(bad))
    assert (problem.run, problem.offset, problem.length, problem.kind) == (
        "r",
        len(version_record() + good),
        len(bad),
        "damage",
    )


def test_only_rows_of_changed_runs_are_rebuilt() -> None:
    """There may be ten thousand others."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}, "b": {"x": [(0, 1.0, 1.0)]}})
    rows = RunRows(board.catalog)
    before = rows.all(LOADED_AT)
    board.storage.write("b/more.tfevents.1", version_record() + scalar_record("x", 5, 1.0))
    board.refresh()
    after = rows.all(LOADED_AT)

    assert (after[0] is before[0], [row.last_step for row in after]) == (True, [0, 5])


def test_later_hyperparameters_update_rows() -> None:
    """Of the run itself and of the run they describe. The change is structural."""
    board = memory_board({"base": {"x": [(0, 1.0, 1.0), (1, 2.0, 1.0)]}})
    rows = RunRows(board.catalog)
    before, generation = rows.all(LOADED_AT), board.catalog.generation
    board.storage.write("base/hp/events.tfevents.0", version_record() + hparams_start_record({"lr": 0.1}, "seeds"))
    board.refresh()
    after = rows.all(LOADED_AT)

    assert [(row.config, row.group_name, row.folded_into) for row in before] == [({}, "", None)]
    assert [(row.config, row.group_name, row.folded_into) for row in after] == [
        ({"lr": 0.1}, "seeds", None),
        ({"lr": 0.1}, "seeds", 0),
    ]
    assert board.catalog.changes_since(generation).structure


def test_status_counts_runs_series_and_points() -> None:
    """With the last wall time of all runs."""
    status = memory_provider({"a": {"x": [(0, 1.0, 1.0), (1, 2.0, 1.0)]}, "b": {"y": [(0, 9.0, 1.0)]}}).status()

    assert (status.runs, status.series, status.points, status.last_event_wall_time) == (2, 2, 3, 9.0)


def test_rows_have_the_fields_of_the_schema() -> None:
    """Rows are plain values for speed; the schema describes the response."""
    (row,) = memory_provider({"a": {"x": [(0, 1.0, 1.0), (1, 2.0, 1.0)]}}).runs()
    values = {field.name: getattr(row, field.name) for field in fields(row)}

    assert schema.Run.model_validate(values, strict=True).model_dump() == values


class Clock:
    """A clock that tests set."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def test_table_versions_say_which_rows_changed() -> None:
    """And whether runs were added."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}, "b": {"x": [(0, 1.0, 1.0)]}})
    rows = RunRows(board.catalog)
    first = rows.table(LOADED_AT)
    board.storage.write("b/more.tfevents.1", version_record() + scalar_record("x", 5, 1.0))
    board.refresh()
    second = rows.table(LOADED_AT)
    board.storage.write("c/events.tfevents.1", version_record() + scalar_record("x", 5, 1.0))
    board.refresh()
    third = rows.table(LOADED_AT)

    assert second.remade == {0: first.number, 1: second.number}
    assert (second.listed, third.listed) == (first.number, third.number)
    assert third.remade == {0: first.number, 1: second.number, 2: third.number}
    assert [first.number_of(table.version) for table in (first, second)] == [first.number, None]
    assert third.number_of(second.version) == second.number


def test_unchanged_catalogs_are_not_listed_again() -> None:
    """Until a live run becomes idle."""
    board = memory_board({"a": {"x": [(0, 5000.0, 1.0)]}, "b": {"x": [(0, 1.0, 1.0)]}})
    lists = []
    catalog, list_runs = board.catalog, board.catalog.runs
    catalog.runs = lambda: lists.append(1) or list_runs()  # type: ignore[method-assign]
    clock = Clock(5001.0)
    rows = RunRows(catalog, clock)

    live = rows.table(math.inf)
    clock.now = 5000.0 + LIVE_SECS - 1
    assert rows.table(math.inf) is live
    assert (lists, [row.status for row in live.rows]) == ([1], ["idle", "live"])
    clock.now = 5000.0 + LIVE_SECS
    idle = rows.table(math.inf)
    assert (lists, [row.status for row in idle.rows]) == ([1, 1], ["idle", "idle"])
    assert idle.remade == {0: live.number, 1: idle.number}


def test_table_versions_differ_between_servers() -> None:
    """Even if their counters are equal."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}})

    assert RunRows(board.catalog).table(LOADED_AT).version != RunRows(board.catalog).table(LOADED_AT).version


def test_rows_built_during_a_publication_are_not_kept() -> None:
    """That request gets old rows, and the next one new rows."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}})
    rows, (run,) = RunRows(board.catalog), board.catalog.runs()
    rows.table(LOADED_AT)
    run.files[0].decoder.feed(scalar_record("x", 5, 1.0))
    seen: list[int | None] = []

    def changed_runs() -> Iterator[Run]:
        seen.append(rows.table(LOADED_AT).rows[0].last_step)
        yield run

    board.catalog.publish(changed=changed_runs())

    assert (seen, rows.table(LOADED_AT).rows[0].last_step) == ([0], 5)


def test_structure_changes_when_publication_ends() -> None:
    """Readers during the publication see the old structure generation."""
    board = memory_board({"a": {"x": [(0, 1.0, 1.0)]}})
    (run,) = board.catalog.runs()
    seen: list[int] = []

    def changed_runs() -> Iterator[Run]:
        seen.append(board.catalog.structure_generation)
        yield run

    before = board.catalog.structure_generation
    board.catalog.publish(changed=changed_runs(), structure=True)

    assert (seen, board.catalog.structure_generation) == ([before], board.catalog.generation)


def test_cancelled_requests_do_not_leave_old_rows() -> None:
    """The next request gets all of them."""
    board = memory_board({"a": {"loss": [(0, 0.0, 1.0)]}})
    rows = RunRows(board.catalog)
    rows.table(math.inf)
    board.storage.write("b/events.out.tfevents.0", version_record() + scalar_record("loss", 0, 1.0))
    board.refresh()
    token = cancellation.CancelToken()
    token.cancel()
    context = cancellation.current.set(token)
    try:
        with pytest.raises(cancellation.Cancelled):
            rows.table(math.inf)
    finally:
        cancellation.current.reset(context)

    assert [row.name for row in rows.table(math.inf).rows] == ["a", "b"]
