"""Instants and counters in a window of pixels, held to a slow computation."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lightboard.profiles.time_points import TimePoints
from support.profiles import read_trace, trace

TIMES = st.lists(st.integers(0, 300), max_size=40)


def instant(time: int, **members: Any) -> dict[str, Any]:
    """An instant of a trace."""
    return {"ph": "i", "name": f"at {time}", "pid": 1, "tid": 2, "ts": time, **members}


def sample(time: int, value: float, **members: Any) -> dict[str, Any]:
    """A sample of the counter memory/used."""
    return {"ph": "C", "name": "memory", "pid": 1, "ts": time, "args": {"used": value}, **members}


@given(TIMES, st.integers(0, 300), st.integers(1, 100), st.integers(1, 30))
def test_each_pixel_with_instants_has_the_first_of_them(times: list[int], begin: int, length: int, pixel: int) -> None:
    capture = read_trace(trace(*map(instant, times), instant(begin, tid=9)))
    points = TimePoints(capture)
    end = begin + length
    seen = points.seen_instants(0 if times else 1, begin * 1000, end * 1000, pixel * 1000)

    pixels: dict[int, list[int]] = {}
    for time in sorted(time for time in times if begin <= time <= end):
        pixels.setdefault((time - begin) // pixel, []).append(time)
    assert seen.time_ns.tolist() == [each[0] * 1000 for each in pixels.values()]
    assert [capture.names[name] for name in seen.name] == [f"at {each[0]}" for each in pixels.values()]
    assert seen.count.tolist() == [len(each) for each in pixels.values()]


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(-9, 9)), min_size=1, max_size=40), st.integers(0, 300))
def test_a_counter_has_the_extremes_and_the_last_value_of_each_pixel(
    samples: list[tuple[int, int]], begin: int
) -> None:
    points = TimePoints(read_trace(trace(*(sample(*each) for each in samples))))
    (counter,) = points.counters
    seen = points.seen_samples(counter, begin * 1000, (begin + 50) * 1000, 7000)

    in_order = sorted(samples, key=lambda each: each[0])
    before = [each for each in in_order if each[0] < begin][-1:]
    pixels: dict[int, list[tuple[int, int]]] = {}
    for each in before + [each for each in in_order if begin <= each[0] <= begin + 50]:
        pixels.setdefault((each[0] - begin) // 7, []).append(each)
    assert seen.time_ns.tolist() == [each[0][0] * 1000 for each in pixels.values()]
    assert seen.low.tolist() == [min(value for _, value in each) for each in pixels.values()]
    assert seen.high.tolist() == [max(value for _, value in each) for each in pixels.values()]
    assert seen.value.tolist() == [each[-1][1] for each in pixels.values()]
    values = [value for _, value in samples]
    assert (counter.low, counter.high) == (min(values), max(values))


def test_counters_are_those_of_processes() -> None:
    capture = read_trace(trace(sample(1, 5), sample(2, 6, tid=8), sample(3, 7, pid=3)))
    points = TimePoints(capture)

    found = [(capture.processes[each.process].id, capture.names[each.name]) for each in points.counters]
    assert sorted(found) == [("1", "memory/used"), ("3", "memory/used")]
    assert sorted(each.end - each.begin for each in points.counters) == [1, 2]
