"""Connections to the servers of notebooks, which listen at Unix sockets."""

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LaunchError
from lightboard.hub.api.proxy import KEEPALIVE_SECS, Proxy
from lightboard.hub.runners.base import Runner

MAX_OPEN = 1_000
"""Servers with open connections."""
START_SECS = 30.0
"""How long a server may take to listen after its command has started."""
POLL_SECS = 0.1


@dataclass
class Connection:
    """Connections to one server. `socket` is the descriptor of its socket, `users` the number of current requests."""

    socket: int
    proxy: Proxy = field(init=False)
    users: int = 0
    dropped: bool = False

    def __post_init__(self) -> None:
        self.proxy = Proxy(self._connector, keep_cookies=True)

    def _connector(self) -> aiohttp.BaseConnector:
        return aiohttp.UnixConnector(f"/proc/self/fd/{self.socket}", limit=0, keepalive_timeout=KEEPALIVE_SECS)

    async def close_if_unused(self) -> None:
        """Closes what was dropped, after its last request."""
        if self.dropped and not self.users and self.socket >= 0:
            os.close(self.socket)
            self.socket = -1
            await self.proxy.close()


class NotebookConnections:
    """The open connections, by the handle of a workload. Used in the event loop alone."""

    def __init__(self, runner: Runner, pool: AsyncThreadPool) -> None:
        self._runner = runner
        self._pool = pool
        self._open: OrderedDict[str, Connection] = OrderedDict()

    @asynccontextmanager
    async def use(self, handle: str) -> AsyncIterator[Proxy]:
        """Connections to a server, which may not listen yet. Raises LaunchError if it does not in time."""
        connection = await self._connect(handle)
        connection.users += 1
        try:
            yield connection.proxy
        except LaunchError:
            self._drop(handle)
            raise
        finally:
            connection.users -= 1
            await connection.close_if_unused()

    async def _connect(self, handle: str) -> Connection:
        if handle not in self._open:
            socket = await self._socket_of(handle)
            if handle in self._open:  # another request was quicker
                os.close(socket)
            else:
                self._open[handle] = Connection(socket)
                await self._close_oldest()
        self._open.move_to_end(handle)
        return self._open[handle]

    async def _socket_of(self, handle: str) -> int:
        deadline = time.monotonic() + START_SECS
        while True:
            try:
                return await self._pool.call(self._runner.server_socket, handle, 0)
            except LaunchError:
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(POLL_SECS)

    async def _close_oldest(self) -> None:
        """Closes those that were used the longest time ago, if there are too many."""
        unused = [handle for handle, connection in self._open.items() if not connection.users]
        for handle in unused[: max(0, len(self._open) - MAX_OPEN)]:
            connection = self._open[handle]
            self._drop(handle)
            await connection.close_if_unused()

    def _drop(self, handle: str) -> None:
        connection = self._open.pop(handle, None)
        if connection is not None:
            connection.dropped = True
