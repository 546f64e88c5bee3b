"""The compiled core and the pure-Python implementation read the same from any xplane."""

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
from lightboard.profiles import native_xplane, xplane
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.profile_file import read_profile
from lightboard.testing.event_files import bytes_field, varint, varint_field
from support.examples import examples
from support.profiles import (
    PROFILES,
    capture_content,
    core_module,
    small_files,
    x_event,
    x_line,
    x_names,
    x_space,
    xplane_of,
)

RECORDED = sorted([*PROFILES.rglob("*.xplane.pb"), *(PROFILES.parent / "logs").rglob("*.xplane.pb")])
SMALL = xplane_of("tensorflow").read_bytes()
JAX = xplane_of("jax").read_bytes()

INTEGERS = st.one_of(
    st.integers(0, 5),
    st.sampled_from([499, 500, 1500, 10**15, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 500, 2**64 - 501]),
    st.integers(0, 2**64 - 1),
)
STAT_NAMES = ["step_num", "hlo_op", "program_id", "_p", "_c", "_src"]
TEXTS = st.one_of(
    st.sampled_from([b"", b"dot.1", b"$a.py:1 f", b"scope/x:Op", b"ThreadpoolListener::R", b"%a = f32[]"]),
    st.binary(max_size=6),
    st.text(max_size=4).map(str.encode),
    st.lists(st.sampled_from([b"\xe2", b"\x82", b"\xac", b"\xf0", b"\x9f", b"\xed", b"\xa0", b"a"])).map(b"".join),
)


@st.composite
def fields_of(draw: Any, *known: Any) -> bytes:
    """A message of these fields, in any order and number, with some that nobody knows."""
    unknown = st.sampled_from([varint_field(15, 1), bytes_field(14, b"x"), b"\x69" + bytes(8), b"\x6d" + bytes(4)])
    return b"".join(draw(st.lists(st.one_of(*known, unknown), max_size=6)))


def number(field: int, values: Any = INTEGERS) -> Any:
    """A field with a number."""
    return values.map(lambda value: varint_field(field, value))


def message(field: int, contents: Any) -> Any:
    """A field with bytes."""
    return contents.map(lambda content: bytes_field(field, content))


STATS = fields_of(number(1, st.integers(0, 7)), *(number(each) for each in (3, 4, 7)), message(5, TEXTS))
EVENTS = fields_of(number(1, st.integers(0, 4)), number(2), number(3), number(3), message(4, STATS), message(4, STATS))
LINES = fields_of(
    number(1), message(2, TEXTS), number(3), message(11, TEXTS), message(4, EVENTS), message(4, EVENTS), number(4)
)
NAMES = fields_of(message(2, TEXTS), message(2, TEXTS), message(4, TEXTS), number(1))
ENTRIES = fields_of(number(1, st.integers(0, 4)), message(2, NAMES))
PLANE_NAMES = st.sampled_from([b"/host:CPU", b"/device:GPU:0", b"/device:TPU:0", b"/host:metadata", b""])
PLANES = fields_of(
    number(1), message(2, PLANE_NAMES), message(3, LINES), message(3, LINES), message(4, ENTRIES), message(5, ENTRIES)
)
SPACES = fields_of(message(1, PLANES), message(1, PLANES), message(4, TEXTS), number(1))
STATS_OF_PLANE = x_names(5, dict(enumerate(STAT_NAMES)))


@pytest.fixture(scope="module")
def core() -> ModuleType:
    """The compiled module."""
    return core_module()


def outcome(read_xplane: Any, data: bytes, size: int | None = None) -> Any:
    """The capture or the error."""
    try:
        read = lambda offset, length: data[offset : offset + length]  # noqa: E731
        return capture_content(read_xplane(read, len(data) if size is None else size))
    except Unshowable as error:
        return error.message


def assert_read_alike(core: ModuleType, data: bytes, size: int | None = None) -> Any:
    """Both readers have the same result, which is returned, the core also with its columns in files."""
    expected = outcome(xplane.read_xplane, data, size)
    for files in (ColumnFiles(), small_files()):
        assert outcome(partial(native_xplane.read_xplane, core, files=files), data, size) == expected
    return expected


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: str(path.relative_to(PROFILES.parent)))
def test_recorded_xplanes_are_read_alike(core: ModuleType, path: Path) -> None:
    capture = assert_read_alike(core, path.read_bytes())
    assert capture["slices.name"][1]


@given(SPACES)
@settings(deadline=None)
def test_any_space_is_read_alike(core: ModuleType, data: bytes) -> None:
    assert_read_alike(core, data)


@given(st.lists(EVENTS, max_size=8), st.booleans())
@settings(deadline=None)
def test_any_events_are_read_alike(core: ModuleType, events: list[bytes], is_device: bool) -> None:
    name = bytes_field(2, b"/device:GPU:0" if is_device else b"/host:CPU")
    line = x_line(*(bytes_field(4, event) for event in events), start_ns=5)
    names = x_names(4, {1: "%add.1 = add(a)", 2: "dot.1", 3: "$a.py:1 f"})
    assert_read_alike(core, x_space(name + line + names + STATS_OF_PLANE))


