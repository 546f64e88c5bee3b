"""Lanes are independent, work yields, and abandoned work is dropped. Threads wait on events."""

import asyncio
import threading
from collections.abc import Generator

import pytest

from lightboard import cancellation
from lightboard.asgi import scheduler
from lightboard.asgi.scheduler import MAX_WAITING, PIECE_BYTES, Lane, ScheduledRequest, Scheduler
from lightboard.cancellation import Cancelled
from lightboard.errors import OverBudget, TooMany
from lightboard.testing.async_runner import run_async

LANES = {"quick": Lane(1), "slow": Lane(1), "short": Lane(1, secs=0.0)}
TIMEOUT_SECS = 60


def taking(lane: str, client: str = "ann") -> ScheduledRequest:
    """From now on the task is that of this request."""
    request = ScheduledRequest(lane, ("board", client))
    scheduler.current.set(request)
    return request


class Blocked:
    """Work that begins and waits for `open`."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.open.wait(TIMEOUT_SECS)
        return "blocked"


async def until(condition: threading.Event) -> None:
    """Wait for a thread without holding up the loop."""
    assert await asyncio.to_thread(condition.wait, TIMEOUT_SECS)


def test_a_full_lane_does_not_delay_others() -> None:
    """However much waits in it."""

    async def story() -> list[str]:
        pool, blocked = Scheduler(LANES), Blocked()

        async def in_lane(lane: str, work: Blocked) -> str:
            taking(lane)
            return await pool.call(work)

        slow = [asyncio.create_task(in_lane("slow", blocked)) for _ in range(5)]
        await until(blocked.begun)
        taking("quick")
        quick = await pool.call(lambda: "quick")
        waiting = sum(task.done() for task in slow)
        blocked.open.set()
        answers = [quick, str(waiting), *await asyncio.gather(*slow)]
        pool.close(wait=True)
        return answers

    assert run_async(story()) == ["quick", "0", *["blocked"] * 5]


@pytest.mark.parametrize("rest_secs", [0.0, 0.0001, 1.0])
def test_requests_survive_thread_turnover(monkeypatch: pytest.MonkeyPatch, rest_secs: float) -> None:
    """Even if a thread times out as it receives one."""
    monkeypatch.setattr(scheduler, "IDLE_SECS", rest_secs)

    async def story() -> int:
        pool = Scheduler({"lane": Lane(2)})

        async def ask(count: int) -> int:
            taking("lane")
            return sum([await pool.call(lambda: 1) for _ in range(count)])

        answered = sum(await asyncio.gather(*(ask(300) for _ in range(3))))
        pool.close(wait=True)
        return answered

    assert run_async(story()) == 900


def test_closing_ends_all_threads() -> None:
    """Idle ones at once; new requests are refused."""

    async def story() -> str:
        pool = Scheduler({"rested": Lane(1)})
        taking("rested")
        await pool.call(lambda: None)
        pool.close(wait=True)
        left = [thread.name for thread in threading.enumerate() if thread.name.startswith("answer-rested")]
        try:
            await pool.call(lambda: None)
        except RuntimeError:
            return f"refused, threads {left}"
        return "taken"

    assert run_async(story()) == "refused, threads []"


def test_unscheduled_work_bypasses_lanes() -> None:
    """Such as control requests from the hub."""

    async def story() -> str:
        pool, blocked = Scheduler(LANES), Blocked()

        async def in_lane() -> str:
            taking("slow")
            return await pool.call(blocked)

        slow = asyncio.create_task(in_lane())
        await until(blocked.begun)
        answer = await pool.call(lambda: "free")
        blocked.open.set()
        await slow
        pool.close(wait=True)
        return answer

    assert run_async(story()) == "free"


def test_abandoned_requests_are_not_started() -> None:
    """Even a hundred."""

    async def story() -> int:
        pool, blocked, done = Scheduler(LANES), Blocked(), []

        async def in_lane(work: object) -> None:
            taking("slow")
            await pool.call(work)  # type: ignore[arg-type]

        first = asyncio.create_task(in_lane(blocked))
        await until(blocked.begun)
        abandoned = [asyncio.create_task(in_lane(lambda: done.append(1))) for _ in range(100)]
        await asyncio.sleep(0)
        for task in abandoned:
            task.cancel()
        await asyncio.gather(*abandoned, return_exceptions=True)
        blocked.open.set()
        await first
        pool.close(wait=True)
        return len(done)

    assert run_async(story()) == 0


def endless(begun: threading.Event, made: list[int]) -> Generator[bytes | None, None, None]:
    """Work that would never end."""
    while True:
        made.append(1)
        begun.set()
        yield None


def test_long_responses_yield() -> None:
    """Another client is served although the only thread works on an endless response."""

    async def story() -> tuple[str, bool]:
        pool, begun, made = Scheduler(LANES), threading.Event(), []

        async def greedy() -> None:
            taking("slow", "greedy")
            async for _ in pool.stream(endless(begun, made)):
                raise AssertionError("there is nothing to send")

        task = asyncio.create_task(greedy())
        await until(begun)
        taking("slow", "modest")
        answer = await pool.call(lambda: "modest")
        still = not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        pool.close(wait=True)
        return answer, still

    assert run_async(story()) == ("modest", True)


def test_abandoned_streams_end() -> None:
    """Between two chunks; their generators are closed."""

    async def story() -> str:
        pool, begun = Scheduler(LANES), threading.Event()

        async def greedy() -> None:
            taking("slow")
            async for _ in pool.stream(endless(begun, [])):
                raise AssertionError("there is nothing to send")

        task = asyncio.create_task(greedy())
        await until(begun)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        pool.close(wait=True)
        return "ended"

    assert run_async(story()) == "ended"


def test_cancellation_stops_cooperative_work() -> None:
    """Loops call `cancellation.check`."""

    async def story() -> None:
        pool, begun = Scheduler(LANES), threading.Event()
        request = taking("slow")

        def work() -> None:
            while True:
                cancellation.check()
                begun.set()

        task = asyncio.create_task(pool.call(work))
        await until(begun)
        request.token.cancel()
        with pytest.raises(Cancelled):
            await task
        pool.close(wait=True)

    run_async(story())


def test_work_has_a_time_limit() -> None:
    """Checked by long work."""

    async def story() -> None:
        pool = Scheduler(LANES)
        taking("short")

        def work() -> None:
            while True:
                cancellation.check()

        with pytest.raises(OverBudget):
            await pool.call(work)
        pool.close(wait=True)

    run_async(story())


def test_at_most_one_chunk_is_buffered() -> None:
    """A client that does not read occupies no thread."""

    async def story() -> tuple[int, list[bool]]:
        pool, made = Scheduler(LANES), []
        taking("slow")

        def pieces() -> Generator[bytes | None, None, None]:
            for _ in range(10):
                made.append(1)
                yield bytes(PIECE_BYTES)

        stream = pool.stream(pieces())
        await anext(stream)
        await pool.call(int)  # of the same request, so that it comes after what was begun before it
        ahead = len(made)
        rest = [last async for _, last in stream]
        pool.close(wait=True)
        return ahead, rest

    assert run_async(story()) == (2, [False] * 9 + [True])


def test_queued_requests_per_client_are_bounded() -> None:
    """It gets an error; other clients are accepted."""

    async def story() -> str:
        pool, blocked = Scheduler(LANES), Blocked()

        async def in_lane(client: str) -> str:
            taking("slow", client)
            return await pool.call(blocked)

        tasks = [asyncio.create_task(in_lane("greedy"))]
        await until(blocked.begun)
        tasks += [asyncio.create_task(in_lane("greedy")) for _ in range(MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await in_lane("greedy")
        other = asyncio.create_task(in_lane("modest"))
        blocked.open.set()
        answer = await other
        await asyncio.gather(*tasks)
        pool.close(wait=True)
        return answer

    assert run_async(story()) == "blocked"


def test_exceptions_reach_the_caller() -> None:
    """From calls, and from streams after their first chunks."""

    async def story() -> list[bytes]:
        pool, found = Scheduler(LANES), []
        taking("quick")
        with pytest.raises(ZeroDivisionError):
            await pool.call(lambda: 1 // 0)

        def pieces() -> Generator[bytes | None, None, None]:
            yield bytes(PIECE_BYTES)
            raise KeyError("later")

        stream = pool.stream(pieces())
        found.append((await anext(stream))[0])
        with pytest.raises(KeyError):
            await anext(stream)
        pool.close(wait=True)
        return found

    assert run_async(story()) == [bytes(PIECE_BYTES)]
