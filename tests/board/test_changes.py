"""The stream of changes: immediate, merged, independent for each client."""

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
from lightboard.testing.async_runner import run_async
from lightboard.testing.event_files import scalar_record, version_record
from lightboard.testing.fakes import MemoryBoard

T = TypeVar("T")
TIMEOUT_SECS = 20


def board_of_one_run() -> MemoryBoard:
    return MemoryBoard({"a/events.tfevents.0": version_record() + scalar_record("loss", 0, 1.0)})


def changes_of(memory: MemoryBoard, **options: Any) -> Changes:
    return Changes(CatalogProvider(memory.catalog, BoardSettings(logdir="x")), **options)


def run(story: Coroutine[Any, Any, T]) -> T:
    """Plays a story to its end; one that hangs fails."""

    async def bounded() -> T:
        async with asyncio.timeout(TIMEOUT_SECS):
            return await story

    return run_async(bounded())


async def next_change(stream: AsyncIterator[bytes]) -> dict[str, Any]:
    """The data of the next event."""
    text = (await anext(stream)).decode()
    head, data, _ = text.split("\n", 2)
    assert head == "event: change"
    return Change.model_validate_json(data.removeprefix("data: ")).model_dump()


def append(memory: MemoryBoard, step: int) -> None:
    """One more point, noticed from a thread that is not the loop's."""
    memory.storage.append("a/events.tfevents.0", scalar_record("loss", step, 1.0))
    memory.refresh()


def test_the_first_event_is_immediate() -> None:
    """With the current generation."""

    async def story() -> tuple[dict[str, Any], int]:
        memory = board_of_one_run()
        return await next_change(changes_of(memory).stream()), memory.catalog.generation

    change, generation = run(story())

    assert change == {"generation": generation, "runs": [], "structure": False, "loading": False}


def test_new_points_are_reported_by_run() -> None:
    """Without values: the page requests what it shows."""

    async def story() -> dict[str, Any]:
        memory = board_of_one_run()
        stream = changes_of(memory).stream()
        await next_change(stream)
        await asyncio.to_thread(append, memory, 1)
        return await next_change(stream)

    change = run(story())

    assert (change["runs"], change["structure"]) == ([0], False)


def test_new_runs_are_structure_changes() -> None:
    """The page lists runs and tags again."""

    async def story() -> dict[str, Any]:
        memory = board_of_one_run()
        stream = changes_of(memory).stream()
        await next_change(stream)
        memory.storage.write("b/events.tfevents.0", version_record() + scalar_record("loss", 0, 1.0))
        await asyncio.to_thread(memory.refresh)
        return await next_change(stream)

    change = run(story())

    assert (change["runs"], change["structure"]) == ([1], True)


def test_changes_are_merged() -> None:
    """A fast writer does not flood pages, and the last generation arrives."""

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


def test_annotation_edits_are_reported_by_revision() -> None:
    """To current and later clients; edits without effect are not."""

    async def story() -> tuple[bytes, list[bytes]]:
        changes = changes_of(board_of_one_run())
        stream, later = changes.stream(), changes.stream()
        await next_change(stream)
        changes.publish_annotations(3)
        changes.publish_annotations(4)
        changes.publish_annotations(4)
        told = await anext(stream)
        await next_change(later)
        return told, [await anext(later)]

    told, later = run(story())

    assert later == [told] == [b'event: overlay\ndata: {"revision": 4}\n\n']


def test_slow_clients_get_one_merged_event() -> None:
    """Nothing is queued."""
    listener = Listener(loading=True)

    listener.add(NewsSince(5, (1, 2), False, True))
    listener.add(NewsSince(6, (2, 3), True, True))
    listener.add(NewsSince(7, (), False, False))

    assert listener.take() == NewsSince(7, (1, 2, 3), True, False)
    assert not listener.waiting.is_set()


def test_clients_are_independent() -> None:
    """One does not read; the other receives at once."""

    async def story() -> dict[str, Any]:
        memory = board_of_one_run()
        changes = changes_of(memory)
        idle, eager = changes.stream(), changes.stream()
        await next_change(idle)
        await next_change(eager)
        await asyncio.to_thread(append, memory, 1)
        return await next_change(eager)

    assert run(story())["runs"] == [0]


def test_heartbeats_are_comments() -> None:
    """Proxies close silent connections."""

    async def story() -> bytes:
        stream = changes_of(board_of_one_run(), silence_secs=0.01).stream()
        await anext(stream)
        return await anext(stream)

    assert run(story()) == COMMENT


def test_closing_ends_all_streams() -> None:
    """Ctrl+C does not wait for open pages."""

    async def story() -> list[bytes]:
        changes = changes_of(board_of_one_run())
        stream = changes.stream()
        await anext(stream)
        asyncio.get_running_loop().call_soon(changes.close)
        return [piece async for piece in stream]

    assert run(story()) == []


def test_disconnected_clients_are_removed() -> None:
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


def test_switching_logs_resets_pages() -> None:
    """The stream continues with generation 0 and changes of the new logs."""

    async def story() -> tuple[list[dict[str, Any]], int, dict[str, Any]]:
        first, second = board_of_one_run(), MemoryBoard({"b/events.tfevents.0": version_record()})
        changes = changes_of(first)
        stream = changes.stream()
        await next_change(stream)
        changes.follow(CatalogProvider(second.catalog, BoardSettings(logdir="y")))
        told = [await next_change(stream), await next_change(stream)]
        second.storage.write("c/events.tfevents.0", version_record() + scalar_record("loss", 0, 1.0))
        await asyncio.to_thread(second.refresh)
        return told, told[1]["generation"], await next_change(stream)

    told, generation, later = run(story())

    assert told == [
        {"generation": 0, "runs": [], "structure": True, "loading": False},
        {"generation": generation, "runs": [0], "structure": True, "loading": False},
    ]
    assert later["runs"] == [1]


def test_previous_logs_are_not_reported() -> None:
    """Their run ids would be wrong."""

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
        await asyncio.to_thread(second.refresh)
        change = await next_change(stream)
        return [change["generation"] > generation, change["runs"]]

    assert run(story()) == [True, [0]]
