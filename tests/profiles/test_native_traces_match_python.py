"""The compiled core and the pure-Python implementation read the same from any trace as JSON."""

import gzip
import json
import random
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.profiles import capture as limits
from lightboard.profiles import native_trace_json, text_stream, trace_json
from lightboard.profiles.column_files import ColumnFiles
from support.profiles import PROFILES, capture_content, core_module, slice_event, small_files, trace

RECORDED = sorted([*PROFILES.rglob("*.trace.json*")])
SMALL = sorted((PROFILES / "torch_ranks").iterdir())[0].read_bytes()

KEYS = st.sampled_from(["ph", "name", "cat", "pid", "tid", "ts", "dur", "id", "args", "hlo_op", "step_num", "Bytes"])
NUMBERS = st.one_of(
    st.integers(-5, 30), st.floats(), st.integers(-(2**70), 2**70), st.sampled_from([1e300, -0.0, 0, 5e-324, 1e-7, 1.5])
)
TEXTS = st.one_of(
    st.text(max_size=4),
    st.text('\u00c3\u00a9\u0436\ud800\udc00"\\\n\x00\x85', max_size=5),
    st.sampled_from(["12.5", "-3", " 3", "1e2", "007", "nan", "1_0", "process_name", "thread_name", "nn.Module: M"]),
    st.sampled_from(["ProfilerStep#1", "ProfilerStep#x", "$f.py:1 g", "nccl:all_reduce", "Iterator::X", "memcpy"]),
)
VALUES = st.recursive(
    st.one_of(NUMBERS, st.none(), st.booleans(), TEXTS),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.one_of(KEYS, TEXTS), inner, max_size=3),
    max_leaves=5,
)
PHASES = st.sampled_from(["X", "X", "B", "E", "i", "I", "R", "C", "s", "t", "f", "M", "?", 3, "", "XX"])
CATEGORIES = st.one_of(
    st.sampled_from(["cpu_op", "python_function", "kernel", "Trace", "user_annotation", "gpu_user_annotation", ""]),
    VALUES,
)
EVENTS = st.fixed_dictionaries(
    {"ph": PHASES},
    optional={
        "name": st.one_of(TEXTS, VALUES),
        "cat": CATEGORIES,
        "pid": st.one_of(st.integers(0, 2), VALUES),
        "tid": st.one_of(st.integers(0, 2), VALUES),
        "ts": st.one_of(st.floats(0, 50), NUMBERS, TEXTS, VALUES),
        "dur": st.one_of(st.floats(0, 50), NUMBERS, TEXTS, VALUES),
        "id": VALUES,
        "args": st.one_of(VALUES, st.dictionaries(st.one_of(KEYS, TEXTS), VALUES, max_size=4)),
    },
)
ALLOCATIONS = st.fixed_dictionaries(
    {"ph": st.just("i"), "name": st.just("[memory]"), "ts": st.integers(0, 9)},
    optional={
        "args": st.fixed_dictionaries(
            {},
            optional={
                "Total Allocated": st.one_of(st.integers(0, 2**40), VALUES),
                "Device Type": st.one_of(st.integers(-1, 20), VALUES),
                "Device Id": st.one_of(st.integers(-1, 2), st.just(2**31), VALUES),
            },
        )
    },
)
MEMBERS = st.dictionaries(
    st.sampled_from(["baseTimeNanoseconds", "distributedInfo", "host_name", "other"]),
    st.one_of(st.integers(-(2**63), 2**63), VALUES, st.fixed_dictionaries({"rank": VALUES})),
)
PIECES = st.one_of(
    st.sampled_from(list('{}[]:,"\\ ')),
    st.sampled_from(['"ph"', '"X"', '"traceEvents"', "-", "1", ".", "e5", "NaN", "-Infinity", "true", "nul", "\\u00e"]),
    st.sampled_from(
        ['{"ph": "X", "ts": 1, "dur": 2}', '{"name":', '{ "cat"  : ', "\\ud83d\\ude00", "\x00", "\xa0", "9" * 4301]
    ),
    st.text(max_size=3),
)


@pytest.fixture(scope="module")
def core() -> ModuleType:
    """The compiled module."""
    return core_module()


def outcome(read_trace: Any, data: bytes) -> Any:
    """The capture or the error."""
    try:
        return capture_content(read_trace(lambda offset, length: data[offset : offset + length], len(data)))
    except Unshowable as error:
        return error.message


def assert_read_alike(core: ModuleType, data: bytes) -> None:
    """Both readers have the same result, the core also with its columns in files."""
    expected = outcome(trace_json.read_trace_json, data)
    for files in (ColumnFiles(), small_files()):
        assert outcome(partial(native_trace_json.read_trace_json, core, files=files), data) == expected


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: str(path.relative_to(PROFILES)))
def test_recorded_traces_are_read_alike(core: ModuleType, path: Path) -> None:
    assert_read_alike(core, path.read_bytes())


@given(st.lists(st.one_of(EVENTS, ALLOCATIONS), max_size=12), MEMBERS, st.booleans())
@settings(deadline=None)
def test_any_events_are_read_alike(
    core: ModuleType, events: list[dict[str, Any]], members: dict[str, Any], is_ascii: bool
) -> None:
    text = json.dumps({**members, "traceEvents": events, **members}, ensure_ascii=is_ascii)
    assert_read_alike(core, text.encode("utf-8", "surrogatepass"))


@given(st.lists(PIECES, max_size=20).map("".join), st.sampled_from(["[", '{"traceEvents": [', "{", ""]))
@settings(deadline=None)
def test_any_text_is_read_alike(core: ModuleType, text: str, begin: str) -> None:
    assert_read_alike(core, (begin + text).encode("utf-8", "surrogatepass"))


