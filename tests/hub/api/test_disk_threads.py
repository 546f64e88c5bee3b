"""Promises about work on disks that hang: nobody else waits for it."""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from lightboard.errors import NotReady, TooMany
from lightboard.hub.api.disk_threads import EACH_DISK, MOST_EACH, MOST_THREADS, DiskThreads

SHORT_SECS = 0.01


@pytest.fixture
def stuck() -> Iterator[threading.Event]:
    """What work that hangs waits for; it comes at the end of the test."""
    event = threading.Event()
    yield event
    event.set()


def play(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """In a loop of its own."""
    asyncio.run(story())


async def hang(threads: DiskThreads, stuck: threading.Event, disk: str, account: str = "somebody") -> None:
    """Asks for what does not come, and gives up."""
    with pytest.raises(NotReady):
        await threads.call(stuck.wait, disk=disk, account=account)


def test_what_work_gives_or_raises_comes_back() -> None:
    """As if it had been called here."""

    async def story() -> None:
        threads = DiskThreads()
        assert await threads.call(lambda: 1 + 1, disk="a", account="x") == 2
        with pytest.raises(FileNotFoundError):
            await threads.call(lambda: os.stat("/nothing/here"), disk="a", account="x")

    play(story)


def test_a_disk_that_hangs_keeps_only_its_own_threads(stuck: threading.Event) -> None:
    """Who asks for it is told so, also when no thread of it is left; who asks for another gets an answer."""

    async def story() -> None:
        threads = DiskThreads(SHORT_SECS)
        for _ in range(EACH_DISK + 2):
            await hang(threads, stuck, "dead")
        started: list[int] = []
        with pytest.raises(NotReady):
            await threads.call(lambda: started.append(1), disk="dead", account="x")

        threads._patience_secs = 60.0
        assert await threads.call(lambda: "here", disk="alive", account="x") == "here"
        assert started == []
        stuck.set()
        assert await threads.call(lambda: "back", disk="dead", account="x") == "back"

    play(story)


def test_many_disks_that_hang_keep_no_more_than_so_many_threads(stuck: threading.Event) -> None:
    """Then all are refused at once."""

    async def story() -> None:
        threads = DiskThreads(SHORT_SECS)
        for number in range(MOST_THREADS):
            await hang(threads, stuck, f"disk {number}")
        with pytest.raises(TooMany):
            await threads.call(lambda: None, disk="another", account="x")

    play(story)


def test_one_account_waits_for_so_much_at_a_time(stuck: threading.Event) -> None:
    """Others are not concerned, and it may ask again when it has its answers."""

    async def story() -> None:
        threads = DiskThreads(60.0)
        asked = [
            asyncio.create_task(threads.call(stuck.wait, disk=f"disk {number}", account="greedy"))
            for number in range(MOST_EACH)
        ]
        assert await threads.call(lambda: 1, disk="a", account="another") == 1
        with pytest.raises(TooMany):
            await threads.call(lambda: None, disk="a", account="greedy")
        stuck.set()
        assert await asyncio.gather(*asked) == [True] * MOST_EACH
        assert await threads.call(lambda: 2, disk="a", account="greedy") == 2

    play(story)
