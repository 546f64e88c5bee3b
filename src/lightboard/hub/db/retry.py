"""What a hub does while it starts and its database is away or busy: it waits, and says so once."""

import itertools
import time
from collections.abc import Callable
from typing import TypeVar

from lightboard.errors import DatabaseBusy, DatabaseUnreachable

T = TypeVar("T")

DELAYS_SECS = (0.2, 0.5, 1.0, 2.0)
"""Between attempts; the last for good."""


def retry_until_available(
    step: Callable[[], T], say: Callable[[str], None], wait: Callable[[float], None] = time.sleep
) -> T:
    """What `step` gives once the database answers it. It is called again from its beginning, so it must be a whole
    transaction.

    Raises what `step` raises, but for DatabaseUnreachable and DatabaseBusy: other faults do not go away by waiting.
    """
    said = ""
    delays_secs = itertools.chain(DELAYS_SECS, itertools.repeat(DELAYS_SECS[-1]))
    while True:
        try:
            return step()
        except (DatabaseUnreachable, DatabaseBusy) as error:
            if error.message != said:
                said = error.message
                say(f"waiting: {error.message}; {error.hint}")
        wait(next(delays_secs))
