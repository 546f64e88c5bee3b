"""When to look again. Pure: times come in as arguments, nothing is read, nobody waits."""

import math
from collections.abc import Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item")

IDLE_SECS = 60.0
"""How far apart full listings may drift while nothing happens and a trusted watch reports changes, or each listing is
paid for."""

REMOTE_SHARE = 0.1
"""What counts of the time that a listing over a network takes: most of it is waiting."""

ABSENT_SECS = 1.0
"""How often a logdir that is not there yet is looked for."""

HOT_SECS = 300.0
"""Where nothing is watched, a file that changed this lately is looked at every `HOT_STEP_SECS`."""

HOT_STEP_SECS = 1.0

HEAL_SECS = (1.0, 60.0)
"""A damaged file is looked at again after the first of these, then twice as long each time, up to the second."""


DENIED_SECS = (1.0, 4.0)
"""What could not be opened is tried again at these distances: nobody tells when it may be."""

TOUCHED_SECS = 5.0
"""A large file that was written to and kept its size is read anew after this, unless it grows meanwhile."""

TOUCHED_BYTES_PER_SEC = 100e6
"""And the later the larger it is, so that reading anew takes a small part of the time whatever touches the file."""

REARM_SECS = (1.0, 600.0)
"""Where only a part is watched, it is tried anew after the first of these, later less often, up to the second."""

GAP_SECS = 60.0
"""However long a listing takes, the next one comes after this, or after twice its own time where that is longer."""


CROWD_SECS = 1.0
"""Changes that come within this time are one crowd."""


class Crowd:
    """Tells when `most` changes or more come within a second: of so many some may have been lost on the way."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._since = -math.inf

    def add(self, count: int, now: float) -> bool:
        """So many more came; whether it is a crowd."""
        if now - self._since > CROWD_SECS:
            self._since, self._count = now, 0
        self._count += count
        return self._count >= self._most


class Backoff:
    """Something to be tried again at growing distances until it works."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = longest
        self._delay = shortest
        self._next: float | None = None

    def start(self, now: float) -> None:
        """It did not work: try after the shortest time, unless a time is set already."""
        if self._next is None:
            self._next = now + self._delay

    def due(self, now: float) -> bool:
        """Whether it is time; then the next time is twice as far away."""
        if self._next is None or now < self._next:
            return False
        self._delay = min(2 * self._delay, self._longest)
        self._next = now + self._delay
        return True

    def settle(self, now: float) -> None:
        """It works. Only what has gone on working until the next try was due begins at the shortest time again."""
        if self._next is not None and now >= self._next:
            self._delay, self._next = self._shortest, None


def gap(share: float, took: float) -> float:
    """The least pause after a listing that `took` so long: `share` times that, within `GAP_SECS`."""
    return min(share * took, max(GAP_SECS, 2 * took))


class Pace:
    """How long to wait until the next listing."""

    def __init__(self, reload_secs: float) -> None:
        self._reload = reload_secs
        self._delay = reload_secs

    def after(self, *, quiet: bool, patient: bool, missing: bool, took: float) -> float:
        """Seconds until the next listing, after one that `took` so long and found nothing new (`quiet`) or something.

        Those who are `patient` let quiet listings drift apart. A listing takes a hundredth of the time at most, unless
        the pause would be longer than `gap` allows.
        """
        if quiet and patient and not missing:
            self._delay = min(2 * self._delay, max(IDLE_SECS, self._reload))
        else:
            self._delay = self._reload
        delay = min(self._delay, ABSENT_SECS) if missing else self._delay
        return max(delay, gap(100, took))


class Rechecks(Generic[Item]):
    """Items to look at again, each at growing distances until it is taken off."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = longest
        self._due: dict[Item, tuple[float, float]] = {}

    def __contains__(self, item: Item) -> bool:
        return item in self._due

    def add(self, item: Item, now: float) -> None:
        """Look at the item after the shortest time; one that is here already keeps its time."""
        self._due.setdefault(item, (now + self._shortest, self._shortest))

    def discard(self, item: Item) -> None:
        """No longer."""
        self._due.pop(item, None)

    def next_due(self) -> float | None:
        """When the next item is due; None if there is none."""
        return min((due for due, _ in self._snapshot().values()), default=None)

    def take_due(self, now: float) -> list[Item]:
        """The items that are due, each put off twice as long as the last time."""
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
    """The first of some moments, of which any may be missing."""
    return min((moment for moment in moments if moment is not None), default=None)
