"""Promises about ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.hub.resources.ids import is_id, new_id

TIMES = st.floats(0, 4e9)


def test_an_id_is_prefix_time_and_chance() -> None:
    """48 bits of milliseconds and 80 random ones, in 26 characters."""
    assert new_id("tb", 1_700_000_000.123, lambda size: b"\xff" * size) == "tb-01hf7yat3vzzzzzzzzzzzzzzzz"


@given(TIMES, TIMES)
def test_ids_sort_by_time(early: float, late: float) -> None:
    """To the millisecond."""
    early, late = sorted((early, late))
    first, second = new_id("tb", early, bytes), new_id("tb", late, bytes)

    assert first <= second
    assert (first == second) == (int(early * 1000) == int(late * 1000))


def test_no_two_are_alike() -> None:
    """In the same millisecond."""
    assert len({new_id("tb", 1.0) for _ in range(1_000)}) == 1_000


@given(TIMES)
def test_an_id_is_known_as_one(at: float) -> None:
    """By its own prefix alone."""
    made = new_id("tb", at)

    assert (is_id(made, "tb"), is_id(made, "ds")) == (True, False)


@pytest.mark.parametrize("text", ["", "tb-", "tb-short", "tb-" + "u" * 26, "TB-" + "0" * 26, "tb-" + "0" * 27, "../tb"])
def test_what_is_no_id(text: str) -> None:
    """Another length, letters that are left out, capitals."""
    assert is_id(text, "tb") is False
