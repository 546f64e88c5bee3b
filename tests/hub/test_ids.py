"""Resource ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.hub.resources.ids import is_id, new_id

TIMES = st.floats(0, 4e9)


def test_ids_have_prefix_time_and_randomness() -> None:
    """48 bits of milliseconds and 80 random bits in 26 characters."""
    assert new_id("tb", 1_700_000_000.123, lambda size: b"\xff" * size) == "tb-01hf7yat3vzzzzzzzzzzzzzzzz"


@given(TIMES, TIMES)
def test_ids_sort_by_time(early: float, late: float) -> None:
    """To the millisecond."""
    early, late = sorted((early, late))
    first, second = new_id("tb", early, bytes), new_id("tb", late, bytes)

    assert first <= second
    assert (first == second) == (int(early * 1000) == int(late * 1000))


def test_ids_are_unique() -> None:
    """Within a millisecond."""
    assert len({new_id("tb", 1.0) for _ in range(1_000)}) == 1_000


@given(TIMES)
def test_ids_are_recognized(at: float) -> None:
    """By their own prefix only."""
    made = new_id("tb", at)

    assert (is_id(made, "tb"), is_id(made, "ds")) == (True, False)


@pytest.mark.parametrize("text", ["", "tb-", "tb-short", "tb-" + "u" * 26, "TB-" + "0" * 26, "tb-" + "0" * 27, "../tb"])
def test_invalid_ids(text: str) -> None:
    """Wrong length, excluded letters, capitals."""
    assert is_id(text, "tb") is False
