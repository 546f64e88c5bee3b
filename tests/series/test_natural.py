"""The order people expect of names."""

import random

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
