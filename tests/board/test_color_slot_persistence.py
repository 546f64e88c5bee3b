"""Runs keep their colour slots across starts."""

import asyncio
import threading

from lightboard.annotations.annotations import Annotations
from lightboard.annotations.memory_store import MemoryAnnotationStore
from lightboard.annotations.store import Edit
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.color_slots import ColorSlotStore
from lightboard.errors import AnnotationsError
from lightboard.testing.async_runner import run_async
from lightboard.testing.event_files import scalar_record, version_record
from lightboard.testing.fakes import MemoryBoard

TIMEOUT_SECS = 20
EVENTS = version_record() + scalar_record("loss", 0, 1.0)


class Counting(MemoryAnnotationStore):
    """Counts how often it was written, and says when."""

    def __init__(self) -> None:
        super().__init__()
        self.changes = 0
        self.changed = threading.Event()

    def change(self, edit: Edit) -> Annotations:
        content = super().change(edit)
        self.changes += 1
        self.changed.set()
        return content


class Full(MemoryAnnotationStore):
    """Takes nothing."""

    def change(self, edit: Edit) -> Annotations:
        raise AnnotationsError("no space left")


class FullAtFirst(MemoryAnnotationStore):
    """Takes nothing the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0

    def change(self, edit: Edit) -> Annotations:
        self.tries += 1
        if self.tries == 1:
            raise AnnotationsError("no descriptors left")
        return super().change(edit)


def board_of(*runs: str) -> MemoryBoard:
    return MemoryBoard({f"{run}/tfevents.1": EVENTS for run in runs})


def test_slots_of_new_runs_are_saved_once() -> None:
    """Without new runs nothing is written."""
    memory, overlay = board_of("a", "b"), Counting()
    keeper = ColorSlotStore(memory.catalog, overlay)
    keeper.store()
    keeper.store()
    first = overlay.changes
    memory.storage.write("c/tfevents.1", EVENTS)
    memory.refresh()
    keeper.store()

    assert (first, overlay.changes, overlay.read()) == (1, 2, Annotations(slots={"a": 0, "b": 1, "c": 2}))


def test_an_unwritable_folder_is_ignored() -> None:
    """Colours last until the exit."""
    ColorSlotStore(board_of("a").catalog, Full()).store()


def test_failed_writes_of_slots_are_retried() -> None:
    """Even if no new run appears."""
    overlay = FullAtFirst()
    keeper = ColorSlotStore(board_of("a").catalog, overlay)
    keeper.store()
    keeper.store()

    assert overlay.read() == Annotations(slots={"a": 0})


def test_a_board_saves_slots_while_serving() -> None:
    """Also those assigned earlier."""

    async def story() -> Annotations:
        overlay = Counting()
        pool = AsyncThreadPool(1)
        stop = ColorSlotStore(board_of("a").catalog, overlay, every_secs=0).start(asyncio.get_running_loop(), pool)
        await asyncio.to_thread(overlay.changed.wait, TIMEOUT_SECS)
        stop()
        pool.close()
        return overlay.read()

    assert run_async(story()) == Annotations(slots={"a": 0})


def test_closing_cancels_scheduled_writes() -> None:
    """A stop in the second before slots are written needs no thread that is gone."""

    async def stopped_at_once() -> list[dict[str, object]]:
        loop, faults = asyncio.get_running_loop(), list[dict[str, object]]()
        loop.set_exception_handler(lambda _loop, fault: faults.append(fault))
        pool, keeper = AsyncThreadPool(), ColorSlotStore(board_of("a").catalog, Counting(), every_secs=0)
        end = keeper.start(loop, pool)
        end()
        pool.close()
        for _ in range(5):
            await asyncio.sleep(0)
        return faults

    assert run_async(stopped_at_once()) == []
