"""A thread pool that coroutines can await."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class AsyncThreadPool:
    """Runs blocking functions in threads, so that they do not block the event loop.

    It has few threads because the work either holds the interpreter lock or uses several cores itself.
    """

    def __init__(self, threads: int = 3) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="answer")

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `function(...)` in a thread and return its result or raise its exception."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, lambda: function(*args, **kwargs))

    def run(self, function: Callable[[], object]) -> None:
        """Run `function()` in a thread later, without waiting for it."""
        self._executor.submit(function)

    def close(self, *, wait: bool = False) -> None:
        """Accept no more work and cancel what has not started. `wait` waits for running work."""
        self._executor.shutdown(wait=wait, cancel_futures=True)
