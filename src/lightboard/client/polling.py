"""Requests that are repeated until something has happened."""

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from lightboard.client.neuro_status import history_words, neuro_words
from lightboard.client.session import Session
from lightboard.counts import counted
from lightboard.errors import HubUnreachable, NotReady

FIRST_PAUSE_SECS, LONGEST_PAUSE_SECS = 0.05, 2.0
RETRY_FOR_SECS, RETRY_PAUSE_SECS = 300.0, 3.0

T = TypeVar("T")


def poll(look: Callable[[], T], timeout: float | None, longest_pause: float = LONGEST_PAUSE_SECS) -> Iterator[T]:
    """What `look` returns, repeatedly until `timeout` (None is no limit); the first time at once. Times are in seconds.

    Pauses become longer, up to `longest_pause`.
    """
    end = math.inf if timeout is None else time.monotonic() + timeout
    for pause in pauses(longest_pause):
        yield look()
        remaining = end - time.monotonic()
        if remaining <= 0:
            return
        time.sleep(min(pause, remaining))


def pauses(longest_secs: float) -> Iterator[float]:
    """Ever longer pauses in seconds, without end."""
    pause = FIRST_PAUSE_SECS
    while True:
        yield pause
        pause = min(pause * 1.5, longest_secs)


def wait_until(
    look: Callable[[], dict[str, Any]], holds: Callable[[dict[str, Any]], bool], timeout: float | None
) -> None:
    """Waits until `holds` accepts the data of a resource. Raises NotReady after `timeout` seconds; None is no limit."""
    name = ""
    for info in poll(look, timeout):
        if holds(info):
            return
        name = info["id"]
    raise NotReady(
        f"{name} is not done after {counted(timeout or 0, 'second')}", hint="it continues; check again later"
    )


class RetryingReader:
    """Reads from a hub that may be away for some minutes, as during an upgrade. Tells `say` when it has to wait.

    It tries again for `timeout` seconds, with `pause` seconds between.
    """

    def __init__(
        self,
        session: Session,
        say: Callable[[str], None],
        timeout: float = RETRY_FOR_SECS,
        pause: float = RETRY_PAUSE_SECS,
    ) -> None:
        self._session = session
        self._say = say
        self._timeout = timeout
        self._pause = pause

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """The JSON response to a GET request. Raises HubUnreachable if there is none in time, and LightboardError."""
        end = time.monotonic() + self._timeout
        while True:
            try:
                return self._session.get(path, params)
            except HubUnreachable as error:
                if time.monotonic() >= end:
                    raise
                self._say(f"{error.message}; waiting for it")
                time.sleep(self._pause)


class StatusLines:
    """Passes each change of status to `say`, by default printed to stderr.

    `seen` is the number of entries of the history that are known already, 0 for something new; those that follow are
    passed even if they were over before anybody looked. None: all that exist at the first look.
    """

    def __init__(self, say: Callable[[str], None] | None = None, seen: int | None = None) -> None:
        self._say = say or print_status
        self._last = ""
        self._seen = seen

    def update(self, info: Mapping[str, Any]) -> None:
        """Says what is new in `info`: the statuses since the last call, and the current one."""
        self.update_history(info)
        self._say_once(neuro_words(info))

    def update_history(self, info: Mapping[str, Any]) -> None:
        """Says the statuses since the last call up to the last time it ran, but not how it ended."""
        steps = info["transitions"]
        if self._seen is not None:
            for words in history_words(steps, self._seen):
                self._say_once(words)
        self._seen = len(steps)

    def _say_once(self, words: str) -> None:
        if words != self._last:
            self._say(f"Status: {words}")
            self._last = words


def print_status(line: str) -> None:
    """Prints a line to stderr."""
    print(line, file=sys.stderr, flush=True)
