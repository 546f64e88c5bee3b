"""Plays coroutines in tests that are not coroutines themselves."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def played(story: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns or raises.

    It runs in a loop and a thread of its own: the thread of the test may be inside another loop, as it is for good
    once a browser was driven from it.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, story).result()
