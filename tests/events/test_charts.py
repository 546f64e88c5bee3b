"""What one chart draws: raw points where they are few, exact pixel columns where they are many."""

import math
import random
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from columns import chart, parse_chart, unpacked

from lightboard.testing.event_files import (
    DOUBLE,
    scalar_record,
    scalar_records,
    start_record,
    tensor,
    tensor_record,
    version_record,
)

Decoded = Callable[..., Any]
Point = tuple[int, float, float]
STEP, RELATIVE, WALL = 0, 1, 2


def series(decoded: Decoded, points: Iterable[Point]) -> list[Any]:
    """The parts of a series of one file, written by a writer of version 2."""
    return [(decoded(version_record(), *scalar_records("a", points)), 0)]


def noise(count: int, seed: int = 7) -> list[Point]:
    """A random walk of values that float32 holds."""
    chance = random.Random(seed)
    return [(step, 1.7e9 + step, chance.randrange(-1000, 1000) / 8) for step in range(count)]


def test_few_points_are_all_drawn(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Up to two points a pixel everything is sent."""
    points = noise(200)
    found = chart(impl, series(decoded, points), run=7)
    assert found.line == [(step, value) for step, _, value in points]
    assert (found.run, found.raw, found.wide, found.microseconds) == (7, True, False, False)
    assert (found.held, found.in_range, found.smoothed, found.restarts, found.aux) == (200, 200, [], [], None)


def test_many_points_are_thinned_exactly(impl: SimpleNamespace, decoded: Decoded) -> None:
    """In every pixel column: the first, the lowest, the highest and the last point, real ones, in order."""
    points = noise(5000)
    found = chart(impl, series(decoded, points), px=50)
    columns = defaultdict(list)
    for step, _, value in points:
        columns[min(int(step * (50 / 4999)), 49)].append((step, value))
    expected = []
    for group in columns.values():
        low = min(group, key=lambda point: point[1])
        high = max(group, key=lambda point: point[1])
        expected += sorted({group[0], low, high, group[-1]})
    assert found.line == expected
    assert (found.raw, found.held, found.in_range) == (False, 5000, 5000)
    assert len(found.line) <= 4 * 50


def test_zooming_reaches_raw_points_with_neighbours(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Inside the range every point, and one beyond each edge so that the line reaches it."""
    parts = series(decoded, noise(5000))
    found = chart(impl, parts, x0=1000.0, x1=1010.5, px=50)
    assert [step for step, _ in found.line] == list(range(999, 1012))
    assert (found.raw, found.held, found.in_range) == (True, 5000, 13)


def test_zooming_between_two_points(impl: SimpleNamespace, decoded: Decoded) -> None:
    """The line that crosses the range is drawn though no point lies in it."""
    parts = series(decoded, noise(100))
    assert [step for step, _ in chart(impl, parts, x0=10.2, x1=10.8).line] == [10, 11]


def test_beyond_the_series(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Before its start and after its end, and in a range turned round, there is nothing."""
    parts = series(decoded, noise(100))
    for x0, x1 in ((-50.0, -1.0), (99.5, 200.0), (20.0, 10.0)):
        assert (chart(impl, parts, x0=x0, x1=x1).line, chart(impl, parts, x0=x0, x1=x1).held) == ([], 100)


def test_neighbours_of_a_thinned_range(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Beyond the edges lies one point on each side, whatever happens within."""
    found = chart(impl, series(decoded, noise(5000)), x0=1000.0, x1=2000.0, px=20)
    assert (found.line[0][0], found.line[1][0]) == (999, 1000)
    assert (found.line[-1][0], found.line[-2][0]) == (2001, 2000)
    assert (found.in_range, found.raw) == (1003, False)


def test_an_empty_series(impl: SimpleNamespace) -> None:
    """A block of nothing but its header."""
    data = impl.series_chart([], True, 3, STEP, -math.inf, math.inf, 100, 0.6, True)
    found, length = parse_chart(data)
    assert (length, len(data), found.run, found.held, found.line, found.raw) == (64, 64, 3, 0, [], True)


@pytest.mark.parametrize("count", [150, 5000])
def test_time_axes(impl: SimpleNamespace, decoded: Decoded, count: int) -> None:
    """Seconds since the first point, or since the epoch; sent in microseconds, asked for in seconds."""
    points = [(i, 1.7e9 + i * 0.001, float(i % 7)) for i in range(count)]
    parts = series(decoded, points)
    walls = [wall for _, wall, _ in points]
    relative = chart(impl, parts, axis=RELATIVE, px=100)
    wall = chart(impl, parts, axis=WALL, px=100)
    assert relative.microseconds
    assert wall.microseconds
    everywhere = {round((w - walls[0]) * 1e6) for w in walls}, {round(w * 1e6) for w in walls}
    assert {x for x, _ in relative.line} <= everywhere[0]
    assert {x for x, _ in wall.line} <= everywhere[1]
    assert (relative.line[0][0], relative.line[-1][0]) == (0, round((walls[-1] - walls[0]) * 1e6))
    zoomed = chart(impl, parts, axis=RELATIVE, x0=0.0505, x1=0.0535)
    assert [x for x, _ in zoomed.line] == [round((walls[i] - walls[0]) * 1e6) for i in range(50, 55)]
    zoomed = chart(impl, parts, axis=WALL, x0=1.7e9 + 0.0505, x1=1.7e9 + 0.0535)
    assert [x for x, _ in zoomed.line] == [round(walls[i] * 1e6) for i in range(50, 55)]


def test_points_without_a_usable_wall_time(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Against time they are not drawn, against steps they are; the first with a time is where relative time begins."""
    walls = [math.nan, 100.0, math.inf, 101.0, 1e300, 102.0]
    parts = series(decoded, [(step, wall, float(step)) for step, wall in enumerate(walls)])
    assert [y for _, y in chart(impl, parts).line] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    relative = chart(impl, parts, axis=RELATIVE)
    assert relative.line == [(0, 1.0), (1_000_000, 3.0), (2_000_000, 5.0)]
    assert (relative.held, relative.in_range) == (6, 3)


def test_doubles_are_sent_as_doubles(impl: SimpleNamespace, decoded: Decoded) -> None:
    """A series that needs float64 keeps it on the way."""
    records = [tensor_record("a", step, tensor(DOUBLE, [step / 10])) for step in range(10)]
    found = chart(impl, [(decoded(*records), 0)])
    assert found.wide
    assert found.line == [(step, step / 10) for step in range(10)]


def test_non_finite_values_are_points(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Few points: all of them. Many: in a column at most one NaN and one infinity besides its ends."""
    values = [math.nan if i % 5 == 1 else math.inf if i % 5 == 2 else float(i) for i in range(2000)]
    parts = series(decoded, [(i, float(i), value) for i, value in enumerate(values)])
    raw = chart(impl, parts, px=1000)
    assert [repr(y) for _, y in raw.line] == [repr(value) for value in values]
    thinned = chart(impl, parts, px=10)
    for column in range(10):
        ys = [y for x, y in thinned.line if min(int(x * (10 / 1999)), 9) == column]
        inner = ys[1:-1]
        assert sum(math.isnan(y) for y in inner) <= 1
        assert sum(math.isinf(y) for y in inner) <= 1
        assert any(map(math.isnan, ys))
        assert any(map(math.isinf, ys))


def test_aux_against_steps_is_wall_time(impl: SimpleNamespace, decoded: Decoded) -> None:
    """In milliseconds; one that cannot be shown takes the one before."""
    walls = [1.7e9, 1.7e9 + 1.5, math.nan, 1.7e9 + 3]
    parts = series(decoded, [(step, wall, 1.0) for step, wall in enumerate(walls)])
    millis = [1_700_000_000_000 + more for more in (0, 1500, 1500, 3000)]
    assert chart(impl, parts, aux=True).aux == millis


def test_aux_against_time_is_the_step(impl: SimpleNamespace, decoded: Decoded) -> None:
    """So that a tooltip can name it."""
    parts = series(decoded, [(step * 10, 1.7e9 + step, 1.0) for step in range(4)])
    assert chart(impl, parts, axis=WALL, aux=True).aux == [0, 10, 20, 30]


def test_aux_of_thinned_points(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Belongs to the points drawn."""
    found = chart(impl, series(decoded, noise(5000)), px=20, aux=True)
    assert found.aux == [1_700_000_000_000 + step * 1000 for step, _ in found.line]


def smoothed_float32(impl: SimpleNamespace, values: list[float], weight: float) -> list[float]:
    """Smoothed values as they travel in a block of float32."""
    data = impl.smooth(struct.pack(f"<{len(values)}d", *values), weight)
    return unpacked("f", struct.pack(f"<{len(values)}f", *unpacked("d", data)))


def test_smoothing_part_of_a_series(impl: SimpleNamespace, decoded: Decoded) -> None:
    """One smoothed y for each point drawn, computed on the full series."""
    points = noise(3000)
    parts = series(decoded, points)
    expected = smoothed_float32(impl, [value for _, _, value in points], 0.9)
    part = chart(impl, parts, smoothing=0.9, x0=500.0, x1=510.0)
    assert part.smoothed == [(step, expected[step]) for step in range(499, 512)]
    assert part.line == [(step, value) for step, _, value in points[499:512]]


def test_a_whole_series_carries_no_smoothed_values(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Every point is there, so whoever draws it can smooth it, for any weight."""
    parts = series(decoded, noise(200))
    assert chart(impl, parts, smoothing=0.9) == chart(impl, parts, smoothing=0.0)


def test_smoothing_a_thinned_chart(impl: SimpleNamespace, decoded: Decoded) -> None:
    """The smoothed line is thinned on its own: real smoothed points, with its own lowest and highest."""
    points = noise(20_000)
    parts = series(decoded, points)
    values = struct.pack("<20000d", *(value for _, _, value in points))
    expected = [struct.unpack("<f", struct.pack("<f", y))[0] for y in unpacked("d", impl.smooth(values, 0.99))]
    found = chart(impl, parts, smoothing=0.99, px=30)
    assert all(expected[x] == y for x, y in found.smoothed)
    assert (min(y for _, y in found.smoothed), max(y for _, y in found.smoothed)) == (min(expected), max(expected))
    assert found.smoothed != found.line
    assert found.line == chart(impl, parts, px=30).line


def test_smoothing_runs_over_restarts(impl: SimpleNamespace, decoded: Decoded) -> None:
    """The average does not begin anew, and hidden points are no part of it."""
    records = [scalar_record("a", step, float(step)) for step in range(10)]
    again = [scalar_record("a", step, 5.0) for step in range(5, 10)]
    decoder = decoded(version_record(), *records, start_record(step=5), *again)
    expected = smoothed_float32(impl, [0, 1, 2, 3, 4, 5, 5, 5, 5, 5], 0.6)
    found = chart(impl, [(decoder, 0)], smoothing=0.6, x0=2.0)
    assert found.smoothed == list(enumerate(expected))[1:]


def test_a_constant_series_is_not_smoothed(impl: SimpleNamespace, decoded: Decoded) -> None:
    """To the bit, thinned or not."""
    parts = series(decoded, [(step, 0.0, 0.1) for step in range(1000)])
    assert {y for _, y in chart(impl, parts, smoothing=0.6, px=10).smoothed} == {
        y for _, y in chart(impl, parts, px=10).line
    }


def test_a_restart_is_marked(impl: SimpleNamespace, decoded: Decoded) -> None:
    """At the first point after it, on every axis; hidden points leave one line that does not go back."""
    before = [scalar_record("a", step, float(step), 100.0 + step) for step in range(10)]
    after = [scalar_record("a", step, float(step), 200.0 + step) for step in range(6, 12)]
    parts = [(decoded(version_record(), *before, start_record(step=6), *after), 0)]
    found = chart(impl, parts)
    assert [step for step, _ in found.line] == list(range(12))
    assert (found.restarts, found.held) == ([6], 12)
    assert chart(impl, parts, axis=RELATIVE).restarts == [106_000_000]
    assert chart(impl, parts, axis=WALL).restarts == [206_000_000]
    assert chart(impl, parts, x0=7.0).restarts == []


def test_a_restart_in_another_file(impl: SimpleNamespace, decoded: Decoded) -> None:
    """The parts make one line, with a mark where the second begins."""
    first = decoded(version_record(), *scalar_records("a", noise(10)))
    second = decoded(version_record(), start_record(step=7), *scalar_records("a", noise(20)[7:]))
    found = chart(impl, [(first, 0), (second, 0)])
    assert [step for step, _ in found.line] == list(range(20))
    assert found.restarts == [7]


def test_the_dead_branch_can_be_drawn(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Unpurged, the line goes back where the run did."""
    before = [scalar_record("a", step, float(step)) for step in range(10)]
    after = [scalar_record("a", step, -1.0) for step in range(6, 12)]
    parts = [(decoded(version_record(), *before, start_record(step=6), *after), 0)]
    found = chart(impl, parts, purge=False)
    assert [step for step, _ in found.line] == [*range(10), *range(6, 12)]
    assert found.restarts == [6]


def test_branches_are_thinned_one_by_one(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Two branches over the same steps are two exact lines."""
    up, down = ([(step, 0.0, side * step / 8) for step in range(3000)] for side in (1, -1))
    parts = series(decoded, [*up, *down])
    found = chart(impl, parts, px=10)
    back = next(i for i in range(1, len(found.line)) if found.line[i][0] < found.line[i - 1][0])
    alone = chart(impl, series(decoded, up), px=10).line, chart(impl, series(decoded, down), px=10).line
    assert (found.line[:back], found.line[back:]) == alone


def test_disorder_is_thinned_by_columns_alone(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Steps that jump back and forth all the time: still no more than six points a column, and exact ones."""
    points = [(i * 7919 % 5000, 0.0, float(i % 501)) for i in range(5000)]
    found = chart(impl, series(decoded, points), px=20)
    assert len(found.line) <= 6 * 20
    columns = defaultdict(list)
    for step, _, value in points:
        columns[min(int(step * (20 / 4999)), 19)].append(value)
    for number, values in columns.items():
        drawn = [y for x, y in found.line if min(int(x * (20 / 4999)), 19) == number]
        assert (min(drawn), max(drawn)) == (min(values), max(values))


def test_restart_marks_are_bounded(impl: SimpleNamespace, decoded: Decoded) -> None:
    """A series that goes back thousands of times does not send thousands of marks."""
    parts = series(decoded, [(i % 2, 0.0, 1.0) for i in range(3000)])
    assert len(chart(impl, parts).restarts) == 256


def test_steps_at_both_ends_of_int64(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Differences are taken modulo 2^64, so any two steps can follow one another."""
    low, high = -(1 << 63), (1 << 63) - 1
    found = chart(impl, series(decoded, [(low, 0.0, 1.0), (high, 0.0, 2.0)]))
    assert [(x - low) % (1 << 64) for x, _ in found.line] == [0, (1 << 64) - 1]


def test_all_points_at_one_step(impl: SimpleNamespace, decoded: Decoded) -> None:
    """One column holds them all."""
    parts = series(decoded, [(5, 0.0, float(i)) for i in range(1000)])
    assert chart(impl, parts, px=10).line == [(5, 0.0), (5, 999.0)]


@pytest.mark.parametrize(("count", "points"), [(100, 3), (2, 20_000), (3, 20_000), (40, 1_000)])
def test_many_series_at_once(impl: SimpleNamespace, decoded: Decoded, count: int, points: int) -> None:
    """The blocks of each, in the order asked for, also where two threads make them."""
    decoder = decoded(*(scalar_record(f"tag{i}", step, i + step % 7) for step in range(points) for i in range(count)))
    requests = [([(decoder, i)], 1000 + i) for i in range(count)]
    ask = (True, STEP, -math.inf, math.inf, 100, 0.6, True)
    blocks = impl.chart_many(requests, *ask)
    assert blocks == b"".join(impl.series_chart([(decoder, i)], True, 1000 + i, *ask[1:]) for i in range(count))
    assert impl.chart_many([], *ask) == b""


def test_no_series_is_drawn_after_somebody_said_stop(impl: SimpleNamespace, decoded: Decoded) -> None:
    """One byte that another thread may set at any time; neither of many series nor of many groups."""
    decoder = decoded(*(scalar_record(f"tag{i}", step, float(i)) for step in range(3) for i in range(100)))
    requests = [([(decoder, i)], i) for i in range(100)]
    spec = (True, STEP, -math.inf, math.inf, 100, 0.0)
    go, stop = bytearray(1), bytearray(b"\1")

    assert impl.chart_many(requests, *spec, False, go) == impl.chart_many(requests, *spec, False)
    assert impl.chart_many(requests, *spec, False, stop) == b""
    assert impl.group_many([(requests, 7)] * 3, 0, 1, *spec, go) == impl.group_many([(requests, 7)] * 3, 0, 1, *spec)
    assert impl.group_many([(requests, 7)] * 3, 0, 1, *spec, stop) == b""


@pytest.mark.parametrize(
    "wrong",
    [
        {"axis": 4},
        {"axis": -1},
        {"x0": math.nan},
        {"x1": math.nan},
        {"px": 0},
        {"px": 65537},
        {"smoothing": -0.1},
        {"smoothing": 1.5},
        {"smoothing": math.nan},
        {"run": -1},
        {"run": 1 << 32},
    ],
)
def test_charts_that_make_no_sense(impl: SimpleNamespace, decoded: Decoded, wrong: dict[str, Any]) -> None:
    """Raise ValueError."""
    with pytest.raises(ValueError, match=r"chart|weight|run id"):
        chart(impl, series(decoded, noise(3)), **wrong)
