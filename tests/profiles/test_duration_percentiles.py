"""The 95th percentile of the durations of operators."""

import gzip
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.cancellation import finish
from lightboard.profiles import keyed_sums, shape_operators
from lightboard.profiles.duration_histograms import BITS, BUCKETS, DurationHistograms, buckets_of, together
from lightboard.profiles.input_shapes import ShapeReader
from lightboard.profiles.keyed_sums import KeyedSums
from lightboard.profiles.operators import operators_of
from support.examples import examples
from support.profiles import PROFILES, TORCH, read_path, read_trace, slice_event, trace

TORCH_GPU = next((PROFILES / "torch_gpu").glob("*.pt.trace.json.gz"))
LONGEST = 2**63 - 1
DURATIONS = st.one_of(st.integers(0, 300), st.integers(0, LONGEST), st.floats(1, 43).map(lambda power: int(2**power)))


def histogram_of(*rows: list[int]) -> DurationHistograms:
    """The histogram of the durations of each row."""
    entries = list[tuple[int, int, int, int]]()
    for row, durations in enumerate(rows):
        buckets = buckets_of(np.array(durations, np.int64)).tolist()
        counts, sums = Counter(buckets), Counter[int]()
        for bucket, duration in zip(buckets, durations, strict=True):
            sums[bucket] += duration
        entries += [(row, bucket, counts[bucket], sums[bucket]) for bucket in counts]
    columns = zip(*entries, strict=True)
    dtypes = (np.int32, np.int16, np.int64, np.int64)
    return DurationHistograms(*(np.array(each, dtype) for each, dtype in zip(columns, dtypes, strict=True)))


def nearest_rank(durations: list[int]) -> int:
    """The percentile as NumPy computes it from all durations."""
    found: int = np.percentile(np.array(durations, np.int64), 95, method="inverted_cdf").item()
    return found


@given(st.lists(DURATIONS, min_size=2, max_size=50))
@examples(200)
def test_longer_durations_are_in_higher_buckets(durations: list[int]) -> None:
    durations.sort()

    buckets = buckets_of(np.array(durations, np.int64)).tolist()

    assert buckets == sorted(buckets)
    assert 0 <= buckets[0] <= buckets[-1] < BUCKETS


@given(st.lists(st.lists(st.integers(0, 2**40), min_size=1, max_size=80), min_size=1, max_size=5))
@examples(200)
def test_percentiles_are_those_of_numpy_to_a_bucket(rows: list[list[int]]) -> None:
    found = histogram_of(*rows).percentiles()

    assert found == [pytest.approx(nearest_rank(row), rel=2**-BITS, abs=1) for row in rows]


@pytest.mark.parametrize("durations", [[7], [1003] * 100, [*range(127)], [10**k for k in range(15)], [0, 0]])
def test_percentiles_are_exact_where_a_bucket_has_one_duration(durations: list[int]) -> None:
    assert histogram_of(durations).percentiles() == [nearest_rank(durations)]


def test_rows_of_several_files_have_the_percentile_of_all() -> None:
    first, second = [100] * 90, [5000] * 10

    assert together([histogram_of(first), histogram_of(second)]).percentiles() == [nearest_rank(first + second)]


@pytest.mark.parametrize("path", [TORCH, TORCH_GPU], ids=["cpu", "gpu"])
def test_percentiles_of_a_capture_are_those_of_its_events(path: Path) -> None:
    """By name, in rows without scopes that share one; Kineto writes times in thousandths of microseconds."""
    theirs = defaultdict[str, list[int]](list)
    for event in json.loads(gzip.decompress(path.read_bytes()), strict=False)["traceEvents"]:
        if event["ph"] == "X" and event.get("cat") not in ("Trace", "python_function", "gpu_user_annotation"):
            theirs[event["name"]].append(round(event["dur"] * 1000))
    ours = operators_of([read_path(path)])
    rows = Counter(row.name for row in ours)

    found = {row.name: row.p95_ns for row in ours if rows[row.name] == 1}
    assert len(found) > 20
    assert found == {name: pytest.approx(nearest_rank(theirs[name]), rel=2**-BITS, abs=1) for name in found}


def test_ranks_together_have_the_percentile_of_all_their_events() -> None:
    captures = [read_path(path) for path in sorted((PROFILES / "torch_ranks").iterdir())]
    theirs = defaultdict[str, list[int]](list)
    for capture in captures:
        for name, duration in zip(capture.slices.name.tolist(), capture.slices.duration_ns.tolist(), strict=True):
            theirs[capture.names[name]].append(duration)

    found = {row.name: row.p95_ns for row in operators_of(captures) if row.category == "communication"}

    assert found == {name: pytest.approx(nearest_rank(theirs[name]), rel=2**-BITS) for name in found}
    assert len(found) == 2


def test_each_shape_has_a_percentile() -> None:
    small, large = ({"Input Dims": [[size]], "Input type": ["float"]} for size in (1, 1000))
    data = trace(
        *(slice_event("aten::add", 10 * at, 2, args=small) for at in range(20)),
        *(slice_event("aten::add", 300 + 10 * at, 9, args=large) for at in range(2)),
    )
    reader = ShapeReader("a.trace.json", lambda offset, length: data[offset : offset + length], len(data))

    rows = finish(shape_operators.shape_operators([(read_trace(data), reader)]))

    assert [(row.shapes, row.p95_ns) for row in rows] == [(("float[1]",), 2000), (("float[1000]",), 9000)]
    assert [row.p95_ns for row in operators_of([read_trace(data)])] == [9000]


@given(st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(-9, 9)), min_size=1), max_size=8))
@examples(100)
def test_sums_by_key_are_those_of_a_loop(parts: list[list[tuple[int, int]]]) -> None:
    sums, expected = KeyedSums(2, spare_bits=0), Counter[int]()
    for part in parts:
        keys, values = (np.array(column, np.int64) for column in zip(*part, strict=True))
        sums.add(keys, np.stack([np.ones_like(values), values], axis=1))
        for key, value in part:
            expected[key] += value
    keys, figures = sums.sums()

    assert dict(zip(keys.tolist(), figures[:, 1].tolist(), strict=True)) == dict(expected)
    assert int(figures[:, 0].sum()) == sum(map(len, parts))


def test_too_many_keys_lose_their_lowest_bits_and_no_figure() -> None:
    sums = KeyedSums(1, spare_bits=3, max_keys=10)
    for begin in range(0, 64, 16):
        sums.add(np.arange(begin, begin + 16), np.ones((16, 1), np.int64))
    keys, figures = sums.sums()

    assert (keys.tolist(), figures[:, 0].tolist()) == (list(range(0, 64, 8)), [8] * 8)


def test_a_capture_with_too_many_buckets_keeps_its_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its percentiles are right to a power of two."""
    monkeypatch.setattr(keyed_sums, "MAX_KEYS", 10)
    durations = [1000 + 7 * at for at in range(400)]
    events = [slice_event("a", 10_000 * at, duration / 1000) for at, duration in enumerate(durations)]

    (row,) = operators_of([read_trace(trace(*events))])

    assert (row.count, row.total_ns) == (400, sum(durations))
    assert nearest_rank(durations) / 2 < row.p95_ns < nearest_rank(durations) * 2
