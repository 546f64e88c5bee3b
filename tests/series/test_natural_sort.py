"""Natural order of names."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from lightboard.series.natural_sort import natural_key


def test_integers_sort_by_value():
    """Anywhere in a name."""
    expected = ["", "1", "02", "10", "a", "a1b2", "a1b10", "a2", "run_9", "run_10", "run_10/x", "проба 2", "проба 12"]
    shuffled = random.Random(1).sample(expected, len(expected))
    assert sorted(shuffled, key=natural_key) == expected


def test_very_long_numbers_are_compared():
    """Ten thousand digits, without conversion to an integer."""
    long = "9" * 10_000
    assert sorted([long + "0", long, "9"], key=natural_key) == ["9", long, long + "0"]


def test_leading_zeros_distinguish_names():
    """`a01` and `a1` have different keys."""
    assert natural_key("a01") != natural_key("a1")


def parts_of(name):
    """The reference key: words, and numbers by length and digits; shorter names come first."""
    words = re.split("([0-9]+)", name)
    numbers = [number.lstrip("0") for number in words[1::2]]
    return [*zip(words[::2], ((len(number), number) for number in numbers), strict=False), (words[-1], (-1, ""))], name


@given(st.lists(st.text("aé你/_ -0123", max_size=8)))
def test_keys_sort_like_the_reference(names):
    """Keys are strings, for speed. The reference knows no decimals, so names have none."""
    assert sorted(names, key=natural_key) == sorted(names, key=parts_of)


def test_decimals_and_exponents_sort_by_value() -> None:
    """As in names of sweeps. Parts of a version are separate numbers."""
    rates = ["lr0", "lr1e-5", "lr0.0001/s0", "lr1e-4/s1", "lr0.001", "lr0.01_a", "lr0.2", "lr1", "lr1.5", "lr1e2"]
    versions = ["v1.2.9", "v1.10.0", "v1.10.2", "v2"]

    assert sorted([*rates[5:], *rates[:5]], key=natural_key) == rates
    assert sorted(["0.1", "0_"], key=natural_key) == ["0_", "0.1"]
    assert sorted([*versions[2:], *versions[:2]], key=natural_key) == versions


@given(st.lists(st.floats(1e-90, 1e6), min_size=2, max_size=6))
def test_numbers_sort_by_value_in_any_notation(values: list[float]) -> None:
    """With or without an exponent."""
    names = sorted((f"lr{value!r}/x" for value in values), key=natural_key)

    assert [float(name[2:-2]) for name in names] == sorted(values)
