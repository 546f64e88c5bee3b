"""The points of one chart: all of them if there are few, exact pixel columns if there are many."""

import math
import random
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard.testing.event_files import (
    DOUBLE,
    scalar_record,
    scalar_records,
    start_record,
    tensor,
    tensor_record,
    version_record,
)
from support.series_columns import chart, parse_chart, unpack_column

Decode = Callable[..., Any]
Point = tuple[int, float, float]
STEP, RELATIVE, WALL = 0, 1, 2


def series(decode: Decode, points: Iterable[Point]) -> list[Any]:
    """The parts of a series of one file, written by a writer of version 2."""
    return [(decode(version_record(), *scalar_records("a", points)), 0)]


def noise(count: int, seed: int = 7) -> list[Point]:
    """A random walk of values that float32 holds."""
    chance = random.Random(seed)
    return [(step, 1.7e9 + step, chance.randrange(-1000, 1000) / 8) for step in range(count)]


def test_short_series_are_sent_whole(impl: SimpleNamespace, decode: Decode) -> None:
    """Up to two points per pixel."""
    points = noise(200)
    found = chart(impl, series(decode, points), run=7)
    assert found.line == [(step, value) for step, _, value in points]
    assert (found.run, found.raw, found.wide, found.microseconds) == (7, True, False, False)
    assert (found.held, found.in_range, found.smoothed, found.restarts, found.aux) == (200, 200, [], [], None)


def test_long_series_are_downsampled_by_pixel_column(impl: SimpleNamespace, decode: Decode) -> None:
    """Each column has its first, lowest, highest and last point, in order; no point is made up."""
    points = noise(5000)
    found = chart(impl, series(decode, points), px=50)
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


def test_zoomed_ranges_include_one_neighbour_on_each_side(impl: SimpleNamespace, decode: Decode) -> None:
    """So that the line reaches both edges. In between, every point is sent."""
    parts = series(decode, noise(5000))
    found = chart(impl, parts, x0=1000.0, x1=1010.5, px=50)
    assert [step for step, _ in found.line] == list(range(999, 1012))
    assert (found.raw, found.held, found.in_range) == (True, 5000, 13)


def test_ranges_between_two_points_draw_the_crossing_line(impl: SimpleNamespace, decode: Decode) -> None:
    """Both neighbours are sent though no point lies in the range."""
    parts = series(decode, noise(100))
    assert [step for step, _ in chart(impl, parts, x0=10.2, x1=10.8).line] == [10, 11]


def test_ranges_outside_a_series_are_empty(impl: SimpleNamespace, decode: Decode) -> None:
    """Before its start, after its end, and with the ends reversed."""
    parts = series(decode, noise(100))
    for x0, x1 in ((-50.0, -1.0), (99.5, 200.0), (20.0, 10.0)):
        assert (chart(impl, parts, x0=x0, x1=x1).line, chart(impl, parts, x0=x0, x1=x1).held) == ([], 100)


def test_downsampled_ranges_keep_their_neighbours(impl: SimpleNamespace, decode: Decode) -> None:
    """One point beyond each edge, however much is downsampled in between."""
    found = chart(impl, series(decode, noise(5000)), x0=1000.0, x1=2000.0, px=20)
    assert (found.line[0][0], found.line[1][0]) == (999, 1000)
    assert (found.line[-1][0], found.line[-2][0]) == (2001, 2000)
    assert (found.in_range, found.raw) == (1003, False)


def test_empty_series_are_a_header_only(impl: SimpleNamespace) -> None:
    """64 bytes that say which run it is."""
    data = impl.series_chart([], True, 3, STEP, -math.inf, math.inf, 100, 0.6, True)
    found, length = parse_chart(data)
    assert (length, len(data), found.run, found.held, found.line, found.raw) == (64, 64, 3, 0, [], True)


@pytest.mark.parametrize("count", [150, 5000])
def test_time_axes(impl: SimpleNamespace, decode: Decode, count: int) -> None:
    """Relative and wall time are sent in microseconds; requests give ranges in seconds."""
    points = [(i, 1.7e9 + i * 0.001, float(i % 7)) for i in range(count)]
    parts = series(decode, points)
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


