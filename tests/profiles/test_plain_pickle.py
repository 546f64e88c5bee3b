"""Pickles of plain data are read as `pickle` reads them; nothing else is."""

import collections
import datetime
import os
import pickle
import pickletools
import tracemalloc
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.profiles import plain_pickle
from lightboard.profiles.plain_pickle import read_plain_pickle
from support.examples import examples
from support.profiles import PROFILES

SNAPSHOT = PROFILES / "torch_snapshot" / "memory_snapshot.pickle"

KEYS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.binary(max_size=5)
)
PLAIN = st.recursive(
    KEYS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.tuples(inner)
        | st.tuples(inner, inner, inner, inner)
    ),
    max_leaves=20,
)


def read(data: bytes, piece: int = 1 << 20) -> tuple[Any, list[str]]:
    """The value in a pickle, read in pieces of this size, and problems."""
    problems = list[str]()
    pieces = (data[at : at + piece] for at in range(0, len(data), piece))
    return read_plain_pickle(pieces, problems), problems


@given(PLAIN, st.integers(0, pickle.HIGHEST_PROTOCOL), st.integers(1, 9))
def test_plain_data_is_what_pickle_reads(value: Any, protocol: int, piece: int) -> None:
    if protocol < 3:
        value = without_bytes(value)  # these are calls there

    assert read(pickle.dumps(value, protocol), piece) == (value, [])


def without_bytes(value: Any) -> Any:
    """The same with texts for bytes."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {without_bytes(key): without_bytes(each) for key, each in value.items()}
    return type(value)(map(without_bytes, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_snapshot_is_read_whatever_its_protocol(protocol: int) -> None:
    value = pickle.loads(SNAPSHOT.read_bytes())

    assert read(pickle.dumps(value, protocol)) == (value, [])


class Caller:
    """Runs a command when `pickle` reads it."""

    def __reduce__(self) -> Any:
        return os.system, ("touch /tmp/lightboard-was-here",)


IMPORTS, CALLS = "the pickle imports code, which is never run", "the pickle calls code, which is never run"
OUTSIDE = "the pickle refers to something outside of it"
NOT_PLAIN = "the pickle has sets or buffers, which are no plain data here"


OBJECTS = [Caller(), os.system, collections.OrderedDict(a=1), datetime.date(2026, 1, 1), 1j, ValueError("x")]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_objects_are_refused(protocol: int) -> None:
    refused = []
    for value in OBJECTS:
        with pytest.raises(Unshowable) as error:
            read(pickle.dumps([1, {"a": value}], protocol))
        refused.append((error.value.message, error.value.hint))

    assert refused == [(IMPORTS, plain_pickle.HINT)] * len(OBJECTS)


def test_every_instruction_that_is_not_plain_is_refused_by_name() -> None:
    names = {
        IMPORTS: {"GLOBAL", "INST", "STACK_GLOBAL"},
        CALLS: {"REDUCE", "OBJ", "BUILD", "NEWOBJ", "NEWOBJ_EX"},
        OUTSIDE: {"PERSID", "BINPERSID", "EXT1", "EXT2", "EXT4", "NEXT_BUFFER"},
        NOT_PLAIN: {"EMPTY_SET", "ADDITEMS", "FROZENSET", "BYTEARRAY8", "READONLY_BUFFER"},
    }
    refused = dict[str, set[str]]()
    for opcode in pickletools.opcodes:
        try:
            read(opcode.code.encode("latin-1"))
        except Unshowable as error:
            refused.setdefault(error.message, set()).add(opcode.name)

    assert refused == names


CUT = ["the file is cut off or damaged, and is read up to there"]
MANY = ["the file has more values than are read, and is read up to there"]


def test_what_is_cut_off_has_what_came_before() -> None:
    data = pickle.dumps({"a": [1, 2, 3], "b": {"c": 4, "d": [5, "six" * 9]}}, 4)

    assert read(data[: data.index(b"six")]) == ({"a": [1, 2, 3], "b": {"c": 4, "d": [5]}}, CUT)


DAMAGED: dict[str, tuple[bytes, Any, list[str]]] = {
    "nothing": (b"", None, CUT),
    "no end": (b"K\x01", 1, CUT),
    "an end alone": (b".", None, CUT),
    "no pickle": (b"hello", None, CUT),
    "no mark": (b"]u.", [], CUT),
    "an unknown memo": (b"h\x07.", None, CUT),
    "a text longer than the file": (b"X\xff\xff\xff\x00abc.", None, CUT),
    "a text of 4 GB": (b"X\xff\xff\xff\xffabc.", None, MANY),
    "a text of 16 EB": (b"\x8d" + b"\xff" * 8 + b"abc.", None, MANY),
    "a number of 2 GB": (b"\x8b\xff\xff\xff\x7f.", None, MANY),
    "a number of negative length": (b"\x8b\xff\xff\xff\xff.", None, CUT),
    "a line without end": (b"I" + b"1" * 5000 + b"\n.", None, CUT),
    "no number": (b"Ix\n.", None, CUT),
    "a list as a key": (b"}]K\x01s.", {}, []),
}


def test_damage_is_one_sentence() -> None:
    found = {name: read(data) for name, (data, _, _) in DAMAGED.items()}

    assert found == {name: (value, problems) for name, (_, value, problems) in DAMAGED.items()}


def test_deep_values_are_read_up_to_a_limit() -> None:
    marks = read(b"(" * 100_000)
    lists = read(b"]" * 100_000 + b"a" * 99_999 + b".")[1]

    assert (marks, lists) == ((None, MANY), [])


def test_a_deep_key_harms_nothing() -> None:
    assert read(b"})" + b"\x85" * 200_000 + b"K\x01s.") == ({}, [])


def test_a_list_may_contain_itself() -> None:
    value, problems = read(b"]\x94h\x00a.")

    assert (value[0] is value, problems) == (True, [])


def test_values_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_pickle, "MAX_VALUES", 100)

    assert read(pickle.dumps(list(range(1000)))) == (list(range(99)), MANY)


def test_texts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_pickle, "MAX_TEXT_BYTES", 100)

    assert read(pickle.dumps(["x" * 30, "y" * 40, "z" * 50]))[0] == ["x" * 30, "y" * 40]


@examples(300)
@given(st.data())
def test_any_damage_leaves_memory_bounded(data: st.DataObject) -> None:
    """Some bytes of a snapshot are others: it is read, or refused."""
    damaged = bytearray(SNAPSHOT.read_bytes()[:3000])
    for _ in range(data.draw(st.integers(1, 5))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    tracemalloc.start()
    try:
        with suppress(Unshowable):
            read(bytes(damaged))
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(Unshowable):
        read(data)
