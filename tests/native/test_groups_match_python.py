"""Groups of runs, and charts over another tag, are equal to the byte in the core and in pure Python."""

import math
import random
import statistics
from fractions import Fraction
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lightboard.events import charts, group_charts, python_decoder
from lightboard.events.curve import Curve
from lightboard.testing import event_files as files

some = settings(suppress_health_check=[*HealthCheck])


def run_files(seed: int, alike: bool, restless: float) -> list[list[bytes]]:
    """Files of several runs with tags "a" and "lr"; with the same steps and times if `alike`."""
    chance = random.Random(seed)
    found = []
    for _ in range(chance.randint(1, 5)):
        records = [files.version_record()]
        step, rate = (0 if alike else chance.randint(0, 40)), 0.0
        for _ in range(chance.choice([0, 1, 5, 60, 300])):
            step += 1 if alike else chance.randint(0, 3)
            if chance.random() < restless:
                step = max(step - chance.randint(1, 30), 0)
                if chance.random() < 0.5:
                    records.append(files.start_record(step=step))
            wall = 100.0 + (step if alike else step * 0.37 + chance.random())
            value = chance.choice([math.nan, math.inf]) if chance.random() < restless else chance.gauss(3, 1)
            rate += chance.choice([0.0, 0.125, 0.25, -0.125] if not alike else [0.125])
            if chance.random() < 0.9:
                records.append(files.scalar_record("a", step, value, wall))
            if chance.random() < 0.6:
                records.append(files.scalar_record("lr", step, math.nan if chance.random() < restless else rate, wall))
        found.append(records)
    return found


def lines(decoder_type: Any, runs: list[list[bytes]]) -> list[tuple[Any, int, Any]]:
    """Requests for tag "a" over tag "lr", with run ids from 0."""
    found = []
    for number, records in enumerate(runs):
        decoder = decoder_type()
        decoder.feed(b"".join(records))
        tags = [decoder.describe(i)[0] for i in range(decoder.series_count())]
        if "a" in tags and "lr" in tags:
            found.append(([(decoder, tags.index("a"))], number, [(decoder, tags.index("lr"))]))
    return found


any_seed = st.integers(0, 1 << 32)
any_restlessness = st.sampled_from([0.0, 0.02, 0.2])
any_cut = st.one_of(st.none(), st.tuples(st.floats(-2, 60), st.floats(-2, 60)))
any_px = st.sampled_from([1, 7, 40, 300])
any_smoothing = st.sampled_from([0.0, 0.7, 1.0])


def range_of(cut: tuple[float, float] | None, axis: int) -> tuple[float, float]:
    if cut is None:
        return -math.inf, math.inf
    shift = 100.0 if axis == 2 else 0.0
    return cut[0] + shift, cut[1] + shift


@some
@given(
    seed=any_seed,
    alike=st.booleans(),
    restless=any_restlessness,
    statistic=st.integers(0, 1),
    band=st.integers(0, 3),
    purge=st.booleans(),
    axis=st.integers(0, 3),
    cut=any_cut,
    px=any_px,
    smoothing=any_smoothing,
    last=st.booleans(),
)
def test_groups_are_equal(
    core: ModuleType,
    seed: int,
    alike: bool,
    restless: float,
    statistic: int,
    band: int,
    purge: bool,
    axis: int,
    cut: tuple[float, float] | None,
    px: int,
    smoothing: float,
    last: bool,
) -> None:
    """Any runs, any statistic and band, over any range of any axis, with all points of a step or the last."""
    runs = run_files(seed, alike, restless)
    native, python = lines(core.Decoder, runs), lines(python_decoder.Decoder, runs)
    request = (statistic, band, purge, axis, *range_of(cut, axis), px, smoothing, None, last)
    expected = group_charts.group_many([(python, 7), (python[:1], 8)], *request)
    assert core.group_many([(native, 7), (native[:1], 8)], *request) == expected