def test_points_without_a_wall_time_are_left_out_of_time_axes(impl: SimpleNamespace, decode: Decode) -> None:
    """The first point with a finite time is the origin of relative time. Step axes draw all points."""
    walls = [math.nan, 100.0, math.inf, 101.0, 1e300, 102.0]
    parts = series(decode, [(step, wall, float(step)) for step, wall in enumerate(walls)])
    assert [y for _, y in chart(impl, parts).line] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    relative = chart(impl, parts, axis=RELATIVE)
    assert relative.line == [(0, 1.0), (1_000_000, 3.0), (2_000_000, 5.0)]
    assert (relative.held, relative.in_range) == (6, 3)


def test_doubles_are_sent_as_doubles(impl: SimpleNamespace, decode: Decode) -> None:
    """If any value needs float64, all values are sent as such."""
    records = [tensor_record("a", step, tensor(DOUBLE, [step / 10])) for step in range(10)]
    found = chart(impl, [(decode(*records), 0)])
    assert found.wide
    assert found.line == [(step, step / 10) for step in range(10)]


def test_nonfinite_values_are_drawn(impl: SimpleNamespace, decode: Decode) -> None:
    """Short series send all; a downsampled column has at most one NaN and one infinity between its ends."""
    values = [math.nan if i % 5 == 1 else math.inf if i % 5 == 2 else float(i) for i in range(2000)]
    parts = series(decode, [(i, float(i), value) for i, value in enumerate(values)])
    raw = chart(impl, parts, px=1000)
    assert [repr(y) for _, y in raw.line] == [repr(value) for value in values]
    downsampled = chart(impl, parts, px=10)
    for column in range(10):
        ys = [y for x, y in downsampled.line if min(int(x * (10 / 1999)), 9) == column]
        inner = ys[1:-1]
        assert sum(math.isnan(y) for y in inner) <= 1
        assert sum(math.isinf(y) for y in inner) <= 1
        assert any(map(math.isnan, ys))
        assert any(map(math.isinf, ys))


def test_aux_of_step_axes_is_wall_time(impl: SimpleNamespace, decode: Decode) -> None:
    """In milliseconds. A time that is not finite repeats the previous one."""
    walls = [1.7e9, 1.7e9 + 1.5, math.nan, 1.7e9 + 3]
    parts = series(decode, [(step, wall, 1.0) for step, wall in enumerate(walls)])
    millis = [1_700_000_000_000 + more for more in (0, 1500, 1500, 3000)]
    assert chart(impl, parts, aux=True).aux == millis


def test_aux_of_time_axes_is_the_step(impl: SimpleNamespace, decode: Decode) -> None:
    """Tooltips show it."""
    parts = series(decode, [(step * 10, 1.7e9 + step, 1.0) for step in range(4)])
    assert chart(impl, parts, axis=WALL, aux=True).aux == [0, 10, 20, 30]


def test_aux_of_downsampled_points(impl: SimpleNamespace, decode: Decode) -> None:
    """One value for each point that is sent."""
    found = chart(impl, series(decode, noise(5000)), px=20, aux=True)
    assert found.aux == [1_700_000_000_000 + step * 1000 for step, _ in found.line]


def smoothed_float32(impl: SimpleNamespace, values: list[float], weight: float) -> list[float]:
    """Smoothed values, rounded to float32 as in a block."""
    data = impl.smooth(struct.pack(f"<{len(values)}d", *values), weight)
    return unpack_column("f", struct.pack(f"<{len(values)}f", *unpack_column("d", data)))


def test_parts_of_a_series_are_smoothed_over_the_whole(impl: SimpleNamespace, decode: Decode) -> None:
    """One smoothed value per point, computed on the full series."""
    points = noise(3000)
    parts = series(decode, points)
    expected = smoothed_float32(impl, [value for _, _, value in points], 0.9)
    part = chart(impl, parts, smoothing=0.9, x0=500.0, x1=510.0)
    assert part.smoothed == [(step, expected[step]) for step in range(499, 512)]
    assert part.line == [(step, value) for step, _, value in points[499:512]]


def test_whole_series_have_no_smoothed_values(impl: SimpleNamespace, decode: Decode) -> None:
    """The page has every point and smooths them itself, with any weight."""
    parts = series(decode, noise(200))
    assert chart(impl, parts, smoothing=0.9) == chart(impl, parts, smoothing=0.0)


