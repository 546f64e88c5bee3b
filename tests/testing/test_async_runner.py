"""Coroutines run from synchronous tests."""

import pytest

from lightboard.testing.async_runner import run_async


async def half(number: int) -> float:
    if number == 0:
        raise ValueError("nothing to halve")
    return number / 2


def test_results_are_returned() -> None:
    """The value of the coroutine is the value of the call."""
    assert run_async(half(3)) == 1.5


def test_exceptions_are_raised() -> None:
    """So is its exception."""
    with pytest.raises(ValueError, match="nothing to halve"):
        run_async(half(0))


def test_a_running_loop_in_the_thread_is_allowed() -> None:
    """A thread that is inside a loop may play one all the same."""

    async def outer() -> float:
        return run_async(half(5))

    assert run_async(outer()) == 2.5
