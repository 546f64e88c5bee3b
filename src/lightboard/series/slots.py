"""Slots: the place of each run in the order of colours, given once for each name. No I/O, no lock."""

from collections.abc import Mapping


class Slots:
    """Hands out slots, beginning with those `known` from before; a name keeps its own also while its run is gone.

    Of known slots that are below zero, or that an earlier name has, nothing is kept: such a name gets another.
    """

    def __init__(self, known: Mapping[str, int]) -> None:
        self._given: dict[str, int] = {}
        self._used: set[int] = set()
        for name, slot in known.items():
            if slot >= 0 and slot not in self._used:
                self._give(name, slot)
        self._next = 0

    def of(self, name: str) -> int:
        """The slot of `name`; for a new one the smallest number that nobody ever had."""
        slot = self._given.get(name)
        if slot is None:
            while self._next in self._used:
                self._next += 1
            slot = self._next
            self._give(name, slot)
        return slot

    def given(self) -> dict[str, int]:
        """Name -> slot, of all names so far."""
        return self._given.copy()

    def _give(self, name: str, slot: int) -> None:
        self._given[name] = slot
        self._used.add(slot)
