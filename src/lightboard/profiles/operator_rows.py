"""Rows of tables of operators, added up over the names of a file and over files."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from lightboard.profiles.duration_histograms import DurationHistograms, together

Key = TypeVar("Key", bound=Hashable)


class Figures(NamedTuple):
    """How often the slices of a row ran, and for how long: all together, by themselves, and 95 % of them at most."""

    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    total_ns: int
    self_ns: int
    p95_ns: int


class OperatorRows(Generic[Key]):
    """Collects rows that have these keys."""

    def __init__(self) -> None:
        self._places: dict[Key, int] = {}
        self._sums: list[list[int]] = []
        self._durations: list[DurationHistograms] = []

    def add(self, rows: Iterable[tuple[Key, Iterable[int]]], durations: DurationHistograms) -> None:
        """Add rows, each with its count, total and self time, and a histogram for each of them."""
        places = [self._add(key, figures) for key, figures in rows]
        self._durations.append(durations.in_rows(places))

    def _add(self, key: Key, figures: Iterable[int]) -> int:
        place = self._places.setdefault(key, len(self._sums))
        if place == len(self._sums):
            self._sums.append([0, 0, 0])
        for at, figure in enumerate(figures):
            self._sums[place][at] += figure
        return place

    def durations(self) -> DurationHistograms:
        """The histograms of all rows."""
        return together(self._durations)

    def __iter__(self) -> Iterator[tuple[Key, Figures]]:
        """The rows, in the order in which their keys were first added."""
        percentiles = self.durations().percentiles() if self._durations else []
        for key, (count, total_ns, self_ns), p95_ns in zip(self._places, self._sums, percentiles, strict=True):
            yield key, Figures(count, total_ns, self_ns, p95_ns)
