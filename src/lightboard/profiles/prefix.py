"""What has been read of a file while the rest of it is read, for those who want to see something by then."""

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from lightboard.profiles.capture import HostCapture

MOST_IN_MEMORY = 1_000_000
"""Slices that are handed out of a file whose columns are in memory, since they are copied."""


class PrefixTaker(Protocol):
    """Gets what readers have read so far."""

    def is_due(self, slices: int) -> bool:
        """Whether `take` should be called now that so many slices of the file have been read."""

    def take(self, host: HostCapture, part: float) -> None:
        """Gets what has been read, and which part of the bytes of the file that is, from 0 to 1.

        The columns are copies. Times may not be absolute yet.
        """


def is_prefix_due(prefix: PrefixTaker | None, slices: int, *, in_memory: bool) -> bool:
    """Whether so many slices should be handed out now."""
    return prefix is not None and not (in_memory and slices > MOST_IN_MEMORY) and prefix.is_due(slices)


def hand_out(prefix: PrefixTaker, make: Callable[[], HostCapture], part: float) -> None:
    """Hand out what `make` makes, if the disk has space for it: reading goes on without, and tells other errors."""
    with suppress(OSError):
        prefix.take(make(), part)
