"""Histograms over HTTP: maps cut to pixels, one histogram, whole series, TensorBoard's addresses."""

import json
import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from asking import Asker

from lightboard.query import histograms
from lightboard.query.histogrammaps import MapStyle, draw_map
from lightboard.testing.event_files import (
    DOUBLE,
    bytes_field,
    histogram_value,
    start_record,
    summary_metadata,
    summary_record,
    tensor,
    tensor_value,
    version_record,
)

Rows = Sequence[tuple[float, float, float]]
FILE = "events.out.tfevents.1"
METADATA = summary_metadata("histograms")


def record(step: int, rows: Rows, tag: str = "w") -> bytes:
    """A histogram as tf.summary writes it; its wall time is a hundred and the step."""
    numbers = [number for row in rows for number in row]
    value = tensor_value(tag, tensor(DOUBLE, numbers, shape=[len(rows), 3], content=True), METADATA)
    return summary_record([value], step=step, wall_time=100.0 + step)


def file_of(*records: bytes) -> bytes:
    return version_record() + b"".join(records)


def asker(samples: dict[str, int] | None = None, **files: bytes) -> Asker:
    """A board whose runs have one file each."""
    made = Asker({}, samples=samples or {})
    for run, data in files.items():
        made.memory.storage.write(f"{run}/{FILE}", data)
    made.memory.look()
    return made


class Block(NamedTuple):
    """One run of a map, decoded by the table of docs/http.md."""

    run: int
    flags: int
    unshown: int
    held: int
    looked_at: int
    range: tuple[float, float]
    steps: list[float]
    walls: list[float]
    members: list[int]
    lines: list[list[float]]
    totals: list[float]
    below: list[float]
    above: list[float]
    cells: np.ndarray[Any, Any]


class Map(NamedTuple):
    low: float
    high: float
    top: float
    blocks: list[Block]


