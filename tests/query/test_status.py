"""What a page asks first, and a hub again and again."""

import sys
from collections.abc import Callable

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.testing.fakes import MemoryBoard, event_file
from lightboard.testing.provider import memory_provider


def calls_of(work: Callable[[], object]) -> int:
    """How many functions `work` calls, those of the core included."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def provider_of(runs: int) -> CatalogProvider:
    return memory_provider({f"run{i:03d}": {"loss": [(0, 1.0 + i, 4.0)]} for i in range(runs)})


def test_files_are_counted_once_for_a_generation() -> None:
    """Else each answer over ten thousand runs would take tens of milliseconds from all others."""
    few, many = provider_of(1), provider_of(300)
    few.status(), many.status()

    assert calls_of(many.status) == calls_of(few.status)


def test_what_comes_later_is_counted() -> None:
    """Points, series, damage and the time of the last event, with the next generation."""
    board = MemoryBoard({"a/events.out.tfevents.0": event_file("loss", [(0, 1.0)])})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="memory"))
    provider.status()
    board.storage.write("b/events.out.tfevents.0", event_file("lr", [(0, 1.0), (5, 2.0)]) + b"damage" * 10)

    board.look()

    status = provider.status()
    assert (status.points, status.series, status.damaged_files, status.last_event_wall_time) == (3, 2, 1, 5.0)
