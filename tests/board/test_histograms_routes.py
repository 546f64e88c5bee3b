"""Histogram routes: heat maps, single histograms, series, and TensorBoard's routes."""

import json
import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

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
from support.board_client import BoardClient

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


def client(samples: dict[str, int] | None = None, **files: bytes) -> BoardClient:
    """A board whose runs have one file each."""
    made = BoardClient({}, samples=samples or {})
    for run, data in files.items():
        made.memory.storage.write(f"{run}/{FILE}", data)
    made.memory.refresh()
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


def map_of(board: BoardClient, **question: Any) -> Map:
    answer = board.post("/api/v1/histograms/map", json={"tag": "w", "columns": 10, "rows": 4} | question)
    assert answer.status_code == 200, answer.text
    return decoded(answer.content)


def test_steps_are_columns_if_they_fit() -> None:
    """Steps, times, totals, quantiles and mass of each cell."""
    board = client(run=file_of(record(0, [(0, 1, 1), (1, 2, 1)]), record(5, [(1, 2, 8)])))
    found = map_of(board, range="full", depth=16)
    (block,) = found.blocks
    assert (block.steps, block.walls, block.totals, block.flags) == ([0, 5], [100, 105], [2, 8], 0)
    assert (found.low, found.high) == (-0.04, 2.04)
    # Least, 1, 5, 25, 50, 75, 95, 99 % and greatest.
    first, second = [0, 0.02, 0.1, 0.5, 1, 1.5, 1.9, 1.98, 2], [1, 1.01, 1.05, 1.25, 1.5, 1.75, 1.95, 1.99, 2]
    assert np.allclose(np.array(block.lines), np.array([first, second]).T)
    assert np.allclose(block.cells, [[0.24, 0.26, 0.26, 0.24], [0, 0, 0.52, 0.48]], atol=0.04)


def test_otherwise_steps_share_columns() -> None:
    """As their mean; extremes are kept."""
    board = client(run=file_of(*(record(step, [(step, step + 1, 4)]) for step in range(8))))
    (block,) = map_of(board, columns=2, rows=8, range="full").blocks
    assert (block.flags, block.steps, block.members, block.held) == (1, [0, 4], [4, 4], 8)
    assert [block.lines[0], block.lines[8]] == [[0, 4], [4, 8]]
    assert np.allclose(block.cells.sum(axis=1), 1, atol=0.05)
    assert np.allclose(block.cells[0, 4:], 0, atol=0.01)


def test_steps_can_be_sampled() -> None:
    """First, last, and the one nearest to a chosen step."""
    board = client(run=file_of(*(record(step, [(0, 1, 4)]) for step in range(100))))
    (block,) = map_of(board, columns=4, thin="pick", kept=62).blocks
    assert (block.flags, {0, 62, 99} <= set(block.steps), len(block.steps) <= 4) == (0, True, True)


def test_ranges_ignore_outliers() -> None:
    """Shared or per run; values outside are counted."""
    outlier = [(-40.0, -39.0, 1.0), (-1.0, 1.0, 998.0), (39.0, 40.0, 1.0)]
    board = client(a=file_of(record(0, outlier)), b=file_of(record(0, [(-2, 2, 10)])))
    shared, own, full = (map_of(board, **how) for how in ({}, {"shared": False}, {"range": "full"}))
    assert len({block.range for block in shared.blocks}) == 1
    assert -2.1 < shared.low < -1.5
    assert own.blocks[0].range[1] < 1.1
    assert own.blocks[1].range[1] > 1.5
    assert (round(full.low), round(full.high)) == (-42, 42)
    only = map_of(board, runs=[0], range_runs=[0, 1])
    assert [block.range for block in only.blocks] == [shared.blocks[0].range]
    narrow = client(a=file_of(record(0, [(-1, 1, 997), (5, 6, 3)]), record(1, [(-1, 1, 1), (90, 91, 1)])), b=b"")
    assert len(map_of(narrow).blocks) == 1


def test_step_ranges_include_neighbours() -> None:
    """So that pictures reach the edges."""
    board = client(run=file_of(*(record(step, [(0, 1, 4)]) for step in range(10))))
    assert [map_of(board, x0=4, x1=5, axis=axis).blocks[0].steps for axis in ("step", "relative")] == [[3, 4, 5, 6]] * 2


def test_invalid_histograms_are_counted() -> None:
    """Wrong shapes, no rows, truncated data."""
    broken = tensor_value("w", tensor(DOUBLE, [1.0] * 4, shape=[1, 4]), METADATA)
    board = client(run=file_of(record(0, [(0, 1, 1)]), summary_record([broken], step=1), record(2, [])))
    (block,) = map_of(board).blocks
    assert (block.steps, block.totals, block.unshown) == ([0, 1, 2], [1, 0, 0], 1)
    assert np.isnan(np.array(block.lines)[:, 1:]).all()


def test_caches_follow_the_file() -> None:
    """Also after a run was replaced."""
    board = client(run=file_of(record(0, [(0, 1, 1)])))
    before = map_of(board).blocks[0].steps
    board.memory.storage.append(f"run/{FILE}", record(1, [(0, 1, 1)]))
    board.memory.refresh()
    assert [before, map_of(board).blocks[0].steps] == [[0], [0, 1]]


def test_superseded_steps_are_optional() -> None:
    """As points are."""
    data = file_of(record(0, [(0, 1, 1)]), record(9, [(0, 1, 1)]), start_record(step=5), record(5, [(0, 1, 1)]))
    board = client(run=data)
    assert [map_of(board, orphans=orphans).blocks[0].steps for orphans in (False, True)] == [[0, 5], [0, 9, 5]]


