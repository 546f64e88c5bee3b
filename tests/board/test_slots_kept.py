"""Each run has its colour again after the next start."""

import asyncio
import threading

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.slots import SlotKeeper
from lightboard.errors import OverlayError
from lightboard.overlay.base import Edit
from lightboard.overlay.content import Content
from lightboard.overlay.memory import MemoryOverlay
from lightboard.testing.event_files import scalar_record, version_record
from lightboard.testing.fakes import MemoryBoard

PATIENCE_SECS = 20
EVENTS = version_record() + scalar_record("loss", 0, 1.0)


class Counting(MemoryOverlay):
    """Counts how often it was written, and says when."""

    def __init__(self) -> None:
        super().__init__()
        self.changes = 0
        self.changed = threading.Event()

    def change(self, edit: Edit) -> Content:
        content = super().change(edit)
        self.changes += 1
        self.changed.set()
        return content


class Full(MemoryOverlay):
    """Takes nothing."""

    def change(self, edit: Edit) -> Content:
        raise OverlayError("no space left")


class FullAtFirst(MemoryOverlay):
    """Takes nothing the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0

    def change(self, edit: Edit) -> Content:
        self.tries += 1
        if self.tries == 1:
            raise OverlayError("no descriptors left")
        return super().change(edit)


def board_of(*runs: str) -> MemoryBoard:
    return MemoryBoard({f"{run}/tfevents.1": EVENTS for run in runs})


def test_slots_of_new_runs_are_kept_once() -> None:
    """Nothing is written while none came."""
    memory, overlay = board_of("a", "b"), Counting()
    keeper = SlotKeeper(memory.catalog, overlay)
    keeper.keep()
    keeper.keep()
    first = overlay.changes
    memory.storage.write("c/tfevents.1", EVENTS)
    memory.look()
    keeper.keep()

    assert (first, overlay.changes, overlay.read()) == (1, 2, Content(slots={"a": 0, "b": 1, "c": 2}))


def test_a_folder_that_takes_nothing_is_no_trouble() -> None:
    """Colours hold until the end; nobody edited, so nobody is told."""
    SlotKeeper(board_of("a").catalog, Full()).keep()


def test_slots_that_could_not_be_written_are_written_later() -> None:
    """A moment without descriptors or space costs no colour, also if no run comes any more."""
    overlay = FullAtFirst()
    keeper = SlotKeeper(board_of("a").catalog, overlay)
    keeper.keep()
    keeper.keep()

    assert overlay.read() == Content(slots={"a": 0})


def test_a_board_keeps_slots_while_it_serves() -> None:
    """Also those that were given before it began to."""

    async def story() -> Content:
        overlay = Counting()
        pool = AsyncThreadPool(1)
        stop = SlotKeeper(board_of("a").catalog, overlay, every_secs=0).start(asyncio.get_running_loop(), pool)
        await asyncio.to_thread(overlay.changed.wait, PATIENCE_SECS)
        stop()
        pool.close()
        return overlay.read()

    assert asyncio.run(story()) == Content(slots={"a": 0})


def test_what_was_planned_does_not_outlive_its_end() -> None:
    """A stop in the second before slots are written needs no thread that is gone."""

    async def stopped_at_once() -> list[dict[str, object]]:
        loop, faults = asyncio.get_running_loop(), list[dict[str, object]]()
        loop.set_exception_handler(lambda _loop, fault: faults.append(fault))
        pool, keeper = AsyncThreadPool(), SlotKeeper(board_of("a").catalog, Counting(), every_secs=0)
        end = keeper.start(loop, pool)
        end()
        pool.close()
        for _ in range(5):
            await asyncio.sleep(0)
        return faults

    assert asyncio.run(stopped_at_once()) == []
