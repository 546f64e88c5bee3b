"""How many connections to jobs accounts have at once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from lightboard.errors import TooMany


class ConnectionLimit:
    """The limit of one kind of connections, in all jobs. Must be used in the event loop.

    `act` is what they do to a job, for errors: `run commands in`.
    """

    def __init__(self, act: str, *, most_of_account: int, most_of_hub: int) -> None:
        self._act = act
        self._most_of_account = most_of_account
        self._most_of_hub = most_of_hub
        self._running: Counter[str] = Counter()

    @contextmanager
    def counted(self, account: str) -> Iterator[None]:
        """Counts one while it is open. Raises TooMany."""
        if self._running[account] >= self._most_of_account or self._running.total() >= self._most_of_hub:
            raise TooMany(
                "there are too many connections to jobs",
                hint=f"to {self._act} jobs, an account has at most {self._most_of_account}; end some",
            )
        self._running[account] += 1
        try:
            yield
        finally:
            self._running[account] -= 1
            if not self._running[account]:
                del self._running[account]
