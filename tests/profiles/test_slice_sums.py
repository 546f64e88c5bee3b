"""Sums of slices in a range of time, held to a slow computation that looks at each nanosecond."""

from hypothesis import given
from hypothesis import strategies as st

from lightboard.profiles.slice_sums import SliceSums
from lightboard.profiles.time_line import MAX_ROWS, TimeLine
from support.profiles import read_trace, slice_event, trace

NESTED = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from("ab"), st.integers(1, 2)), min_size=1, max_size=30
).map(lambda slices: [each for each in slices if all(nests(each, other) for other in slices)])
"""Slices as beginning, end, name and thread, of which those of a thread nest."""

Sums = dict[str, tuple[int, int, int]]


def nests(one: tuple[int, int, str, int], other: tuple[int, int, str, int]) -> bool:
    """Whether one slice is in the other, or beside it."""
    (begin, end, _, thread), (other_begin, other_end, _, other_thread) = one, other
    if thread != other_thread or end <= other_begin or begin >= other_end:
        return True
    return (begin >= other_begin and end <= other_end) or (begin <= other_begin and end >= other_end)


def sums_of(line: TimeLine, begin: int, end: int) -> Sums:
    """Count, time and self time in microseconds by name."""
    sums = SliceSums()
    list(sums.add(line, line.rows, begin * 1000, end * 1000))
    return {row.name: (row.count, row.total_ns // 1000, row.self_ns // 1000) for row in sums.rows()}


def slow_sums(slices: list[tuple[int, int, str, int]], begin: int, end: int) -> Sums:
    """The same, microsecond by microsecond."""
    result: dict[str, list[int]] = {}
    for first, last, name, _ in slices:
        overlaps = first < end and last > begin if first < last else begin <= first < end
        if overlaps:
            sums = result.setdefault(name, [0, 0, 0])
            sums[0] += 1
            sums[1] += min(last, end) - max(first, begin)
    for moment in range(begin, end):
        for thread in (1, 2):
            running = [each for each in slices if each[0] <= moment < each[1] and each[3] == thread]
            if running:
                result[min(reversed(running), key=lambda each: each[1] - each[0])[2]][2] += (
                    1  # of equal ones, the later
                )
    return {name: (count, total, own) for name, (count, total, own) in result.items()}


@given(NESTED, st.integers(0, 60), st.integers(0, 60))
def test_sums_are_those_of_each_moment(slices: list[tuple[int, int, str, int]], one: int, other: int) -> None:
    slices = [(begin, end, f"{name}{end - begin}", thread) for begin, end, name, thread in slices if begin <= end]
    begin, end = sorted((one, other))
    events = [slice_event(name, first, last - first, tid=thread) for first, last, name, thread in slices]

    assert sums_of(TimeLine(read_trace(trace(*events))), begin, end) == slow_sums(slices, begin, end)


def test_what_is_nested_too_deep_is_counted_once_in_self_times() -> None:
    events = [slice_event("op", at, 1000 - 2 * at) for at in range(MAX_ROWS + 50)]
    line = TimeLine(read_trace(trace(*events)))

    count, total, own = sums_of(line, 0, 1000)["op"]
    deepest = sum(1000 - 2 * at for at in range(MAX_ROWS - 1, MAX_ROWS + 50))
    assert (count, total) == (MAX_ROWS + 50, sum(1000 - 2 * at for at in range(MAX_ROWS + 50)))
    assert own == 1000 - (1000 - 2 * (MAX_ROWS - 1)) + deepest
    assert sums_of(line, 500, 501)["op"][0] == MAX_ROWS + 50
    assert sums_of(line, 999, 1000)["op"][0] == 1
