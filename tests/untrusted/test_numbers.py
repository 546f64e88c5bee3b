"""Parsing numbers from untrusted text."""

import pytest

from lightboard.untrusted.numbers import MAX_INT64, double, whole_number

HOSTILE = [
    "",
    " ",
    "²",
    "٣",
    "१",
    "1_0",
    "+1",
    "-1",
    "1.0",
    "1e3",
    "0x10",
    "NaN",
    "inf",
    " 1",
    "1\n",
    "1\0",
    "9" * 20,
    "9" * 5_000,
]


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), (str(MAX_INT64), MAX_INT64)])
def test_digits_are_whole_numbers(text: str, number: int) -> None:
    """Up to the largest step."""
    assert whole_number(text) == number


@pytest.mark.parametrize("text", [*HOSTILE, str(MAX_INT64 + 1)])
def test_other_text_is_no_whole_number(text: str) -> None:
    """Including what Python's int accepts."""
    assert whole_number(text) is None


def test_whole_numbers_have_a_limit() -> None:
    """The limit itself is allowed."""
    assert [whole_number(text, 99) for text in ("99", "100")] == [99, None]


@pytest.mark.parametrize(("text", "number"), [("1", 1.0), ("-1.5", -1.5), (".5", 0.5), ("1.", 1.0), ("2e3", 2000.0)])
def test_decimals_are_doubles(text: str, number: float) -> None:
    """With a sign, a point or an exponent."""
    assert double(text) == number


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1e999", "1_0", "²", "٣", "0x1", "1e", ".", "9" * 5_000, " 1", "1\n"]
)
def test_other_text_is_no_double(text: str) -> None:
    """Including what Python's float accepts."""
    assert double(text) is None
