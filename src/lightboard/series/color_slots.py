"""Assigns slots: the position of each run in the order of colours, fixed for each name. No I/O, no lock."""

from collections.abc import Mapping


class ColorSlots:
    """Assigns slots, beginning with the `previous` ones. A name keeps its slot while its run is gone.

    Previous slots that are negative or duplicates are ignored; such names get a new one.
    """

    def __init__(self, previous: Mapping[str, int]) -> None:
        self._assigned: dict[str, int] = {}
        self._used: set[int] = set()
        for name, slot in previous.items():
            if slot >= 0 and slot not in self._used:
                self._assign(name, slot)
        self._next = 0

    def of(self, name: str) -> int:
        """The slot of `name`. A new name gets the smallest unused number."""
        slot = self._assigned.get(name)
        if slot is None:
            while self._next in self._used:
                self._next += 1
            slot = self._next
            self._assign(name, slot)
        return slot

    def assigned(self) -> dict[str, int]:
        """Name -> slot, of all names so far."""
        return self._assigned.copy()

    def _assign(self, name: str, slot: int) -> None:
        self._assigned[name] = slot
        self._used.add(slot)
