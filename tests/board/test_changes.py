"""News for open pages: at once, gathered, and never at another's cost."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from lightboard.asgi.event_stream import COMMENT, EventStream
from lightboard.board.changes import Changes, Listener
from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.schema.changes import Change
from lightboard.series.catalog import Changes as NewsSince
from lightboard.testing.event_files import scalar_record, version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.stories import played

T = TypeVar("T")
PATIENCE_SECS = 20


def board_of_one_run() -> MemoryBoard:
    return MemoryBoard({"a/events.tfevents.0": version_record() + scalar_record("loss", 0, 1.0)})


def changes_of(memory: MemoryBoard, **options: Any) -> Changes:
    return Changes(CatalogProvider(memory.catalog, BoardSettings(logdir="x")), **options)


def run(story: Coroutine[Any, Any, T]) -> T:
    """Plays a story to its end; one that hangs fails."""

    async def bounded() -> T:
        async with asyncio.timeout(PATIENCE_SECS):
            return await story

    return played(bounded())


async def next_change(stream: AsyncIterator[bytes]) -> dict[str, Any]:
    """The data of the next event."""
    text = (await anext(stream)).decode()
    head, data, _ = text.split("\n", 2)
    assert head == "event: change"
    return Change.model_validate_json(data.removeprefix("data: ")).model_dump()


def append(memory: MemoryBoard, step: int) -> None:
    """One more point, noticed from a thread that is not the loop's."""
    memory.storage.append("a/events.tfevents.0", scalar_record("loss", step, 1.0))
    memory.look()


def test_the_first_event_comes_at_once() -> None:
    """With the generation of now, so that a page knows whether it missed something."""

    async def story() -> tuple[dict[str, Any], int]:
        memory = board_of_one_run()
        return await next_change(changes_of(memory).stream()), memory.catalog.generation

    change, generation = run(story())

    assert change == {"generation": generation, "runs": [], "structure": False, "loading": False}


def test_a_point_that_came_is_told_by_its_run() -> None:
    """Not its values: the page asks for what it shows."""

    async def story() -> dict[str, Any]:
        memory = board_of_one_run()
        stream = changes_of(memory).stream()
        await next_change(stream)
        await asyncio.to_thread(append, memory, 1)
        return await next_change(stream)

    change = run(story())

    assert (change["runs"], change["structure"]) == ([0], False)


def test_a_new_run_is_told_as_structure() -> None:
    """The page lists runs and tags anew."""

    async def story() -> dict[str, Any]:
        memory = board_of_one_run()
        stream = changes_of(memory).stream()
        await next_change(stream)
        memory.storage.write("b/events.tfevents.0", version_record() + scalar_record("loss", 0, 1.0))
        await asyncio.to_thread(memory.look)
        return await next_change(stream)

    change = run(story())

    assert (change["runs"], change["structure"]) == ([1], True)


def test_many_changes_become_few_events() -> None:
    """A writer at full speed does not flood the page, and the last generation arrives."""

    async def story() -> tuple[int, int, int]:
        memory = board_of_one_run()
        stream = changes_of(memory).stream()
        await next_change(stream)
        before = memory.catalog.generation
        await asyncio.to_thread(lambda: [append(memory, step) for step in range(1, 40)])
        events, generation = 0, before
        while generation < memory.catalog.generation:
            generation = (await next_change(stream))["generation"]
            events += 1
        return events, generation - before, memory.catalog.generation - generation

    events, changes, missing = run(story())

    assert missing == 0
    assert events < changes


def test_an_edit_of_the_overlay_is_told_by_its_revision() -> None:
    """To pages that are open, and to those that come later; an edit that changed nothing is no news."""

    async def story() -> tuple[bytes, list[bytes]]:
        changes = changes_of(board_of_one_run())
        stream, later = changes.stream(), changes.stream()
        await next_change(stream)
        changes.tell_overlay(3)
        changes.tell_overlay(4)
        changes.tell_overlay(4)
        told = await anext(stream)
        await next_change(later)
        return told, [await anext(later)]

    told, later = run(story())

    assert later == [told] == [b'event: overlay\ndata: {"revision": 4}\n\n']


