"""Cancels work in any thread.

The caller sets `current`. Long loops call `check` between items, and the compiled core gets `stop_flag`, which it reads
between series. Not here: who cancels work.
"""

import math
import time
from collections.abc import Generator
from contextvars import ContextVar
from typing import TypeVar

from lightboard.errors import OverBudget

T = TypeVar("T")


class Cancelled(Exception):  # not an error
    """The work was cancelled."""


class CancelToken:
    """Tells work to stop. Can be cancelled from any thread, permanently.

    `deadline` is a time of `time.monotonic` (inf for none) after which `check` raises OverBudget.
    """

    __slots__ = ("deadline", "flag")

    def __init__(self) -> None:
        self.flag = bytearray(1)
        self.deadline = math.inf

    def cancel(self) -> None:
        """Ask the work to stop."""
        self.flag[0] = 1

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self.flag[0] != 0

    def check(self) -> None:
        """Raise Cancelled if the work was cancelled, OverBudget after the deadline."""
        if self.flag[0]:
            raise Cancelled
        if self.deadline != math.inf and time.monotonic() > self.deadline:
            raise OverBudget("the request takes too long", hint="request less at once")


current: ContextVar[CancelToken | None] = ContextVar("current", default=None)
"""The token of the current work; None if it cannot be cancelled."""


def check() -> None:
    """Check the current token, if there is one."""
    token = current.get()
    if token is not None:
        token.check()


def stop_flag() -> bytearray | None:
    """A byte that becomes 1 when the current work is cancelled; None if it cannot be cancelled."""
    token = current.get()
    return None if token is None else token.flag


def finish(work: Generator[object, None, T]) -> T:
    """Run a generator of steps to its end, and return its result."""
    while True:
        check()
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
