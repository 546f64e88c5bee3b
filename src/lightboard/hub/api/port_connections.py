"""New connections to ports of jobs, of which nothing is used before a process of the job has accepted it."""

import asyncio
import socket
import weakref

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LaunchError
from lightboard.hub.runners.base import Runner
from lightboard.hub.runners.port_connection import PortConnection
from lightboard.types import UNREACHABLE

ACCEPT_SECS = 60.0
"""How long a server may take to accept a connection: one that handles a request at a time accepts the next after it."""
FIRST_PAUSE_SECS, LAST_PAUSE_SECS = 0.001, 0.2
MAX_WAITING = 8
"""Connections that one replica has not accepted yet. Further ones wait before they are made."""


class PortConnections:
    """Opens connections. Used in the event loop alone."""

    def __init__(self, runner: Runner, pool: AsyncThreadPool) -> None:
        self._runner = runner
        self._pool = pool
        self._waiting: weakref.WeakValueDictionary[tuple[str, int], asyncio.Semaphore] = weakref.WeakValueDictionary()

    async def open(self, handle: str, rank: int, port: int) -> socket.socket:
        """A new connection to a port of a replica, which the caller closes. Raises LaunchError."""
        turn = self._waiting.setdefault((handle, rank), asyncio.Semaphore(MAX_WAITING))
        async with turn:
            connection = await self._pool.call(self._runner.connect, handle, rank, port)
            try:
                async with asyncio.timeout(ACCEPT_SECS):
                    await self._wait_until_accepted(connection)
            except TimeoutError:
                connection.close()
                message = f"no process of the job has accepted a connection to port {port} in time"
                raise LaunchError(message, reason=UNREACHABLE, hint="it may be busy, or have too few threads") from None
            except BaseException:
                connection.close()
                raise
        return connection.socket

    async def _wait_until_accepted(self, connection: PortConnection) -> None:
        pause = FIRST_PAUSE_SECS
        while not await self._pool.call(connection.is_accepted):
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_PAUSE_SECS)
