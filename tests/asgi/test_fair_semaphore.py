"""Sharing of a few slots for heavy responses."""

import asyncio

import pytest

from lightboard.asgi import scheduler
from lightboard.asgi.fair_semaphore import FairSemaphore
from lightboard.asgi.scheduler import (
    HEAVY_BYTES,
    HEAVY_SLOTS,
    HEAVY_SLOTS_EACH,
    Lane,
    Pieces,
    ScheduledRequest,
    Scheduler,
)
from lightboard.testing.async_runner import run_async


async def rest() -> None:
    """Whatever can go on has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_slots_are_shared_fairly() -> None:
    """The waiting client with the fewest slots is next."""

    async def story() -> list[str]:
        slots, got = FairSemaphore(2, 2), []

        async def hold(name: str) -> None:
            await slots.acquire(name)
            got.append(name)

        tasks = [asyncio.create_task(hold(name)) for name in ("ann", "ann", "ann", "bob")]
        await rest()
        slots.release("ann")
        await asyncio.gather(tasks[3])
        slots.release("ann")
        await asyncio.gather(*tasks)
        return got

    assert run_async(story()) == ["ann", "ann", "bob", "ann"]


def test_cancelled_waiters_take_no_slot() -> None:
    """Before or at the moment of being granted one."""

    async def story() -> str:
        slots = FairSemaphore(1, 1)
        await slots.acquire("ann")
        waiting = [asyncio.create_task(slots.acquire(name)) for name in ("bob", "cid")]
        await rest()
        waiting[0].cancel()
        await rest()
        slots.release("ann")
        waiting[1].cancel()  # granted, and not yet told
        with pytest.raises(asyncio.CancelledError):
            await waiting[1]
        await slots.acquire("dan")
        return "free"

    assert run_async(story()) == "free"


def test_the_number_of_heavy_responses_is_bounded() -> None:
    """Although all yield to each other; light ones do not wait."""

    async def story() -> tuple[int, int, bytes]:
        pool, begun = Scheduler({"lane": Lane(2)}), []

        def heavy() -> Pieces:
            yield HEAVY_BYTES + 1
            begun.append(1)
            yield bytes(scheduler.PIECE_BYTES)
            yield b"end"

        async def ask(client: str) -> None:
            scheduler.current.set(ScheduledRequest("lane", (client,)))
            stream = pool.stream(heavy())
            await anext(stream)
            held.append(client)
            await leave.wait()
            stream.close()

        held: list[str] = []
        leave = asyncio.Event()
        tasks = [asyncio.create_task(ask(client)) for client in ("ann", "bob", "cid") for _ in range(5)]
        while len(held) < HEAVY_SLOTS:
            await asyncio.sleep(0.001)
        scheduler.current.set(ScheduledRequest("lane", ("dan",)))
        light = await pool.call(lambda: b"light")
        half_made = len(begun)
        leave.set()
        await asyncio.gather(*tasks)
        pool.close(wait=True)
        return half_made, max(held[:HEAVY_SLOTS].count(client) for client in held), light

    half_made, most, light = run_async(story())
    assert (half_made, light) == (HEAVY_SLOTS, b"light")
    assert most <= HEAVY_SLOTS_EACH


def test_light_responses_release_their_slot() -> None:
    """They waited because they could have been heavy."""

    async def story() -> list[bytes]:
        pool = Scheduler({"lane": Lane(2)})

        def light() -> Pieces:
            yield HEAVY_BYTES + 1
            yield HEAVY_BYTES
            yield bytes(scheduler.PIECE_BYTES)
            yield b"end"

        scheduler.current.set(ScheduledRequest("lane", ("ann",)))
        half_made = [pool.stream(light()) for _ in range(HEAVY_SLOTS_EACH + 1)]
        first = [(await anext(stream))[0] for stream in half_made]
        for stream in half_made:
            stream.close()
        pool.close(wait=True)
        return first

    assert run_async(story()) == [bytes(scheduler.PIECE_BYTES)] * (HEAVY_SLOTS_EACH + 1)