def test_smoothed_lines_are_downsampled_separately(impl: SimpleNamespace, decode: Decode) -> None:
    """They keep their own lowest and highest points; the raw line does not change."""
    points = noise(20_000)
    parts = series(decode, points)
    values = struct.pack("<20000d", *(value for _, _, value in points))
    expected = [struct.unpack("<f", struct.pack("<f", y))[0] for y in unpack_column("d", impl.smooth(values, 0.99))]
    found = chart(impl, parts, smoothing=0.99, px=30)
    assert all(expected[x] == y for x, y in found.smoothed)
    assert (min(y for _, y in found.smoothed), max(y for _, y in found.smoothed)) == (min(expected), max(expected))
    assert found.smoothed != found.line
    assert found.line == chart(impl, parts, px=30).line


def test_smoothing_continues_across_restarts(impl: SimpleNamespace, decode: Decode) -> None:
    """The average does not start again, and superseded points are not part of it."""
    records = [scalar_record("a", step, float(step)) for step in range(10)]
    again = [scalar_record("a", step, 5.0) for step in range(5, 10)]
    decoder = decode(version_record(), *records, start_record(step=5), *again)
    expected = smoothed_float32(impl, [0, 1, 2, 3, 4, 5, 5, 5, 5, 5], 0.6)
    found = chart(impl, [(decoder, 0)], smoothing=0.6, x0=2.0)
    assert found.smoothed == list(enumerate(expected))[1:]


def test_constant_series_are_not_smoothed(impl: SimpleNamespace, decode: Decode) -> None:
    """Equal to the last bit, downsampled or not."""
    parts = series(decode, [(step, 0.0, 0.1) for step in range(1000)])
    assert {y for _, y in chart(impl, parts, smoothing=0.6, px=10).smoothed} == {
        y for _, y in chart(impl, parts, px=10).line
    }


def test_restarts_are_marked(impl: SimpleNamespace, decode: Decode) -> None:
    """At the first point after each, on every axis. Without superseded points the line never goes back."""
    before = [scalar_record("a", step, float(step), 100.0 + step) for step in range(10)]
    after = [scalar_record("a", step, float(step), 200.0 + step) for step in range(6, 12)]
    parts = [(decode(version_record(), *before, start_record(step=6), *after), 0)]
    found = chart(impl, parts)
    assert [step for step, _ in found.line] == list(range(12))
    assert (found.restarts, found.held) == ([6], 12)
    assert chart(impl, parts, axis=RELATIVE).restarts == [106_000_000]
    assert chart(impl, parts, axis=WALL).restarts == [206_000_000]
    assert chart(impl, parts, x0=7.0).restarts == []


def test_restarts_between_files_are_marked(impl: SimpleNamespace, decode: Decode) -> None:
    """Both files make one line, with a mark where the second begins."""
    first = decode(version_record(), *scalar_records("a", noise(10)))
    second = decode(version_record(), start_record(step=7), *scalar_records("a", noise(20)[7:]))
    found = chart(impl, [(first, 0), (second, 0)])
    assert [step for step, _ in found.line] == list(range(20))
    assert found.restarts == [7]


def test_superseded_points_can_be_drawn(impl: SimpleNamespace, decode: Decode) -> None:
    """With `purge=False` the line goes back where the run did."""
    before = [scalar_record("a", step, float(step)) for step in range(10)]
    after = [scalar_record("a", step, -1.0) for step in range(6, 12)]
    parts = [(decode(version_record(), *before, start_record(step=6), *after), 0)]
    found = chart(impl, parts, purge=False)
    assert [step for step, _ in found.line] == [*range(10), *range(6, 12)]
    assert found.restarts == [6]


def test_branches_are_downsampled_separately(impl: SimpleNamespace, decode: Decode) -> None:
    """Two branches over the same steps are two exact lines."""
    up, down = ([(step, 0.0, side * step / 8) for step in range(3000)] for side in (1, -1))
    parts = series(decode, [*up, *down])
    found = chart(impl, parts, px=10)
    back = next(i for i in range(1, len(found.line)) if found.line[i][0] < found.line[i - 1][0])
    alone = chart(impl, series(decode, up), px=10).line, chart(impl, series(decode, down), px=10).line
    assert (found.line[:back], found.line[back:]) == alone


def test_unsorted_series_are_downsampled_by_column(impl: SimpleNamespace, decode: Decode) -> None:
    """Steps that jump all the time: at most six points per column, with exact lowest and highest values."""
    points = [(i * 7919 % 5000, 0.0, float(i % 501)) for i in range(5000)]
    found = chart(impl, series(decode, points), px=20)
    assert len(found.line) <= 6 * 20
    columns = defaultdict(list)
    for step, _, value in points:
        columns[min(int(step * (20 / 4999)), 19)].append(value)
    for number, values in columns.items():
        drawn = [y for x, y in found.line if min(int(x * (20 / 4999)), 19) == number]
        assert (min(drawn), max(drawn)) == (min(values), max(values))


