"""How much output may be on its way to a client that has not processed it yet.

Pages need it: a browser reads a WebSocket whether or not its page keeps up, so TCP makes nobody wait.
"""

import asyncio


class OutputWindow:
    """`size` is in bytes; None lets everything through, for clients that read when they are ready."""

    def __init__(self, size: int | None) -> None:
        self._size = size
        self._left = size
        self._opened = asyncio.Event()
        self._opened.set()

    async def room(self, most: int) -> int:
        """How many bytes may be sent, at most `most`. Waits until there is room."""
        await self._opened.wait()
        return most if self._left is None else min(most, self._left)

    def take(self, count: int) -> None:
        """So many bytes are sent."""
        if self._left is not None:
            self._left -= count
            if self._left <= 0:
                self._opened.clear()

    def give_back(self, count: int) -> None:
        """The client has processed so many bytes."""
        if self._left is not None and self._size is not None:
            self._left = min(self._size, self._left + count)
            self._opened.set()