def test_many_buckets_are_merged() -> None:
    """In maps and single histograms; tables have all."""
    count = 1_000_000
    edges = np.linspace(0, 1, count + 1)
    rows = np.stack([edges[:-1], edges[1:], np.ones(count)], axis=1)
    shape = bytes_field(2, bytes_field(2, b"\x08\xc0\x84\x3d") + bytes_field(2, b"\x08\x03"))
    tensor_proto = b"\x08\x02" + shape + bytes_field(4, rows.tobytes())
    board = client(run=file_of(summary_record([tensor_value("w", tensor_proto, METADATA)], step=3)))
    (block,) = map_of(board, rows=8, range="full", depth=16).blocks
    told = board.get("/api/v1/histograms/one?run=run&tag=w").json()
    assert np.allclose(block.cells, 1 / 8, atol=0.02)
    assert (told["held"], len(told["buckets"]) <= 4096, told["merged"]) == (count, True, 245)
    assert sum(bucket[2] for bucket in told["buckets"]) == count


def test_large_series_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a byte limit, which is reported."""
    monkeypatch.setattr(histograms, "MAX_SERIES_BYTES", 500)
    board = client(run=file_of(*(record(step, [(0, 1, 1)] * 4) for step in range(50))))
    (block,) = map_of(board, columns=50).blocks
    assert (block.held, 2 <= block.looked_at < 5, block.steps[0], block.steps[-1]) == (50, True, 0, 49)


def test_single_histograms_are_exact() -> None:
    """By key, nearest step, or last."""
    board = client(run=file_of(record(0, [(0, 1, 2)]), record(10, [(-0.1, 0.30000000000000004, 7)])))
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


def test_series_downloads_are_exact() -> None:
    """Every bucket of every step; non-finite values as strings."""
    board = client(run=file_of(record(0, [(0, 0.1, 2)]), record(1, []), record(2, [(0, float("inf"), 3), (1, 2, 1)])))
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
def test_invalid_parameters_are_named(url: str, status: int) -> None:
    """Before anything is sent."""
    broken = tensor_value("broken", tensor(DOUBLE, [1.0] * 4, shape=[1, 4]), METADATA)
    answer = client(run=file_of(record(0, [(0, 1, 1)]), summary_record([broken]))).get(url)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])


# TensorBoard's


def test_tensorboard_histograms_and_distributions() -> None:
    """The older format in float32; nine basis points."""
    old = summary_record([histogram_value("old", [0.0, 0.1], [0.0, 4.0])], step=1, wall_time=5.0)
    board = client(run=file_of(record(0, [(0, 1, 1), (1, 2, 1)]), old))
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


def test_time_series_histograms() -> None:
    """Runs without the tag are omitted."""
    board = client(run=file_of(record(3, [(0, 1, 2)])))
    asked = [{"plugin": "histograms", "tag": "w", "run": run} for run in ("run", "none")]
    asked.append({"plugin": "histograms", "tag": "w"})
    answer = board.post("/data/plugin/timeseries/timeSeries", data={"requests": json.dumps(asked)}).json()
    bins = [{"wallTime": 103.0, "step": 3, "bins": [{"min": 0, "max": 1, "count": 2}]}]
    assert answer == [
        asked[0] | {"runToSeries": {"run": bins}},
        asked[1] | {"runToSeries": {}},
        asked[2] | {"error": "Missing run"},
    ]


def test_long_histogram_series_are_sampled() -> None:
    """51 histograms, 501 distributions, with first and last."""
    board = client(run=file_of(*(record(step, [(0, 1, 1)]) for step in range(700))))
    found = [
        [row[1] for row in board.get(f"/data/plugin/{one}/{one}?run=run&tag=w").json()]
        for one in ("histograms", "distributions")
    ]
    assert [(len(steps), steps[0], steps[-1]) for steps in found] == [(51, 0, 699), (501, 0, 699)]


@pytest.mark.parametrize(("most", "count"), [(7, 7), (0, 700), (60, 60)])
def test_samples_per_plugin_limits_histograms(most: int, count: int) -> None:
    """0 means all."""
    file = file_of(*(record(step, [(0, 1, 1)]) for step in range(700)))
    board = client({"histograms": most}, run=file)
    routes = [board.get(f"/data/plugin/{one}/{one}?run=run&tag=w").json() for one in ("histograms", "distributions")]
    asked = [{"plugin": "histograms", "tag": "w", "run": "run"}]
    (series,) = board.post("/data/plugin/timeseries/timeSeries", data={"requests": json.dumps(asked)}).json()

    assert [len(found) for found in (*routes, series["runToSeries"]["run"])] == [count] * 3


def test_unknown_histograms_get_tensorboards_error() -> None:
    """404, as text."""
    answer = client(run=file_of(record(0, [(0, 1, 1)]))).get("/data/plugin/histograms/histograms?run=run&tag=x")
    assert (answer.status_code, answer.text) == (404, "Not found: No histogram tag 'x' for run 'run'")


def test_map_cells_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Further runs are computed again when sent; the bytes are the same."""
    runs = {f"run{at}": file_of(*(record(step, [(0.0, at + 1.0, step + 1.0)]) for step in range(9))) for at in range(6)}
    provider = client(**runs).provider
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
    monkeypatch.setattr("lightboard.query.histogrammaps.MAX_HELD_BYTES", most)
    again, held = drawn()

    assert (again == whole, 0 < held <= most) == (True, True)
