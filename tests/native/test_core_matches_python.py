"""The compiled core and the pure-Python implementation agree on any bytes, in any pieces."""

import math
import os
import pathlib
import random
import struct
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lightboard.events import charts, python_decoder
from lightboard.events.crc32c import crc32c, crc32c_of_zeros
from lightboard.events.protocol import STATS
from lightboard.events.smoothing import smooth
from lightboard.testing import event_files as files
from support.event_file_strategies import any_file, any_record, comparable_value, decoder_state

Ask = tuple[bool, int, int, float, float, int, float, bool]

unusual = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
"""As many examples as the profile says, of any size."""


def feed(decoder: Any, data: bytes, cuts: list[int]) -> list[int]:
    """Feed a growing file, cut at these offsets; returns what was consumed each time."""
    return [decoder.feed(data[decoder.offset : cut]) for cut in [*sorted(cuts), len(data)]]


def assert_same_state(core: ModuleType, data: bytes, cuts: list[int]) -> None:
    """Both decoders consume the same bytes and are in the same state afterwards."""
    native, python = core.Decoder(), python_decoder.Decoder()
    cuts = [min(cut, len(data)) for cut in cuts]
    assert feed(native, data, cuts) == feed(python, data, cuts)
    assert decoder_state(native, core) == decoder_state(python, charts)


@unusual
@given(data=any_file(), cuts=st.lists(st.integers(0, 600), max_size=5))
def test_any_file_is_decoded_alike(core: ModuleType, data: bytes, cuts: list[int]) -> None:
    """Files of records and garbage, in any pieces."""
    assert_same_state(core, data, cuts)


@unusual
@given(
    pieces=st.lists(st.one_of(st.integers(0, 200).map(bytes), any_record, st.binary(max_size=3)), max_size=8),
    cuts=st.lists(st.integers(0, 1200), max_size=5),
)
def test_runs_of_zeros_are_skipped_alike(core: ModuleType, pieces: list[bytes], cuts: list[int]) -> None:
    """Between records, before headers that begin with zeros, at every end."""
    assert_same_state(core, b"".join(pieces), cuts)


@unusual
@given(data=st.binary(max_size=200), cuts=st.lists(st.integers(0, 200), max_size=3))
def test_any_bytes_are_decoded_alike(core: ModuleType, data: bytes, cuts: list[int]) -> None:
    """Without any record."""
    assert_same_state(core, data, cuts)


@unusual
@given(bodies=st.lists(st.binary(max_size=60), max_size=4))
def test_any_message_is_decoded_alike(core: ModuleType, bodies: list[bytes]) -> None:
    """Valid frames around arbitrary bytes."""
    assert_same_state(core, b"".join(map(files.record, bodies)), [])


SMALL_FILE = b"".join(
    [
        files.version_record(),
        files.scalar_record("a", 1, 0.5, 1.5, files.summary_metadata("scalars")),
        files.tensor_record("b", 1, files.tensor(files.DOUBLE, [0.1]), 2.5, files.summary_metadata("scalars")),
        files.start_record(step=1, wall_time=3.0),
        files.summary_record([files.scalar_value("a", 2.0), files.image_value("i", b"png")], step=2, wall_time=4.0),
    ]
)


def test_truncated_files_are_decoded_alike(core: ModuleType) -> None:
    """Cut at every byte."""
    for length in range(len(SMALL_FILE) + 1):
        assert_same_state(core, SMALL_FILE[:length], [])


