"""File operations on hanging disks do not delay others."""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from lightboard.errors import NotReady, TooMany
from lightboard.hub.api.disk_calls import EACH_DISK, MAX_EACH_ACCOUNT, MAX_THREADS, DiskCalls
from lightboard.testing.async_runner import run_async

SHORT_SECS = 0.01


@pytest.fixture
def stuck() -> Iterator[threading.Event]:
    """What work that hangs waits for; it comes at the end of the test."""
    event = threading.Event()
    yield event
    event.set()


def play(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """In a loop of its own."""
    run_async(story())


async def hang(calls: DiskCalls, stuck: threading.Event, disk: str, account: str = "somebody") -> None:
    """Asks for what does not come, and gives up."""
    with pytest.raises(NotReady):
        await calls.call(stuck.wait, disk=disk, account=account)


def test_results_and_exceptions_are_returned() -> None:
    """As if it had been called here."""

    async def story() -> None:
        calls = DiskCalls()
        assert await calls.call(lambda: 1 + 1, disk="a", account="x") == 2
        with pytest.raises(FileNotFoundError):
            await calls.call(lambda: os.stat("/nothing/here"), disk="a", account="x")

    play(story)


def test_a_hanging_disk_blocks_only_its_own_threads(stuck: threading.Event) -> None:
    """Requests for it get an error, requests for others a response."""

    async def story() -> None:
        calls = DiskCalls(SHORT_SECS)
        for _ in range(EACH_DISK + 2):
            await hang(calls, stuck, "dead")
        started: list[int] = []
        with pytest.raises(NotReady):
            await calls.call(lambda: started.append(1), disk="dead", account="x")

        calls._timeout_secs = 60.0
        assert await calls.call(lambda: "here", disk="alive", account="x") == "here"
        assert started == []
        stuck.set()
        assert await calls.call(lambda: "back", disk="dead", account="x") == "back"

    play(story)


def test_the_number_of_blocked_threads_is_bounded(stuck: threading.Event) -> None:
    """Beyond it, all requests are refused at once."""

    async def story() -> None:
        calls = DiskCalls(SHORT_SECS)
        for number in range(MAX_THREADS):
            await hang(calls, stuck, f"disk {number}")
        with pytest.raises(TooMany):
            await calls.call(lambda: None, disk="another", account="x")

    play(story)


def test_pending_requests_per_account_are_bounded(stuck: threading.Event) -> None:
    """Others are not affected; finished requests free their slot."""

    async def story() -> None:
        calls = DiskCalls(60.0)
        asked = [
            asyncio.create_task(calls.call(stuck.wait, disk=f"disk {number}", account="greedy"))
            for number in range(MAX_EACH_ACCOUNT)
        ]
        assert await calls.call(lambda: 1, disk="a", account="another") == 1
        with pytest.raises(TooMany):
            await calls.call(lambda: None, disk="a", account="greedy")
        stuck.set()
        assert await asyncio.gather(*asked) == [True] * MAX_EACH_ACCOUNT
        assert await calls.call(lambda: 2, disk="a", account="greedy") == 2

    play(story)