def decoded(body: bytes) -> Map:
    magic, count, _, low, high, top, rows, depth, lines, _ = struct.unpack_from("<4sIQdddIIII", body)
    assert magic == b"LBH1"
    at = 56

    def take(dtype: str, items: int) -> Any:
        nonlocal at
        found = np.frombuffer(body, dtype, items, at)
        at += -(-found.nbytes // 8) * 8
        return found

    blocks = []
    for _ in range(count):
        run, columns, flags, unshown, held, looked_at, own_low, own_high, _ = struct.unpack_from("<IIIIQQddd", body, at)
        at += 56
        steps, walls = take("<f8", columns).tolist(), take("<f8", columns).tolist()
        members = [1] * columns
        if flags & 1:
            take("<f8", columns)
            members = take("<u4", columns).tolist()
        quantiles = take("<f4", lines * columns).reshape(lines, columns).tolist()
        totals = take("<f4", columns).tolist()
        below, above = (np.round(take("<u1", columns) / 255, 2).tolist() for _ in range(2))
        codes = take("<u1" if depth == 8 else "<u2", columns * rows).reshape(columns, rows)
        cells = top * (codes / (2**depth - 1)) ** 2
        blocks.append(
            Block(
                run, flags, unshown, held, looked_at, (own_low, own_high),
                steps, walls, members, quantiles, totals, below, above, cells,
            )
        )  # fmt: skip
    assert at == len(body)
    return Map(low, high, top, blocks)


def map_of(board: Asker, **question: Any) -> Map:
    answer = board.post("/api/v1/histograms/map", json={"tag": "w", "columns": 10, "rows": 4} | question)
    assert answer.status_code == 200, answer.text
    return decoded(answer.content)


def test_a_column_is_a_step_while_there_is_room() -> None:
    """Steps, times, totals, quantiles and the mass in each cell."""
    board = asker(run=file_of(record(0, [(0, 1, 1), (1, 2, 1)]), record(5, [(1, 2, 8)])))
    found = map_of(board, range="full", depth=16)
    (block,) = found.blocks
    assert (block.steps, block.walls, block.totals, block.flags) == ([0, 5], [100, 105], [2, 8], 0)
    assert (found.low, found.high) == (-0.04, 2.04)
    # Least, 1, 5, 25, 50, 75, 95, 99 % and greatest.
    first, second = [0, 0.02, 0.1, 0.5, 1, 1.5, 1.9, 1.98, 2], [1, 1.01, 1.05, 1.25, 1.5, 1.75, 1.95, 1.99, 2]
    assert np.allclose(np.array(block.lines), np.array([first, second]).T)
    assert np.allclose(block.cells, [[0.24, 0.26, 0.26, 0.24], [0, 0, 0.52, 0.48]], atol=0.04)


def test_neighbours_share_a_column_where_there_is_none() -> None:
    """Equally many each, as their mean; lowest and highest are those of all of them."""
    board = asker(run=file_of(*(record(step, [(step, step + 1, 4)]) for step in range(8))))
    (block,) = map_of(board, columns=2, rows=8, range="full").blocks
    assert (block.flags, block.steps, block.members, block.held) == (1, [0, 4], [4, 4], 8)
    assert [block.lines[0], block.lines[8]] == [[0, 4], [4, 8]]
    assert np.allclose(block.cells.sum(axis=1), 1, atol=0.05)
    assert np.allclose(block.cells[0, 4:], 0, atol=0.01)


def test_real_steps_can_be_picked_instead() -> None:
    """The first, the last, and the one nearest to a step of choice."""
    board = asker(run=file_of(*(record(step, [(0, 1, 4)]) for step in range(100))))
    (block,) = map_of(board, columns=4, thin="pick", kept=62).blocks
    assert (block.flags, {0, 62, 99} <= set(block.steps), len(block.steps) <= 4) == (0, True, True)


def test_runs_of_a_tag_share_a_range_that_outliers_do_not_widen() -> None:
    """Or have one each; what lies outside is told."""
    outlier = [(-40.0, -39.0, 1.0), (-1.0, 1.0, 998.0), (39.0, 40.0, 1.0)]
    board = asker(a=file_of(record(0, outlier)), b=file_of(record(0, [(-2, 2, 10)])))
    shared, own, full = (map_of(board, **how) for how in ({}, {"shared": False}, {"range": "full"}))
    assert len({block.range for block in shared.blocks}) == 1
    assert -2.1 < shared.low < -1.5
    assert own.blocks[0].range[1] < 1.1
    assert own.blocks[1].range[1] > 1.5
    assert (round(full.low), round(full.high)) == (-42, 42)
    only = map_of(board, runs=[0], range_runs=[0, 1])
    assert [block.range for block in only.blocks] == [shared.blocks[0].range]
    narrow = asker(a=file_of(record(0, [(-1, 1, 997), (5, 6, 3)]), record(1, [(-1, 1, 1), (90, 91, 1)])), b=b"")
    assert len(map_of(narrow).blocks) == 1


def test_a_range_of_steps_brings_its_neighbours() -> None:
    """One on either side, so that pictures reach their edges."""
    board = asker(run=file_of(*(record(step, [(0, 1, 4)]) for step in range(10))))
    assert [map_of(board, x0=4, x1=5, axis=axis).blocks[0].steps for axis in ("step", "relative")] == [[3, 4, 5, 6]] * 2


def test_what_cannot_be_shown_is_counted_and_empty() -> None:
    """A histogram of four columns, one without rows, one cut off."""
    broken = tensor_value("w", tensor(DOUBLE, [1.0] * 4, shape=[1, 4]), METADATA)
    board = asker(run=file_of(record(0, [(0, 1, 1)]), summary_record([broken], step=1), record(2, [])))
    (block,) = map_of(board).blocks
    assert (block.steps, block.totals, block.unshown) == ([0, 1, 2], [1, 0, 0], 1)
    assert np.isnan(np.array(block.lines)[:, 1:]).all()


def test_a_growing_file_is_looked_at_again() -> None:
    """What was kept is of its time; a run that was replaced is another."""
    board = asker(run=file_of(record(0, [(0, 1, 1)])))
    before = map_of(board).blocks[0].steps
    board.memory.storage.append(f"run/{FILE}", record(1, [(0, 1, 1)]))
    board.memory.look()
    assert [before, map_of(board).blocks[0].steps] == [[0], [0, 1]]


def test_steps_of_a_dead_branch_are_hidden_unless_asked_for() -> None:
    """As points are."""
    data = file_of(record(0, [(0, 1, 1)]), record(9, [(0, 1, 1)]), start_record(step=5), record(5, [(0, 1, 1)]))
    board = asker(run=data)
    assert [map_of(board, orphans=orphans).blocks[0].steps for orphans in (False, True)] == [[0, 5], [0, 9, 5]]


def test_a_million_buckets_are_put_together() -> None:
    """In the picture by its cells, alone by neighbours; every one is in the table."""
    count = 1_000_000
    edges = np.linspace(0, 1, count + 1)
    rows = np.stack([edges[:-1], edges[1:], np.ones(count)], axis=1)
    shape = bytes_field(2, bytes_field(2, b"\x08\xc0\x84\x3d") + bytes_field(2, b"\x08\x03"))
    tensor_proto = b"\x08\x02" + shape + bytes_field(4, rows.tobytes())
    board = asker(run=file_of(summary_record([tensor_value("w", tensor_proto, METADATA)], step=3)))
    (block,) = map_of(board, rows=8, range="full", depth=16).blocks
    told = board.get("/api/v1/histograms/one?run=run&tag=w").json()
    assert np.allclose(block.cells, 1 / 8, atol=0.02)
    assert (told["held"], len(told["buckets"]) <= 4096, told["merged"]) == (count, True, 245)
    assert sum(bucket[2] for bucket in told["buckets"]) == count


def test_many_large_values_are_looked_at_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more bytes than a series may take; how many is told."""
    monkeypatch.setattr(histograms, "MOST_BYTES", 500)
    board = asker(run=file_of(*(record(step, [(0, 1, 1)] * 4) for step in range(50))))
    (block,) = map_of(board, columns=50).blocks
    assert (block.held, 2 <= block.looked_at < 5, block.steps[0], block.steps[-1]) == (50, True, 0, 49)


def test_one_histogram_is_told_as_it_was_written() -> None:
    """By key, by the nearest step, or the last."""
    board = asker(run=file_of(record(0, [(0, 1, 2)]), record(10, [(-0.1, 0.30000000000000004, 7)])))
    last = board.get("/api/v1/histograms/one?run=run&tag=w").json()
    assert last == {
        "run": "run",
        "tag": "w",
        "key": last["key"],
        "step": 10,
        "wall": 110.0,
        "held": 1,
        "merged": 1,
        "buckets": [[-0.1, 0.30000000000000004, 7.0]],
    }
    by_key, near = (
        board.get(f"/api/v1/histograms/one?run=run&tag=w&{which}").json() for which in (f"at={last['key']}", "step=4")
    )
    assert (by_key, near["step"]) == (last, 0)


def test_a_series_is_taken_away_exactly() -> None:
    """Every bucket of every step; values JSON lacks are words."""
    board = asker(run=file_of(record(0, [(0, 0.1, 2)]), record(1, []), record(2, [(0, float("inf"), 3), (1, 2, 1)])))
    url = "/api/v1/histograms/series?run=run&tag=w"
    assert board.get(url).json() == {
        "run": "run",
        "tag": "w",
        "histograms": [[100.0, 0, [[0, 0.1, 2]]], [101.0, 1, []], [102.0, 2, [[0, "Infinity", 3], [1, 2, 1]]]],
    }
    table = board.get(f"{url}&format=csv")
    assert table.text.splitlines() == [
        "step,wall_time,left,right,count",
        "0,100.0,0.0,0.1,2.0",
        "2,102.0,0.0,inf,3.0",
        "2,102.0,1.0,2.0,1.0",
    ]
    assert "attachment" in table.headers["content-disposition"]


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("/api/v1/histograms/one?run=run&tag=none", 404),
        ("/api/v1/histograms/one?run=none&tag=w", 404),
        ("/api/v1/histograms/one?run=run&tag=w&at=0.0", 404),
        ("/api/v1/histograms/one?run=run&tag=broken", 422),
        ("/api/v1/histograms/series?run=run&tag=none", 404),
        ("/api/v1/histograms/series?run=run&tag=w&format=xml", 400),
    ],
)
def test_errors_name_what_is_wrong(url: str, status: int) -> None:
    """Before anything is sent."""
    broken = tensor_value("broken", tensor(DOUBLE, [1.0] * 4, shape=[1, 4]), METADATA)
    answer = asker(run=file_of(record(0, [(0, 1, 1)]), summary_record([broken]))).get(url)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])


# TensorBoard's


def test_tensorboards_histograms_and_distributions() -> None:
    """Rows as they are, the older form in float32; nine basis points of each."""
    old = summary_record([histogram_value("old", [0.0, 0.1], [0.0, 4.0])], step=1, wall_time=5.0)
    board = asker(run=file_of(record(0, [(0, 1, 1), (1, 2, 1)]), old))
    words = {"w": {"displayName": "", "description": ""}, "old": {"displayName": "old", "description": ""}}
    assert [board.get(f"/data/plugin/{plugin}/tags").json() for plugin in ("histograms", "distributions")] == [
        {"run": words}
    ] * 2
    ask = {"run": "run", "tag": "w"}
    assert board.get("/data/plugin/histograms/histograms", params=ask).json() == [[100.0, 0, [[0, 1, 1], [1, 2, 1]]]]
    assert board.get("/data/plugin/distributions/distributions", params=ask).json() == [
        [100.0, 0, [[0, 0.0], [668, 0.1336], [1587, 0.3174], [3085, 0.617], [5000, 1.0], [6915, 1.383],
                    [8413, 1.6825999999999999], [9332, 1.8664], [10000, 2.0]]]
    ]  # fmt: skip
    assert board.get("/data/plugin/histograms/histograms?run=run&tag=old").json() == [
        [5.0, 1, [[0.0, 0.10000000149011612, 4.0]]]
    ]


def test_time_series_has_histograms_of_one_run() -> None:
    """In TensorBoard's form; a run that lacks the tag is left out."""
    board = asker(run=file_of(record(3, [(0, 1, 2)])))
    asked = [{"plugin": "histograms", "tag": "w", "run": run} for run in ("run", "none")]
    asked.append({"plugin": "histograms", "tag": "w"})
    answer = board.post("/data/plugin/timeseries/timeSeries", data={"requests": json.dumps(asked)}).json()
    bins = [{"wallTime": 103.0, "step": 3, "bins": [{"min": 0, "max": 1, "count": 2}]}]
    assert answer == [
        asked[0] | {"runToSeries": {"run": bins}},
        asked[1] | {"runToSeries": {}},
        asked[2] | {"error": "Missing run"},
    ]


def test_long_series_are_thinned_with_their_ends() -> None:
    """51 histograms, 501 distributions."""
    board = asker(run=file_of(*(record(step, [(0, 1, 1)]) for step in range(700))))
    found = [
        [row[1] for row in board.get(f"/data/plugin/{one}/{one}?run=run&tag=w").json()]
        for one in ("histograms", "distributions")
    ]
    assert [(len(steps), steps[0], steps[-1]) for steps in found] == [(51, 0, 699), (501, 0, 699)]


@pytest.mark.parametrize(("most", "count"), [(7, 7), (0, 700), (60, 60)])
def test_as_many_are_sent_as_the_flag_says(most: int, count: int) -> None:
    """--samples_per_plugin histograms=N; 0 means all."""
    file = file_of(*(record(step, [(0, 1, 1)]) for step in range(700)))
    board = asker({"histograms": most}, run=file)
    routes = [board.get(f"/data/plugin/{one}/{one}?run=run&tag=w").json() for one in ("histograms", "distributions")]
    asked = [{"plugin": "histograms", "tag": "w", "run": "run"}]
    (series,) = board.post("/data/plugin/timeseries/timeSeries", data={"requests": json.dumps(asked)}).json()

    assert [len(found) for found in (*routes, series["runToSeries"]["run"])] == [count] * 3


def test_unknown_series_are_told_in_tensorboards_words() -> None:
    """404, as text."""
    answer = asker(run=file_of(record(0, [(0, 1, 1)]))).get("/data/plugin/histograms/histograms?run=run&tag=x")
    assert (answer.status_code, answer.text) == (404, "Not found: No histogram tag 'x' for run 'run'")


def test_a_map_holds_no_more_cells_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of further runs are made once more when they are sent: the same bytes, however many runs there are."""
    runs = {f"run{at}": file_of(*(record(step, [(0.0, at + 1.0, step + 1.0)]) for step in range(9))) for at in range(6)}
    provider = asker(**runs).provider
    style = MapStyle(
        columns=50, rows=64, range="robust", shared=True, range_runs=None, pick=False, kept=None, depth=8,
        axis=0, x0=-math.inf, x1=math.inf, orphans=False,
    )  # fmt: skip

    def drawn() -> tuple[bytes, int]:
        pieces = list(draw_map(provider, "w", None, style))
        held = max(piece for piece in pieces if isinstance(piece, int))
        return b"".join(piece for piece in pieces if isinstance(piece, bytes)), held

    whole, held_by_all = drawn()
    most = held_by_all // 3
    monkeypatch.setattr("lightboard.query.histogrammaps.HELD_BYTES", most)
    again, held = drawn()

    assert (again == whole, 0 < held <= most) == (True, True)
