"""Runs coroutines from synchronous tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end and return its result.

    It runs in an event loop in a separate thread, because the thread of the test may already run one. Playwright's
    synchronous API leaves its loop running in the thread once it has driven a browser.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()  # noqa: TID251  # the way to call it