def test_flipped_bits_are_decoded_alike(core: ModuleType) -> None:
    """Each bit of a small file."""
    for place in range(len(SMALL_FILE) * 8):
        data = bytearray(SMALL_FILE)
        data[place // 8] ^= 1 << place % 8
        assert_same_state(core, bytes(data), [])


def test_missing_bytes_are_decoded_alike(core: ModuleType) -> None:
    """Each byte of a small file."""
    for place in range(len(SMALL_FILE)):
        assert_same_state(core, SMALL_FILE[:place] + SMALL_FILE[place + 1 :], [])


@settings(suppress_health_check=[*HealthCheck])
@given(data=any_file(), limit=st.sampled_from([1, 50, 1 << 20]))
def test_files_are_read_alike(core: ModuleType, tmp_path: pathlib.Path, data: bytes, limit: int) -> None:
    """With any limit per read."""
    path = tmp_path / "events"
    path.write_bytes(data)
    native, python = core.Decoder(), python_decoder.Decoder()
    fd = os.open(path, os.O_RDONLY)
    try:
        for decoder in (native, python):
            while decoder.read(fd, limit):
                pass
    finally:
        os.close(fd)
    assert decoder_state(native, core) == decoder_state(python, charts)


@st.composite
def any_run(draw: st.DrawFn) -> list[list[bytes]]:
    """The files of a run with one or two series, some with restarts, of any version."""
    chance = random.Random(draw(st.integers(0, 1 << 32)))
    disorder = draw(st.sampled_from([0.0, 0.0, 0.02, 0.1, 0.5]))
    found = []
    step = chance.choice([0, 0, -4, 1 << 60])
    for _ in range(draw(st.integers(1, 3))):
        records = [files.version_record(chance.choice(["brain.Event:2"] * 3 + ["brain.Event:1"]))]
        if chance.random() < 0.25:
            records = []
        for _ in range(draw(st.sampled_from([0, 3, 40, 150, 700]))):
            step += chance.choice([0, 1, 1, 1, 7])
            wall = step * 0.37 + 1.7e9 if chance.random() > disorder else chance.choice([math.nan, 1e300, step * 1.0])
            if chance.random() < disorder:
                step = chance.randint(max(step - 60, -(1 << 62)), step)
                if chance.random() < 0.5:
                    records.append(files.start_record(step=step, wall_time=wall))
            value = (
                chance.choice([chance.gauss(0, 1), step * 1.0, math.nan, math.inf]) if disorder else chance.gauss(0, 1)
            )
            tags = ["a", "a", "b"] if chance.random() < 0.1 else ["a"]
            values = [
                files.tensor_value(tag, files.tensor(files.DOUBLE, [value]))
                if disorder == 0.02
                else files.scalar_value(tag, value)
                for tag in tags
            ]
            records.append(files.summary_record(values, step=step, wall_time=wall))
        found.append(records)
    return found


def parts_of(decoder_type: Any, run: list[list[bytes]]) -> list[tuple[Any, int]]:
    """The parts of tag "a"."""
    parts = []
    for records in run:
        decoder = decoder_type()
        decoder.feed(b"".join(records))
        tags = [decoder.describe(i)[0] for i in range(decoder.series_count())]
        parts.append((decoder, tags.index("a") if "a" in tags else -1))
    return parts


def bounds(parts: Any, axis: int, cut: tuple[float, float]) -> tuple[float, float]:
    """A range of x within the series or a little beyond."""
    steps, walls, _, _ = charts.series_points(parts, False)
    column = struct.unpack(f"<{len(steps) // 8}q", steps) if axis == 0 else struct.unpack(f"<{len(walls) // 8}d", walls)
    finite = [x for x in column if abs(x) < 1e18]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    if axis == 1:
        low, high = 0, high - low
    return low + (high - low) * cut[0], low + (high - low) * cut[1]


@unusual
@given(
    run=any_run(),
    axis=st.integers(0, 2),
    px=st.sampled_from([1, 7, 50, 300]),
    smoothing=st.sampled_from([0.0, 0.6, 0.99, 1.0]),
    aux=st.booleans(),
    purge=st.booleans(),
    last=st.booleans(),
    cut=st.one_of(st.none(), st.tuples(st.floats(-0.1, 1.1), st.floats(-0.1, 1.1))),
)
def test_charts_are_equal(
    core: ModuleType,
    run: list[list[bytes]],
    axis: int,
    px: int,
    smoothing: float,
    aux: bool,
    purge: bool,
    last: bool,
    cut: tuple[float, float] | None,
) -> None:
    """To the byte, for sorted and unsorted series, over any range of any axis, and of the last points of steps."""
    native, python = parts_of(core.Decoder, run), parts_of(python_decoder.Decoder, run)
    x0, x1 = bounds(python, axis, cut) if cut else (-math.inf, math.inf)
    request = (axis, x0, x1, px, smoothing, aux)
    expected = charts.series_chart(python, purge, 5, *request, None, last)
    assert core.series_chart(native, purge, 5, *request, None, last) == expected
    assert core.chart_many([(native, 5)] * 3, purge, *request, None, last) == expected * 3


@unusual
@given(run=any_run(), purge=st.booleans())
def test_points_and_stats_are_equal(core: ModuleType, run: list[list[bytes]], purge: bool) -> None:
    """To the bit, except for the mean, which is summed in another order."""
    native, python = parts_of(core.Decoder, run), parts_of(python_decoder.Decoder, run)
    assert core.series_points(native, purge) == charts.series_points(python, purge)
    for most in (0, 1, 2, 3, 4, 5, 7, 50):
        assert core.series_samples(native, purge, most) == charts.series_samples(python, purge, most)
    for request in [(part, first, most) for part in range(4) for first, most in ((0, 3), (2, 1 << 62))]:
        assert core.part_points(native, *request) == charts.part_points(python, *request)
    assert core.count_rows([native, [], native]) == charts.count_rows([python, [], python])
    expected = list(charts.series_stats(python, purge))
    mean = expected.pop(12)
    for found in map(list, STATS.iter_unpack(core.stats_many([native, native], purge))):
        assert found.pop(12) == pytest.approx(mean, rel=1e-9, abs=1e-9, nan_ok=True)
        assert comparable_value(found) == comparable_value(expected)


@unusual
@given(values=st.lists(st.floats(), max_size=200), weight=st.floats(0, 1))
def test_smoothing_is_equal(core: ModuleType, values: list[float], weight: float) -> None:
    """To the bit, for any numbers."""
    data = struct.pack(f"<{len(values)}d", *values)
    found, expected = (
        [comparable_value(y) for (y,) in struct.iter_unpack("<d", function(data, weight))]
        for function in (core.smooth, smooth)
    )
    assert found == expected


@unusual
@given(data=st.binary(max_size=300), before=st.integers(0, 0xFFFF_FFFF))
def test_crc32c_is_equal(core: ModuleType, data: bytes, before: int) -> None:
    """By instruction, by the core's table, by the pure-Python table."""
    expected = crc32c(data, before)
    assert (core.crc32c(data, before), core.crc32c_by_table(data, before)) == (expected, expected)


@given(count=st.integers(0, 5000), before=st.integers(0, 0xFFFF_FFFF), data=st.binary(min_size=1, max_size=5))
def test_crc32c_of_zeros_is_equal(core: ModuleType, count: int, before: int, data: bytes) -> None:
    """Computed directly or step by step."""
    expected = core.crc32c(bytes(count), before)
    assert crc32c_of_zeros(count, before) == expected
    assert crc32c(bytes(count) + data, before) == core.crc32c(data, expected)


@pytest.mark.parametrize("size", [3071, 3072, 6144, 10_001, 100_000])
def test_crc32c_of_long_data_is_equal(core: ModuleType, size: int) -> None:
    """Long inputs use another code path of the core."""
    data = random.Random(size).randbytes(size)
    assert core.crc32c(data, 7) == core.crc32c_by_table(data, 7) == crc32c(data, 7)