def test_a_slow_listener_is_told_everything_in_one_event() -> None:
    """Nothing queues up for it."""
    listener = Listener(loading=True)

    listener.add(NewsSince(5, (1, 2), False, True))
    listener.add(NewsSince(6, (2, 3), True, True))
    listener.add(NewsSince(7, (), False, False))

    assert listener.take() == NewsSince(7, (1, 2, 3), True, False)
    assert not listener.waiting.is_set()


def test_one_listener_does_not_wait_for_another() -> None:
    """One never reads; the other is told at once."""

    async def story() -> dict[str, Any]:
        memory = board_of_one_run()
        changes = changes_of(memory)
        idle, eager = changes.stream(), changes.stream()
        await next_change(idle)
        await next_change(eager)
        await asyncio.to_thread(append, memory, 1)
        return await next_change(eager)

    assert run(story())["runs"] == [0]


def test_silence_is_broken_by_a_comment() -> None:
    """Proxies close lines on which nothing is said."""

    async def story() -> bytes:
        stream = changes_of(board_of_one_run(), silence_secs=0.01).stream()
        await anext(stream)
        return await anext(stream)

    assert run(story()) == COMMENT


def test_closing_ends_every_stream() -> None:
    """So that Ctrl-C need not wait for open pages."""

    async def story() -> list[bytes]:
        changes = changes_of(board_of_one_run())
        stream = changes.stream()
        await anext(stream)
        asyncio.get_running_loop().call_soon(changes.close)
        return [piece async for piece in stream]

    assert run(story()) == []


def test_a_listener_that_leaves_is_forgotten() -> None:
    """Its stream ends with its connection."""

    async def story() -> tuple[list[Any], int]:
        changes = changes_of(board_of_one_run())
        sent: list[Any] = []
        gone = asyncio.Event()

        async def send(message: Any) -> None:
            sent.append(message)
            if message["type"] == "http.response.body":
                gone.set()

        async def receive() -> Any:
            await gone.wait()
            return {"type": "http.disconnect"}

        await EventStream(changes.stream)({"type": "http"}, receive, send)
        return sent, len(changes._listeners)

    sent, left = run(story())

    assert dict(sent[0]["headers"])[b"content-type"] == b"text/event-stream; charset=utf-8"
    assert json.loads(sent[1]["body"].decode().split("data: ")[1])["runs"] == []
    assert left == 0


def test_a_board_that_follows_other_logs_tells_its_pages_to_begin_anew() -> None:
    """The stream goes on: an event that goes back to generation 0, then the news of the other logs."""

    async def story() -> tuple[list[dict[str, Any]], int, dict[str, Any]]:
        first, second = board_of_one_run(), MemoryBoard({"b/events.tfevents.0": version_record()})
        changes = changes_of(first)
        stream = changes.stream()
        await next_change(stream)
        changes.follow(CatalogProvider(second.catalog, BoardSettings(logdir="y")))
        told = [await next_change(stream), await next_change(stream)]
        second.storage.write("c/events.tfevents.0", version_record() + scalar_record("loss", 0, 1.0))
        await asyncio.to_thread(second.look)
        return told, told[1]["generation"], await next_change(stream)

    told, generation, later = run(story())

    assert told == [
        {"generation": 0, "runs": [], "structure": True, "loading": False},
        {"generation": generation, "runs": [0], "structure": True, "loading": False},
    ]
    assert later["runs"] == [1]


def test_logs_that_are_followed_no_longer_tell_nothing() -> None:
    """Their news would name runs by ids that mean others now."""

    async def story() -> list[int]:
        first, second = board_of_one_run(), MemoryBoard({"b/events.tfevents.0": version_record()})
        changes = changes_of(first)
        stream = changes.stream()
        await next_change(stream)
        changes.follow(CatalogProvider(second.catalog, BoardSettings(logdir="y")))
        await next_change(stream)
        generation = (await next_change(stream))["generation"]
        await asyncio.to_thread(append, first, 1)
        second.storage.append("b/events.tfevents.0", scalar_record("loss", 0, 1.0))
        await asyncio.to_thread(second.look)
        change = await next_change(stream)
        return [change["generation"] > generation, change["runs"]]

    assert run(story()) == [True, [0]]