def test_restart_marks_are_limited(impl: SimpleNamespace, decode: Decode) -> None:
    """Thousands of restarts send 256 marks."""
    parts = series(decode, [(i % 2, 0.0, 1.0) for i in range(3000)])
    assert len(chart(impl, parts).restarts) == 256


def test_steps_at_both_ends_of_int64(impl: SimpleNamespace, decode: Decode) -> None:
    """Differences are taken modulo 2^64, so any two steps can follow each other."""
    low, high = -(1 << 63), (1 << 63) - 1
    found = chart(impl, series(decode, [(low, 0.0, 1.0), (high, 0.0, 2.0)]))
    assert [(x - low) % (1 << 64) for x, _ in found.line] == [0, (1 << 64) - 1]


def test_points_at_one_step_share_a_column(impl: SimpleNamespace, decode: Decode) -> None:
    """Only the first and the last are sent."""
    parts = series(decode, [(5, 0.0, float(i)) for i in range(1000)])
    assert chart(impl, parts, px=10).line == [(5, 0.0), (5, 999.0)]


def test_the_last_point_of_each_step_can_be_drawn(impl: SimpleNamespace, decode: Decode) -> None:
    """The chart is that of a series without the others, at any width and smoothed; it says that steps repeat."""
    every = [(step // 50, 1.7e9 + step, value) for step, _, value in noise(40_000)]
    last = every[49::50]
    wanted = {"px": 40, "smoothing": 0.6}

    assert chart(impl, series(decode, every), last_of_step=True, **wanted) == chart(
        impl, series(decode, last), **wanted
    )._replace(repeats=True)
    assert chart(impl, series(decode, every), **wanted).repeats
    assert not chart(impl, series(decode, last), **wanted).repeats


def test_a_step_goes_on_in_the_next_file_but_not_after_a_restart(impl: SimpleNamespace, decode: Decode) -> None:
    """The last point of a step is then in the later file; a restart begins its steps anew."""
    one = decode(version_record(), *scalar_records("a", [(1, 1.0, 1.0), (2, 2.0, 2.0)]))
    two = decode(version_record(), *scalar_records("a", [(2, 3.0, 3.0), (3, 4.0, 4.0)]))
    again = decode(version_record(), start_record(step=3), *scalar_records("a", [(3, 5.0, 5.0)]))
    parts = [(one, 0), (two, 0), (again, 0)]

    assert chart(impl, parts, purge=False, last_of_step=True).line == [(1, 1.0), (2, 3.0), (3, 4.0), (3, 5.0)]
    assert chart(impl, parts, purge=True, last_of_step=True).line == [(1, 1.0), (2, 3.0), (3, 5.0)]


@pytest.mark.parametrize(("count", "points"), [(100, 3), (2, 20_000), (3, 20_000), (40, 1_000)])
def test_many_series_give_the_same_blocks(impl: SimpleNamespace, decode: Decode, count: int, points: int) -> None:
    """As one request for each, in order, with one thread or two."""
    decoder = decode(*(scalar_record(f"tag{i}", step, i + step % 7) for step in range(points) for i in range(count)))
    requests = [([(decoder, i)], 1000 + i) for i in range(count)]
    ask = (True, STEP, -math.inf, math.inf, 100, 0.6, True)
    blocks = impl.chart_many(requests, *ask)
    assert blocks == b"".join(impl.series_chart([(decoder, i)], True, 1000 + i, *ask[1:]) for i in range(count))
    assert impl.chart_many([], *ask) == b""


def test_cancelled_requests_return_nothing(impl: SimpleNamespace, decode: Decode) -> None:
    """Any thread may set the cancel byte, for series and for groups."""
    decoder = decode(*(scalar_record(f"tag{i}", step, float(i)) for step in range(3) for i in range(100)))
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
def test_invalid_charts_raise_value_error(impl: SimpleNamespace, decode: Decode, wrong: dict[str, Any]) -> None:
    """The message names the argument."""
    with pytest.raises(ValueError, match=r"chart|weight|run id"):
        chart(impl, series(decode, noise(3)), **wrong)
