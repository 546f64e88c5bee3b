"""Connections to servers in jobs: those of notebooks listen at Unix sockets, those of other jobs at ports.

They are kept open between requests. Cookies that a server sets are kept with them: there is one visitor, its owner.
"""

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LaunchError
from lightboard.hub.api.port_connections import PortConnections
from lightboard.hub.api.proxy import KEEPALIVE_SECS, Proxy
from lightboard.hub.resources.jobs import Job
from lightboard.hub.runners.base import Runner

MAX_OPEN = 1_000
"""Servers with open connections."""
MAX_OF_PORT = 200
"""Connections to one port."""
START_SECS = 30.0
"""How long a server may take to listen after its command has started."""
POLL_SECS = 0.1


@dataclass
class Connection:
    """Connections to one server. `socket` is the descriptor of its socket, -1 for none, `users` the number of current
    requests.
    """

    proxy: Proxy
    socket: int = -1
    users: int = 0
    dropped: bool = False
    closed: bool = field(default=False, init=False)

    async def close_if_unused(self) -> None:
        """Closes what was dropped, after its last request."""
        if self.dropped and not self.users and not self.closed:
            self.closed = True
            if self.socket >= 0:
                os.close(self.socket)
            await self.proxy.close()


class PortConnector(aiohttp.BaseConnector):
    """Connections to a port of a job, which `ports` makes."""

    def __init__(self, ports: PortConnections, handle: str, port: int) -> None:
        super().__init__(limit=MAX_OF_PORT, keepalive_timeout=KEEPALIVE_SECS)
        self._ports, self._handle, self._port = ports, handle, port

    async def _create_connection(self, *_: Any) -> ResponseHandler:
        """What a connector has to have. Raises LaunchError."""
        connected = await self._ports.open(self._handle, 0, self._port)
        try:
            made: tuple[Any, ResponseHandler] = await self._loop.create_connection(self._factory, sock=connected)
        except BaseException:
            connected.close()
            raise
        return made[1]


class ServerConnections:
    """The open connections, by the handle of a workload. Used in the event loop alone."""

    def __init__(self, runner: Runner, pool: AsyncThreadPool, ports: PortConnections) -> None:
        self._runner = runner
        self._pool = pool
        self._ports = ports
        self._open: OrderedDict[str, Connection] = OrderedDict()

    @asynccontextmanager
    async def use(self, job: Job) -> AsyncIterator[Proxy]:
        """Connections to a server. That of a notebook may not listen yet. Raises LaunchError if it does not in time."""
        handle = job.runner_ref
        connection = await self._connect(handle, job.http_port)
        connection.users += 1
        try:
            yield connection.proxy
        except LaunchError:
            self._drop(handle)
            raise
        finally:
            connection.users -= 1
            await connection.close_if_unused()

    async def _connect(self, handle: str, port: int | None) -> Connection:
        if handle not in self._open and port is not None:
            self._open[handle] = Connection(Proxy(lambda: PortConnector(self._ports, handle, port), keep_cookies=True))
            await self._close_oldest()
        elif handle not in self._open:
            socket = await self._socket_of(handle)
            if handle in self._open:  # another request was quicker
                os.close(socket)
            else:
                self._open[handle] = Connection(Proxy(lambda: unix_connector(socket), keep_cookies=True), socket)
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


def unix_connector(socket: int) -> aiohttp.BaseConnector:
    """Connections to the Unix socket of this descriptor."""
    return aiohttp.UnixConnector(f"/proc/self/fd/{socket}", limit=0, keepalive_timeout=KEEPALIVE_SECS)
