"""Retries of database operations while the hub starts and its database is not available or busy."""

import itertools
import time
from collections.abc import Callable
from typing import TypeVar

from lightboard.errors import DatabaseBusy, DatabaseUnreachable

T = TypeVar("T")

DELAYS_SECS = (0.2, 0.5, 1.0, 2.0)
"""Delays between attempts. The last one repeats."""


def retry_until_available(
    step: Callable[[], T], say: Callable[[str], None], wait: Callable[[float], None] = time.sleep
) -> T:
    """Calls `step` until the database is available and returns its result. `step` must be a whole transaction.

    Each new error is reported once. Only DatabaseUnreachable and DatabaseBusy are retried; other errors are raised.
    """
    reported = ""
    delays_secs = itertools.chain(DELAYS_SECS, itertools.repeat(DELAYS_SECS[-1]))
    while True:
        try:
            return step()
        except (DatabaseUnreachable, DatabaseBusy) as error:
            if error.message != reported:
                reported = error.message
                say(f"waiting: {error.message}; {error.hint}")
        wait(next(delays_secs))
