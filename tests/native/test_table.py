"""Tables of numbers as text: the core gives NumPy's result, or leaves them to NumPy."""

import io
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.events import pure_python

PLAIN = st.one_of(
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.sampled_from(
        ["0", "-0.0", ".5", "5.", "1e5", "1E-7", "00012", "4.9e-324", "16777217", "0.1000000014901161193847656"]
    ),
)


def load_with_numpy(text: bytes, delimiter: str) -> bytes:
    with np.errstate(over="ignore"):
        found = np.loadtxt(io.BytesIO(text), np.float32, delimiter=delimiter, comments=None, ndmin=2)
    return found.astype("<f4").tobytes()


@given(st.data(), st.integers(1, 4), st.sampled_from("\t "), st.sampled_from(["\n", "\r\n"]))
def test_plain_numbers_equal_those_of_numpy(
    core: ModuleType, data: st.DataObject, columns: int, delimiter: str, end: str
) -> None:
    """To the last bit, with any line ends and empty lines."""
    rows = data.draw(st.lists(st.lists(PLAIN, min_size=columns, max_size=columns), min_size=1, max_size=8))
    lines = [delimiter.join(row) + end * data.draw(st.integers(1, 2)) for row in rows]
    text = "".join(lines).encode()
    assert core.parse_table(text, columns) == load_with_numpy(text, delimiter)


@given(st.binary(max_size=40) | st.text("0123456789.-+eE \t\r\nnaif", max_size=40).map(str.encode), st.integers(1, 3))
def test_other_text_is_left_or_equals_numpy(core: ModuleType, text: bytes, columns: int) -> None:
    """There is no third result."""
    found = core.parse_table(text, columns)
    if found is None or not text.strip():
        return
    expected = load_with_numpy(text, "\t" if b"\t" in text else " ")
    assert (found, len(expected) % (4 * columns)) == (expected, 0)


@pytest.mark.parametrize(
    "text",
    [
        b"1\t2\n3\n",
        b"1\t2\t3\n",
        b"1\t2\n\t\n",
        b"1\tnan\n",
        b"1\t-inf\n",
        b"1\t+2\n",
        b"1\t0x10\n",
        b"1\t2_0\n",
        b"1\t1e999\n",
        b"1 2\n3\t4\n",
        b"1\t\t2\n",
        b"1\t2\t\n",
        b"1\t2\r3\t4\n",
        b"1\t2\r",
        b"1\t",
        b"-",
        b"--1\t2",
    ],
)
def test_unusual_tables_are_left_to_numpy(core: ModuleType, text: bytes) -> None:
    """It reads them, or reports what is wrong."""
    assert core.parse_table(text, 2) is None


def test_tables_need_a_column(core: ModuleType) -> None:
    """In both implementations. The pure-Python one leaves all tables to NumPy."""
    for parse in (core.parse_table, pure_python.parse_table):
        with pytest.raises(ValueError, match="columns must be at least 1"):
            parse(b"1\n", 0)
    assert (core.parse_table(b"", 3), pure_python.parse_table(b"1\n", 1)) == (b"", None)
