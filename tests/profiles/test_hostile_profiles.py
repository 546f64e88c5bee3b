"""Captures as no profiler writes them: cut off, damaged, endless, or none at all."""

import gzip
import random
import tracemalloc
import zlib
from collections import Counter
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.profiles import capture as limits
from lightboard.profiles import text_stream
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.nesting import self_times
from lightboard.profiles.operators import operators_of
from lightboard.profiles.steps import steps_of
from lightboard.profiles.trace_json import read_trace_json
from support.examples import examples
from support.profiles import (
    PROFILES,
    TORCH,
    read_space,
    read_trace,
    rows,
    slice_event,
    trace,
    x_event,
    x_line,
    x_names,
    x_space,
    xplane_of,
)

SMALL_TRACE = sorted((PROFILES / "torch_ranks").iterdir())[0].read_bytes()
SMALL_SPACE = xplane_of("tensorflow").read_bytes()

TIMES = st.one_of(
    st.integers(-5, 30), st.floats(), st.none(), st.text(max_size=3), st.integers(-(2**70), 2**70), st.booleans()
)
VALUES = st.recursive(TIMES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner))
EVENTS = st.fixed_dictionaries(
    {},
    optional={
        "ph": st.sampled_from(["X", "B", "E", "i", "C", "s", "f", "M", "?", 3]),
        "name": st.one_of(
            st.text(max_size=4), st.sampled_from(["process_name", "nn.Module: M", "ProfilerStep#1"]), VALUES
        ),
        "cat": st.one_of(st.sampled_from(["cpu_op", "python_function"]), VALUES),
        "pid": VALUES,
        "tid": VALUES,
        "ts": TIMES,
        "dur": TIMES,
        "id": VALUES,
        "args": VALUES,
    },
)


def check(capture: HostCapture) -> None:
    """Every row can be shown, and self times add up."""
    slices = capture.slices
    assert all(0 <= at < len(capture.names) for at in slices.name.tolist() + capture.instants.name.tolist())
    assert all(0 <= at < len(capture.tracks) for at in slices.track.tolist() + capture.counters.track.tolist())
    assert all(0 <= track.process < len(capture.processes) for track in capture.tracks)
    assert (slices.duration_ns >= 0).all()
    assert all(0 <= row.self_ns <= row.total_ns for row in operators_of([capture]))
    assert all(step.duration_ns >= 0 for step in steps_of(capture))


@given(st.lists(EVENTS, max_size=12))
@examples(150)
def test_any_events_make_a_capture(events: list[dict[str, Any]]) -> None:
    check(read_trace(trace(*events)))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(0, 12)), min_size=1, max_size=15))
@examples(150)
def test_the_slice_that_began_last_has_the_time(ranges: list[tuple[int, int, int]]) -> None:
    capture = read_trace(trace(*(slice_event("a", begin, length, tid=track) for track, begin, length in ranges)))
    owners: dict[tuple[int, int], tuple[int, int, int]] = {}
    for at, (track, begin, length) in enumerate(ranges):
        for moment in range(begin, begin + length):
            owners[track, moment] = max((begin, -length, at), owners.get((track, moment), (-1, 0, 0)))
    owned = Counter(at for _, _, at in owners.values())

    found = self_times(capture.slices, np.arange(len(ranges), dtype=np.int64))
    assert found.tolist() == [1000 * owned[at] for at in range(len(ranges))]


@pytest.mark.parametrize("end", range(1, len(SMALL_TRACE), 97))
def test_a_trace_cut_off_anywhere_is_the_beginning_of_it(end: int) -> None:
    whole = rows(read_trace(SMALL_TRACE))
    try:
        part = read_trace(SMALL_TRACE[:end])
    except Unshowable:
        assert b'"traceEvents": [' not in SMALL_TRACE[:end]
        return
    begin = [row[0::2] for row in rows(part)]

    assert part.problems
    assert begin == [row[0::2] for row in whole][: len(begin)]
    check(part)


@pytest.mark.parametrize("end", range(1, len(SMALL_SPACE), 53))
def test_an_xplane_cut_off_anywhere_is_the_beginning_of_it(end: int) -> None:
    with suppress(Unshowable):
        check(read_space(SMALL_SPACE[:end]))


