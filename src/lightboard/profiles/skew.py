"""How far ranks are apart in each step, and how long they wait for each other."""

from typing import NamedTuple

from lightboard import cancellation
from lightboard.profiles.breakdown import StepBreakdown
from lightboard.profiles.steps import STEPS_PER_CHECK

Rank = tuple[str, int | None]


class StepSkew(NamedTuple):
    """A step of several ranks, in nanoseconds.

    Ranks that wait in collective operations take as long as the one that they wait for. So `straggler` is the rank with
    the least time in them, which came last; None if there are none. `waited_ns` is how much longer another rank was in
    them, at most.
    """

    step: int
    ranks: int
    slowest: Rank
    shortest_ns: int
    longest_ns: int
    straggler: Rank | None
    waited_ns: int

    @property
    def spread_ns(self) -> int:
        """How much longer the slowest rank took than the fastest one."""
        return self.longest_ns - self.shortest_ns


def skew_of(rows: list[StepBreakdown]) -> list[StepSkew]:
    """The steps that two or more ranks have in common, by their numbers. `rows` are those of all ranks."""
    durations: dict[int, dict[Rank, int]] = {}
    communication: dict[int, dict[Rank, int]] = {}
    for at, row in enumerate(rows):
        if at % STEPS_PER_CHECK == 0:
            cancellation.check()
        if row.step is None:
            continue
        rank = (row.host, row.rank)
        longest = durations.setdefault(row.step, {})
        longest[rank] = max(row.duration_ns, longest.get(rank, 0))
        most = communication.setdefault(row.step, {})
        most[rank] = max(row.communication_ns, most.get(rank, 0))
    return [step_skew(step, found, communication[step]) for step, found in sorted(durations.items()) if len(found) > 1]


def step_skew(step: int, durations: dict[Rank, int], communication: dict[Rank, int]) -> StepSkew:
    """One step."""
    least, most = min(communication.values()), max(communication.values())
    last = min(communication, key=communication.__getitem__) if most > 0 else None
    slowest = max(durations, key=durations.__getitem__)
    times = durations.values()
    return StepSkew(step, len(durations), slowest, min(times), max(times), last, most - least)
