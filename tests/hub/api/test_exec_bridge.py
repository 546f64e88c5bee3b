"""Reading what a command in a job has written."""

import os
from collections.abc import Iterator

import pytest

from lightboard.hub.api.exec_bridge import read_available


@pytest.fixture
def pipe() -> Iterator[list[int]]:
    """A pipe that gives one write at a time, as a terminal gives some kilobytes."""
    ends = list(os.pipe2(os.O_NONBLOCK | os.O_DIRECT))
    yield ends
    for end in ends:
        os.close(end)


def test_all_that_is_there_is_read_at_once(pipe: list[int]) -> None:
    """However little the system gives at a time."""
    for part in (b"one ", b"two ", b"three"):
        os.write(pipe[1], part)

    assert read_available(pipe[0], 100) == b"one two three"


def test_no_more_than_wanted_is_read(pipe: list[int]) -> None:
    """There may be no room for it."""
    for part in (b"one ", b"two ", b"three"):
        os.write(pipe[1], part)

    assert (read_available(pipe[0], 8), read_available(pipe[0], 100)) == (b"one two ", b"three")


def test_nothing_is_not_the_end(pipe: list[int]) -> None:
    """A command may write later, until nobody has the other end."""
    with pytest.raises(BlockingIOError):
        read_available(pipe[0], 100)
    os.write(pipe[1], b"last")
    os.close(pipe.pop())

    assert (read_available(pipe[0], 100), read_available(pipe[0], 100)) == (b"last", b"")
