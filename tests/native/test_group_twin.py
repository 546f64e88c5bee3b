"""Groups of runs, and charts over another tag: the compiled core and the slow twin agree to the byte."""

import math
import random
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lightboard.events import charts, groups, reference
from lightboard.testing import event_files as files

some = settings(max_examples=150, deadline=None, suppress_health_check=[*HealthCheck])


def members(seed: int, alike: bool, restless: float) -> list[list[bytes]]:
    """Files of some runs, each with tags "a" and "lr"; of steps and times of their own unless alike."""
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
    """Requests for tag "a" over tag "lr", run ids from 0 on."""
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
)
def test_groups(
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
) -> None:
    """Any members, any statistic, over any range of any axis."""
    runs = members(seed, alike, restless)
    native, twin = lines(core.Decoder, runs), lines(reference.Decoder, runs)
    ask = (statistic, band, purge, axis, *range_of(cut, axis), px, smoothing)
    expected = groups.group_many([(twin, 7), (twin[:1], 8)], *ask)
    assert core.group_many([(native, 7), (native[:1], 8)], *ask) == expected


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
def test_charts_over_another_tag(
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
    """Values that go up, down, back and forth as x."""
    runs = members(seed, alike, restless)
    ask = (purge, 3, *range_of(cut, 3), px, smoothing, aux)
    expected = charts.chart_many(lines(reference.Decoder, runs), *ask)
    assert core.chart_many(lines(core.Decoder, runs), *ask) == expected
