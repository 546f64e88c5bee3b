"""Coroutines played from plain tests."""

import pytest

from lightboard.testing.stories import played


async def half(number: int) -> float:
    if number == 0:
        raise ValueError("nothing to halve")
    return number / 2


def test_what_it_returns_comes_back() -> None:
    """The value of the coroutine is the value of the call."""
    assert played(half(3)) == 1.5


def test_what_it_raises_comes_back() -> None:
    """So is its exception."""
    with pytest.raises(ValueError, match="nothing to halve"):
        played(half(0))


def test_a_loop_around_it_is_no_hindrance() -> None:
    """A thread that is inside a loop may play one all the same."""

    async def outer() -> float:
        return played(half(5))

    assert played(outer()) == 2.5