@given(st.integers(0, 2**32), st.integers(1, 20))
@examples(80)
def test_damaged_captures_are_read_as_far_as_possible(seed: int, times: int) -> None:
    chance = random.Random(seed)
    for data, read in ((bytearray(SMALL_TRACE), read_trace), (bytearray(SMALL_SPACE), read_space)):
        for _ in range(times):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(Unshowable):
            check(read(bytes(data)))


@given(st.integers(0, 2**32))
@examples(30)
def test_damaged_compressed_captures_are_read_as_far_as_possible(seed: int) -> None:
    chance, data = random.Random(seed), bytearray(TORCH.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    with suppress(Unshowable):
        check(read_trace(bytes(data)))


@given(st.binary(max_size=300))
@examples(100)
def test_any_bytes_are_a_capture_or_one_error(data: bytes) -> None:
    for read in (read_trace, read_space):
        with suppress(Unshowable):
            check(read(data))


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_pieces_of_any_size_make_the_same_capture(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_trace(SMALL_TRACE)
    monkeypatch.setattr(text_stream, "CHUNK_BYTES", chunk)
    part = read_trace(SMALL_TRACE)

    assert (rows(part), part.slices.args.tolist(), part.problems) == (rows(whole), whole.slices.args.tolist(), [])


@pytest.mark.parametrize("nested", ['{"a":', "["])
def test_values_nested_without_end_are_damage(nested: str) -> None:
    deep = b'{"ph": "X", "args": ' + nested.encode() * 100_000
    data = b'{"traceEvents": [' + deep + b',\n{"name": "a", "ph": "X", "pid": 1, "ts": 1, "dur": 1}]}'

    assert rows(read_trace(data)) == [("a", 1000, 1000)]


def test_a_string_without_end_is_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_stream, "MAX_VALUE_CHARS", 1000)
    data = b'[{"name": "' + b"x" * 5000 + b'\n{"ph": "X", "name": "a", "pid": 1, "ts": 1, "dur": 1}]'

    assert rows(read_trace(data)) == [("a", 1000, 1000)]


def test_more_slices_than_the_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SLICES", 3)
    capture = read_trace(trace(*(slice_event("a", at, 1) for at in range(5))))

    assert (len(capture.slices), capture.problems) == (
        *(3, ["2 events are beyond the limits of what is read, and are left out"]),
    )


def test_more_tracks_than_the_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_TRACKS", 3)
    space = x_space(*(x_line(x_event(1, 0, 1000), id=at) + x_names(4, {1: "a"}) for at in range(5)))

    assert [
        len(each.tracks)
        for each in (read_trace(trace(*(slice_event("a", 0, 1, tid=at) for at in range(5)))), read_space(space))
    ] == [3, 3]


def test_more_flows_than_the_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_FLOWS", 2)
    ends = [{"ph": phase, "id": id, "pid": 1, "tid": 1, "ts": id} for id in range(4) for phase in "sf"]
    capture = read_trace(trace(*ends))

    assert (capture.flow_begins.value.tolist(), capture.flow_ends.value.tolist(), capture.problems) == (
        *([0.0, 1.0], [0.0, 1.0]),
        ["4 events are beyond the limits of what is read, and are left out"],
    )


def test_a_long_name_is_cut() -> None:
    assert read_trace(trace(slice_event("x" * 5000, 1, 1))).names == ["x" * 1000]


def test_memory_is_that_of_the_columns_and_not_of_the_file() -> None:
    """A file of 40 MB, compressed to 200 KB, with little in it that is kept."""
    packer = zlib.compressobj(wbits=31)
    event = (
        b'{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"text": "' + b"x" * 4000 + b'"}},\n'
    )
    data = packer.compress(b"[") + b"".join(packer.compress(event) for _ in range(10_000)) + packer.flush()
    tracemalloc.start()
    try:
        capture = read_trace_json(lambda offset, length: data[offset : offset + length], len(data))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len(capture.slices) == 10_000
    assert peak < 12 << 20


def test_a_compressed_file_of_spaces_is_no_trace() -> None:
    with pytest.raises(Unshowable):
        read_trace(gzip.compress(b" " * (8 << 20)))
