"""The status request, sent frequently by pages and hubs."""

import sys
from collections.abc import Callable

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.testing.fakes import MemoryBoard, event_file
from lightboard.testing.provider import memory_provider


def count_calls(function: Callable[[], object]) -> int:
    """Calls of Python and C functions while it runs."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


def provider_of(runs: int) -> CatalogProvider:
    return memory_provider({f"run{i:03d}": {"loss": [(0, 1.0 + i, 4.0)]} for i in range(runs)})


def test_files_are_counted_once_per_generation() -> None:
    """Counting ten thousand runs takes tens of milliseconds."""
    few, many = provider_of(1), provider_of(300)
    few.status(), many.status()

    assert count_calls(many.status) == count_calls(few.status)


def test_later_data_is_counted() -> None:
    """In the next generation."""
    board = MemoryBoard({"a/events.out.tfevents.0": event_file("loss", [(0, 1.0)])})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="memory"))
    provider.status()
    board.storage.write("b/events.out.tfevents.0", event_file("lr", [(0, 1.0), (5, 2.0)]) + b"damage" * 10)

    board.refresh()

    status = provider.status()
    assert (status.points, status.series, status.damaged_files, status.last_event_wall_time) == (3, 2, 1, 5.0)
