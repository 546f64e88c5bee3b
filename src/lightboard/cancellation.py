"""Stopping work that nobody waits for any more, in whatever thread it runs.

Whoever starts the work sets `current`; long loops call `check` between two items, and calls into the compiled core get
`stop_flag`, which it looks at between two series. Not here: who decides that work should stop.
"""

import math
import time
from collections.abc import Generator
from contextvars import ContextVar
from typing import TypeVar

from lightboard.errors import OverBudget

T = TypeVar("T")


class Cancelled(Exception):  # it is news, not a fault
    """Nobody waits for the answer any more."""


class CancelToken:
    """Whether work should go on. Cancelled from any thread, for good.

    `deadline` is a moment of `time.monotonic` (inf for none) after which `check` raises OverBudget.
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
        """Was it asked to stop?"""
        return self.flag[0] != 0

    def check(self) -> None:
        """Raise Cancelled if the work should stop, OverBudget if it has taken too long."""
        if self.flag[0]:
            raise Cancelled
        if self.deadline != math.inf and time.monotonic() > self.deadline:
            raise OverBudget("the answer takes too long", hint="ask for less at once")


current: ContextVar[CancelToken | None] = ContextVar("current", default=None)
"""The token of the work that this thread or task is doing; None if it cannot be cancelled."""


def check() -> None:
    """Raise as `CancelToken.check` of the current token; nothing if there is none."""
    token = current.get()
    if token is not None:
        token.check()


def stop_flag() -> bytearray | None:
    """One byte that becomes 1 when the current work should stop; None if it cannot be cancelled."""
    token = current.get()
    return None if token is None else token.flag


def finish(work: Generator[object, None, T]) -> T:
    """The result of work that would give way between its pieces, all of them done here and now."""
    while True:
        check()
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
