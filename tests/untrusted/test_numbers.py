"""Numbers out of text."""

import pytest

from lightboard.untrusted.numbers import MOST, double, whole_number

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


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), (str(MOST), MOST)])
def test_plain_digits_are_a_number(text: str, number: int) -> None:
    """Up to what a step can be."""
    assert whole_number(text) == number


@pytest.mark.parametrize("text", [*HOSTILE, str(MOST + 1)])
def test_everything_else_is_none(text: str) -> None:
    """Also what Python would take for a number."""
    assert whole_number(text) is None


def test_a_limit_can_be_lower() -> None:
    """The limit itself still fits."""
    assert [whole_number(text, 99) for text in ("99", "100")] == [99, None]


@pytest.mark.parametrize(("text", "number"), [("1", 1.0), ("-1.5", -1.5), (".5", 0.5), ("1.", 1.0), ("2e3", 2000.0)])
def test_a_double_is_written_as_usual(text: str, number: float) -> None:
    """With a sign, a point or an exponent."""
    assert double(text) == number


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1e999", "1_0", "²", "٣", "0x1", "1e", ".", "9" * 5_000, " 1", "1\n"]
)
def test_what_is_no_finite_number_is_none(text: str) -> None:
    """Nor what Python alone takes for one."""
    assert double(text) is None
