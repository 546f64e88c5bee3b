"""The order people expect of names."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from lightboard.series.natural import natural_key


def test_numbers_are_ordered_by_value():
    """Digits count as numbers wherever they stand, and words as words."""
    wanted = ["", "1", "02", "10", "a", "a1b2", "a1b10", "a2", "run_9", "run_10", "run_10/x", "проба 2", "проба 12"]
    shuffled = random.Random(1).sample(wanted, len(wanted))
    assert sorted(shuffled, key=natural_key) == wanted


def test_endless_digits_are_compared():
    """A name of ten thousand digits is a name like any other."""
    long = "9" * 10_000
    assert sorted([long + "0", long, "9"], key=natural_key) == ["9", long, long + "0"]


def test_names_that_differ_in_zeros_only_keep_one_order():
    """`a01` and `a1` are not the same name."""
    assert natural_key("a01") != natural_key("a1")


def parts_of(name):
    """Words, and numbers by the count of their digits and then by these; what ends comes first."""
    words = re.split("([0-9]+)", name)
    numbers = [number.lstrip("0") for number in words[1::2]]
    return [*zip(words[::2], ((len(number), number) for number in numbers), strict=False), (words[-1], (-1, ""))], name


@given(st.lists(st.text("aé你/_ .0123", max_size=8)))
def test_keys_stand_as_the_parts_of_names_do(names):
    """Though they are texts, which are compared quickly."""
    assert sorted(names, key=natural_key) == sorted(names, key=parts_of)
