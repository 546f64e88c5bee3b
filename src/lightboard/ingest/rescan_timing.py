"""When to list folders and visit files again. Pure: times are arguments; nothing sleeps or does I/O."""

import math
from collections.abc import Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item")

IDLE_SECS = 60.0
"""Longest interval between full listings while nothing changes, if a reliable watch reports changes or listings cost
money."""

REMOTE_SHARE = 0.1
"""The share of the time of a network listing that counts as work: most of it is waiting."""

ABSENT_SECS = 1.0
"""Interval of checks for a logdir that does not exist yet."""

HOT_SECS = 300.0
"""Without a watch, a file that changed this recently is visited every `HOT_STEP_SECS`."""

HOT_STEP_SECS = 1.0

HEAL_SECS = (1.0, 60.0)
"""Retry delays of a damaged file: the first one, then doubled up to the second."""


DENIED_SECS = (1.0, 4.0)
"""Retry delays of what could not be opened: no event tells when it can be."""

TOUCHED_SECS = 5.0
"""A large file that was written to without growing is decoded again after this time, unless it grows meanwhile."""

TOUCHED_BYTES_PER_SEC = 100e6
"""The delay grows with the size, so that decoding again takes a small share of the time."""

REARM_SECS = (1.0, 600.0)
"""Retry delays of a watch that covers only a part of the folders."""

GAP_SECS = 60.0
"""Longest pause that a slow listing causes, unless twice its own time is longer."""


BURST_SECS = 1.0
"""Changes within this time are one burst."""


class BurstDetector:
    """Detects `limit` changes or more within a second, of which the system may have dropped some."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._count = 0
        self._since = -math.inf

    def add(self, count: int, now: float) -> bool:
        """Count more changes. Returns whether they are a burst."""
        if now - self._since > BURST_SECS:
            self._since, self._count = now, 0
        self._count += count
        return self._count >= self._limit


class Backoff:
    """Retries with growing delays until an attempt succeeds."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = longest
        self._delay = shortest
        self._next: float | None = None

    def start(self, now: float) -> None:
        """Schedule the first retry, unless one is scheduled."""
        if self._next is None:
            self._next = now + self._delay

    @property
    def next_due(self) -> float | None:
        """When the next retry is due, or None."""
        return self._next

    def due(self, now: float) -> bool:
        """Whether a retry is due. If so, the delay of the next one is doubled."""
        if self._next is None or now < self._next:
            return False
        self._delay = min(2 * self._delay, self._longest)
        self._next = now + self._delay
        return True

    def settle(self, now: float) -> None:
        """Note a success. The delay is reset only if it lasted until the next retry would have been due."""
        if self._next is not None and now >= self._next:
            self._delay, self._next = self._shortest, None


def min_pause(factor: float, took: float) -> float:
    """Least seconds to wait after a listing that took `took` seconds: `factor` times that, limited by `GAP_SECS`."""
    return min(factor * took, max(GAP_SECS, 2 * took))


class RescanInterval:
    """The interval between listings."""

    def __init__(self, reload_secs: float) -> None:
        self._reload = reload_secs
        self._delay = reload_secs

    def after(self, *, quiet: bool, patient: bool, missing: bool, took: float) -> float:
        """Seconds until the next listing, after one of `took` seconds that found nothing new (`quiet`) or something.

        With `patient`, the interval doubles while listings are quiet. Listings take at most a hundredth of the time,
        within the limit of `min_pause`.
        """
        if quiet and patient and not missing:
            self._delay = min(2 * self._delay, max(IDLE_SECS, self._reload))
        else:
            self._delay = self._reload
        delay = min(self._delay, ABSENT_SECS) if missing else self._delay
        return max(delay, min_pause(100, took))


class RetrySet(Generic[Item]):
    """Items to retry, each with growing delays, until they are discarded."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = longest
        self._due: dict[Item, tuple[float, float]] = {}

    def __contains__(self, item: Item) -> bool:
        return item in self._due

    def add(self, item: Item, now: float) -> None:
        """Schedule the item after the shortest delay. One that is scheduled already keeps its time."""
        self._due.setdefault(item, (now + self._shortest, self._shortest))

    def discard(self, item: Item) -> None:
        """Do not retry the item any more."""
        self._due.pop(item, None)

    def next_due(self) -> float | None:
        """When the next item is due, or None."""
        return min((due for due, _ in self._snapshot().values()), default=None)

    def take_due(self, now: float) -> list[Item]:
        """The items that are due. Each is scheduled again with twice the delay."""
        due: list[Item] = []
        for item, (moment, delay) in self._snapshot().items():
            if moment <= now:
                due.append(item)
                longer = min(2 * delay, self._longest)
                if item in self._due:
                    self._due[item] = (now + longer, longer)
        return due

    def _snapshot(self) -> dict[Item, tuple[float, float]]:
        return self._due.copy()


def earliest(moments: Iterable[float | None]) -> float | None:
    """The earliest of the moments that are not None; None if all are."""
    return min((moment for moment in moments if moment is not None), default=None)
