"""A few threads for work that would hold up the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """Runs plain functions in threads and gives their results to coroutines.

    Few threads on purpose: the work either holds the interpreter lock or uses several cores by itself.
    """

    def __init__(self, threads: int = 3) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="answer")

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`function(...)` in a thread; its exceptions are raised here."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, lambda: function(*args, **kwargs))

    def run(self, function: Callable[[], object]) -> None:
        """`function()` in a thread, some time; nobody waits for it."""
        self._executor.submit(function)

    def close(self, *, wait: bool = False) -> None:
        """Takes no more work, and gives up what has not begun; waits for what is running only if asked to."""
        self._executor.shutdown(wait=wait, cancel_futures=True)
