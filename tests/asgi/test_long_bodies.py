"""Long bodies are parsed in one thread, so that the event loop does not block."""

import asyncio
import threading

import pytest

from lightboard.asgi import scheduler
from lightboard.asgi.bodies import MAX_FIELDS, MAX_INLINE_BYTES, fields_of_form, parse
from lightboard.asgi.scheduler import Lane, ScheduledRequest, Scheduler
from lightboard.errors import BadRequest
from lightboard.testing.async_runner import run_async

TIMEOUT_SECS = 60


def thread_of(_: bytes) -> str:
    """Reads nothing."""
    return threading.current_thread().name


def test_only_long_bodies_use_a_thread() -> None:
    """Short ones are parsed at once."""

    async def story() -> list[bool]:
        pool = Scheduler({"lane": Lane(1)})
        scheduler.current.set(ScheduledRequest("lane", ("ann",)))
        here = threading.current_thread().name
        names = [await parse(thread_of, bytes(MAX_INLINE_BYTES + more), pool) for more in (0, 1)]
        pool.close(wait=True)
        return [name == here for name in names]

    assert run_async(story()) == [True, False]


@pytest.mark.parametrize("leaves", [False, True])
def test_long_bodies_are_parsed_one_at_a_time(leaves: bool) -> None:
    """Even if a client has left, since its parser cannot be stopped."""
    begun, go, at_work, most = threading.Event(), threading.Event(), [], []

    def read(body: bytes) -> int:
        at_work.append(1)
        most.append(len(at_work))
        begun.set()
        assert go.wait(TIMEOUT_SECS)
        at_work.pop()
        return len(body)

    async def story() -> None:
        pool = Scheduler({"lane": Lane(4)})
        body = bytes(MAX_INLINE_BYTES + 1)

        async def client(name: str) -> int:
            scheduler.current.set(ScheduledRequest("lane", (name,)))
            return await parse(read, body, pool)

        first = asyncio.create_task(client("ann"))
        assert await asyncio.to_thread(begun.wait, TIMEOUT_SECS)
        others = [asyncio.create_task(client(name)) for name in ("bob", "eve")]
        if leaves:
            first.cancel()
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, *others, return_exceptions=True)
        pool.close(wait=True)

    run_async(story())

    assert (max(most), len(most)) == (1, 3)


def test_form_fields_are_parsed() -> None:
    """With all values, in any script."""
    assert fields_of_form(b"tag=%C3%A9+x&runs=a&runs=&runs=b") == {"tag": ["é x"], "runs": ["a", "", "b"]}


def test_a_form_of_too_many_fields_is_refused() -> None:
    """Parsing it would take too long."""
    with pytest.raises(BadRequest):
        fields_of_form(b"a=1&" * MAX_FIELDS + b"a=1")