@given(st.binary(max_size=60))
@settings(deadline=None)
def test_any_bytes_in_events_are_read_alike(core: ModuleType, data: bytes) -> None:
    assert_read_alike(core, b'[{"ph": "X", "ts": 1, "name": "' + data + b'"}, {"ph": "i", "ts": 3}]')


def test_a_trace_cut_off_anywhere_is_read_alike(core: ModuleType) -> None:
    data = trace(
        slice_event("a", 1, 2.5, cat="cpu_op", args={"Input Dims": [[2, 3], []], "step_num": "4", "x": -1e-3}),
        {"ph": "C", "name": "\u0436\ud83d\ude00\\", "pid": "Spans", "ts": 12, "args": {"used": True, "free": 1e5}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}},
        distributedInfo={"rank": 3, "nested": {"ok": None}},
        baseTimeNanoseconds=1_790_857_026_000_000_000,
    ).replace(b'"traceEvents"', b'"late": [false, NaN, -Infinity], "traceEvents"')
    for end in range(len(data) + 1):
        assert_read_alike(core, data[:end])
        assert_read_alike(core, data[:end] + b"}]}" + data)


@pytest.mark.parametrize("end", range(1, len(SMALL), 211))
def test_a_recorded_trace_cut_off_anywhere_is_read_alike(core: ModuleType, end: int) -> None:
    assert_read_alike(core, SMALL[:end])


@given(st.integers(0, 2**32), st.integers(1, 20))
@settings(deadline=None)
def test_damaged_traces_are_read_alike(core: ModuleType, seed: int, times: int) -> None:
    chance, data = random.Random(seed), bytearray(SMALL[: 12 << 10])
    for _ in range(times):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(2)] = bytes([chance.choice(b'"{}[]\\:,x\x00\xff0')])
    assert_read_alike(core, bytes(data))


@pytest.mark.parametrize("chunk", [1, 2, 7, 64, 1000])
def test_pieces_of_any_size_are_read_alike(core: ModuleType, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = outcome(trace_json.read_trace_json, SMALL)
    monkeypatch.setattr(text_stream, "CHUNK_BYTES", chunk)

    assert outcome(partial(native_trace_json.read_trace_json, core), SMALL) == whole


@pytest.mark.parametrize("number", ["1.5", "-0.25", "1e9", "2.5E+10", "7e-3", "12"])
@pytest.mark.parametrize("chunk", range(1, 12))
def test_numbers_cut_anywhere_are_read_whole(
    core: ModuleType, number: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows the digits that have arrived may be a fraction or a power."""
    data = b'{"version": %s, "traceEvents": [{"ph": "X", "ts": 1}], "end": %s}' % (number.encode(), number.encode())
    whole = outcome(trace_json.read_trace_json, data)
    monkeypatch.setattr(text_stream, "CHUNK_BYTES", chunk)

    assert outcome(trace_json.read_trace_json, data) == whole
    assert outcome(partial(native_trace_json.read_trace_json, core), data) == whole


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_damaged_compressed_traces_are_read_alike(core: ModuleType, seed: int) -> None:
    chance, data = random.Random(seed), bytearray(gzip.compress(SMALL, mtime=0))
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    assert_read_alike(core, bytes(data[: chance.randrange(len(data) + 1)]))


@pytest.mark.parametrize("opening", [b"[", b'{"ph":', b'[{"a":'])
@pytest.mark.parametrize("depth", [90, 99, 100, 101, 102, 400])
def test_nested_values_are_read_alike(core: ModuleType, opening: bytes, depth: int) -> None:
    times = depth // (2 if opening.startswith(b"[{") else 1)
    for closing in (b"", b"1" + b"]}" * depth):
        assert_read_alike(core, b'[{"ph": "X", "ts": 1}, ' + opening * times + closing + b', {"ph": "X", "ts": 9}]')


@pytest.mark.parametrize("length", [950, 990, 999, 1000, 1001, 5000])
def test_long_values_are_read_alike(core: ModuleType, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_stream, "MAX_VALUE_CHARS", 1000)
    event = b'{"ph": "X", "ts": 1, "name": "' + b"x" * (length - 32)
    for data in (event + b'"}', event, event + b'"} '):
        assert_read_alike(core, b"[" + data + b', {"ph": "X", "ts": 9}]')


@pytest.mark.parametrize(
    "limit",
    [
        *("MAX_SLICES", "MAX_TRACKS", "MAX_NAMES", "MAX_NAMES_BYTES", "MAX_FLOWS", "MAX_STEPS", "MAX_NAME_CHARS"),
        *("LONGEST_NS", "EPOCH_LIMIT_NS"),
    ],
)
def test_limits_are_the_same(core: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, limit, 3)
    if limit == "MAX_SLICES":
        monkeypatch.setattr(limits, "MAX_FILE_SLICES", 3)
    events = [
        {"ph": phase, "name": f"name {at % 5}", "pid": at % 4, "tid": at % 6, "ts": at / 1000, "dur": 0.002, "id": at}
        for at in range(12)
        for phase in "XiCsf"
    ]
    assert_read_alike(core, trace(*(event | {"args": {"a": 1}} for event in events), slice_event("(other)", 0, 0)))


def test_what_follows_the_events_is_not_read(core: ModuleType) -> None:
    """Not even to say that it is damaged."""
    packed = gzip.compress(b'[{"ph": "X", "ts": 1}]' + random.Random(1).randbytes(3 << 20), mtime=0)
    assert_read_alike(core, packed[: -(1 << 20)])