@given(st.binary(max_size=60))
@settings(deadline=None)
def test_any_bytes_are_read_alike(core: ModuleType, data: bytes) -> None:
    assert_read_alike(core, data)
    assert_read_alike(core, x_space(bytes_field(2, b"/host:CPU") + bytes_field(3, data) + data))


@given(st.binary(max_size=12))
@settings(deadline=None)
def test_names_that_are_no_text_are_read_alike(core: ModuleType, name: bytes) -> None:
    entry = bytes_field(4, varint_field(1, 1) + bytes_field(2, bytes_field(2, name)))
    assert_read_alike(core, x_space(entry + x_line(x_event(1, 0, 1000))))


@pytest.fixture(scope="module")
def made() -> bytes:
    """A small space with everything."""
    events = [x_event(1, 10, 5000, (0, 3), (3, 9)), x_event(2, 2**40, 0, (4, 9)), x_event(3, 7, 2**62, (2, 8), (1, 5))]
    names = x_names(4, {1: "step \u0436", 2: "b", 3: "%c = d"}) + STATS_OF_PLANE
    host = x_line(*events) + bytes_field(2, b"/host:CPU") + names
    return x_space(host, bytes_field(2, b"/device:GPU:0") + names + x_line(*events)) + bytes_field(4, b"trainer")


def test_a_space_cut_off_anywhere_is_read_alike(core: ModuleType, made: bytes) -> None:
    for end in range(len(made) + 1):
        assert_read_alike(core, made[:end])
        assert_read_alike(core, made[:end], len(made))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: str(path.relative_to(PROFILES.parent)))
def test_a_recorded_space_cut_off_is_read_alike(core: ModuleType, path: Path) -> None:
    data = path.read_bytes()
    for end in range(1, len(data), len(data) // 20):
        assert_read_alike(core, data[:end])


@given(st.integers(0, 2**32), st.integers(1, 30))
@examples(40)
def test_damaged_spaces_are_read_alike(core: ModuleType, seed: int, times: int) -> None:
    chance = random.Random(seed)
    for whole in (SMALL, JAX):
        data = bytearray(whole)
        for _ in range(times):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(2)] = bytes([chance.choice([0, 1, 0x0A, 0x7F, 0x80, 0xFF])])
        assert_read_alike(core, bytes(data))


@pytest.mark.parametrize("length", [2**31, 2**50 - 40, 2**50, 2**63, 2**64 - 1, 2**64 - 30])
def test_lengths_beyond_the_file_are_read_alike(core: ModuleType, length: int) -> None:
    whole = x_line(x_event(1, 0, 1000)) + x_names(4, {1: "a"})
    for field in (0x0A, 0x12, 0x1A, 0x22, 0x2A, 0x6D, 0x69):
        for plane in (whole + bytes([field]) + varint(length), bytes([field]) + varint(length) + whole):
            assert_read_alike(core, x_space(plane))
            assert_read_alike(core, plane)
            assert_read_alike(core, x_space(bytes_field(3, plane)))


@pytest.mark.parametrize("limit", ["MAX_TEXT_BYTES", "MAX_EVENT_BYTES", "MAX_SPANS"])
def test_limits_of_the_file_are_the_same(core: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xplane, limit, 9)
    lines = b"".join(x_line(x_event(1, at, 1000), x_event(300, at, 2**60), id=at) for at in range(12))
    names = x_names(4, {1: "0123456\u0436\u0436", 300: "abcdefghijk"})
    assert_read_alike(core, x_space(lines + names + bytes_field(2, b"/host:CPU of a machine")))


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
        x_event(at, at * 700, duration, (3, at), (4, at + 1), (1, at))
        for at in range(9)
        for duration in (0, 1000, 5000)
    ]
    names = x_names(4, {at: f"name {at % 5}" for at in range(7)})
    planes = (bytes_field(2, name) + names + STATS_OF_PLANE for name in (b"/host:CPU", b"/device:TPU:0", b"c", b"d"))
    assert_read_alike(core, x_space(*(plane + b"".join(x_line(*events, id=at) for at in range(3)) for plane in planes)))


def test_a_capture_larger_than_what_is_read_at_once_is_read_alike(core: ModuleType) -> None:
    events = [x_event(1 + at % 3, at * 10_000, 9000, (0, at)) for at in range(25_000)]
    names = x_names(4, {1: "a" * 1000, 2: "b", 3: "c"})
    capture = assert_read_alike(core, x_space(x_line(*events) + names + STATS_OF_PLANE))

    assert len(capture["slices.name"][1]) == 25_000


def test_what_fails_while_reading_is_raised(core: ModuleType) -> None:
    def read(offset: int, length: int) -> bytes:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        native_xplane.read_xplane(core, read, 100)


def test_more_bytes_than_were_asked_for_are_an_error(core: ModuleType) -> None:
    with pytest.raises(ValueError, match="more than it was asked for"):
        native_xplane.read_xplane(core, lambda offset, length: bytes(length + 1), 100)


def test_captures_are_read_by_the_core(core: ModuleType) -> None:
    data = SMALL
    read = lambda offset, length: data[offset : offset + length]  # noqa: E731
    assert capture_content(read_profile("trainer.xplane.pb", read, len(data))) == outcome(xplane.read_xplane, data)
