"""When to look again. Pure: times come in as arguments, nothing is read, nobody waits."""

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


class Pace:
    """How long to wait until the next listing."""

    def __init__(self, reload_secs: float) -> None:
        self._reload = reload_secs
        self._delay = reload_secs

    def after(self, *, quiet: bool, patient: bool, missing: bool, took: float) -> float:
        """Seconds until the next listing, after one that `took` so long and found nothing new (`quiet`) or something.

        Those who are `patient` let quiet listings drift apart. A listing never takes more than a hundredth of the time.
        """
        if quiet and patient and not missing:
            self._delay = min(2 * self._delay, max(IDLE_SECS, self._reload))
        else:
            self._delay = self._reload
        delay = min(self._delay, ABSENT_SECS) if missing else self._delay
        return max(delay, 100 * took)


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
