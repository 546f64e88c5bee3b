"""Who gets one of a few slots."""

import asyncio

import pytest

from lightboard.asgi import scheduler
from lightboard.asgi.scheduler import HEAVY_BYTES, HEAVY_SLOTS, HEAVY_SLOTS_EACH, Lane, Pieces, Scheduler, Turn
from lightboard.asgi.slots import Slots
from lightboard.testing.stories import played


async def rest() -> None:
    """Whatever can go on has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_nobody_holds_more_than_its_share() -> None:
    """And of those who wait the one that holds least is next, whoever came first."""

    async def story() -> list[str]:
        slots, got = Slots(2, 2), []

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

    assert played(story()) == ["ann", "ann", "bob", "ann"]


def test_who_no_longer_waits_takes_no_slot() -> None:
    """Neither before it was granted nor in the very moment."""

    async def story() -> str:
        slots = Slots(1, 1)
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

    assert played(story()) == "free"


def test_only_a_few_answers_that_take_much_memory_are_half_made() -> None:
    """Though all give way to each other; what is light waits for none of them."""

    async def story() -> tuple[int, int, bytes]:
        pool, begun = Scheduler({"lane": Lane(2)}), []

        def heavy() -> Pieces:
            yield HEAVY_BYTES + 1
            begun.append(1)
            yield bytes(scheduler.PIECE_BYTES)
            yield b"end"

        async def ask(client: str) -> None:
            scheduler.current.set(Turn("lane", (client,)))
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
        scheduler.current.set(Turn("lane", ("dan",)))
        light = await pool.call(lambda: b"light")
        half_made = len(begun)
        leave.set()
        await asyncio.gather(*tasks)
        pool.close(wait=True)
        return half_made, max(held[:HEAVY_SLOTS].count(client) for client in held), light

    half_made, most, light = played(story())
    assert (half_made, light) == (HEAVY_SLOTS, b"light")
    assert most <= HEAVY_SLOTS_EACH


def test_what_turns_out_to_be_light_gives_its_slot_back() -> None:
    """It could have been heavy, and waited as if it were."""

    async def story() -> list[bytes]:
        pool = Scheduler({"lane": Lane(2)})

        def light() -> Pieces:
            yield HEAVY_BYTES + 1
            yield HEAVY_BYTES
            yield bytes(scheduler.PIECE_BYTES)
            yield b"end"

        scheduler.current.set(Turn("lane", ("ann",)))
        half_made = [pool.stream(light()) for _ in range(HEAVY_SLOTS_EACH + 1)]
        first = [(await anext(stream))[0] for stream in half_made]
        for stream in half_made:
            stream.close()
        pool.close(wait=True)
        return first

    assert played(story()) == [bytes(scheduler.PIECE_BYTES)] * (HEAVY_SLOTS_EACH + 1)