GREATEST = 1.7976931348623157e308
any_number = st.sampled_from([GREATEST, -GREATEST, 1e308, -1.7e308, 1e160, 0.0, 3.0]) | st.floats(
    allow_nan=False, allow_infinity=False
)
any_line = st.lists(st.tuples(st.integers(0, 6), any_number.map(lambda number: number + 0.0)), min_size=1, max_size=6)


@some
@given(
    curves=st.lists(any_line, min_size=1, max_size=4),
    statistic=st.integers(0, 1),
    band=st.integers(0, 3),
    axis=st.sampled_from([0, 2]),
)
def test_groups_of_the_largest_numbers_are_equal(
    core: ModuleType, curves: list[list[tuple[int, float]]], statistic: int, band: int, axis: int
) -> None:
    """Where sums, squares, differences and slopes overflow."""

    def lines_of(kind: Any) -> list[tuple[Any, int]]:
        found = []
        for number, points in enumerate(curves):
            decoder = kind()
            for step, value in points:
                record = files.tensor_record("a", step, files.tensor(files.DOUBLE, [value]), 100 + step * 1e-9)
                decoder.feed(record)
            found.append(([(decoder, 0)], number))
        return found

    request = (statistic, band, False, axis, -math.inf, math.inf, 50, 0.0)
    expected = group_charts.group_many([(lines_of(python_decoder.Decoder), 7)], *request)
    assert core.group_many([(lines_of(core.Decoder), 7)], *request) == expected


@some
@given(
    lines=st.lists(st.tuples(any_number, any_number), min_size=1, max_size=6),
    width=st.sampled_from([1e-9, 1.0, 1e9]),
    share=st.fractions(0, 1, max_denominator=1000),
    statistic=st.integers(0, 1),
    band=st.integers(0, 3),
)
def test_group_statistics_are_exact(
    lines: list[tuple[float, float]], width: float, share: Fraction, statistic: int, band: int
) -> None:
    """Mean, median, range and deviation, compared with exact arithmetic."""
    x = float(Fraction(width) * share)
    curves = [Curve((0.0, width), line) for line in lines]
    sample = group_charts.summarize(x, curves, curves, statistic, band)
    at = Fraction(x) / Fraction(width)
    exact = [Fraction(a) * (1 - at) + Fraction(b) * at for a, b in lines]
    near = max(abs(Fraction(y)) for line in lines for y in line) / 10**12 + Fraction(5e-324)
    mean = sum(exact) / len(exact)
    middle = statistics.median(exact) if statistic == group_charts.MEDIAN else mean
    assert abs(Fraction(sample.y) - middle) <= near
    if band == group_charts.RANGE:
        assert abs(Fraction(sample.low) - min(exact)) <= near
    if band == group_charts.DEVIATION:
        variance = sum((value - mean) ** 2 for value in exact) / len(exact)
        reach = min(Fraction(sample.high), Fraction(GREATEST)) - Fraction(sample.y)
        # If the deviation is nearly zero, the squared rounding error of y dominates.
        bound = near * 1000
        capped = sample.high == GREATEST
        assert capped or (reach - bound) ** 2 - bound**2 <= variance <= (reach + bound) ** 2 + bound**2


@some
@given(
    seed=any_seed,
    alike=st.booleans(),
    restless=any_restlessness,
    purge=st.booleans(),
    cut=any_cut,
    px=any_px,
    smoothing=any_smoothing,
    aux=st.booleans(),
)
def test_charts_over_another_tag_are_equal(
    core: ModuleType,
    seed: int,
    alike: bool,
    restless: float,
    purge: bool,
    cut: tuple[float, float] | None,
    px: int,
    smoothing: float,
    aux: bool,
) -> None:
    """With x that rises, falls and jumps."""
    runs = run_files(seed, alike, restless)
    request = (purge, 3, *range_of(cut, 3), px, smoothing, aux)
    expected = charts.chart_many(lines(python_decoder.Decoder, runs), *request)
    assert core.chart_many(lines(core.Decoder, runs), *request) == expected
