"""Ports of a running job at this machine: each connection to a local port is a WebSocket to the hub.

`websockets` is imported when a connection is made, since nothing else needs it.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from concurrent.futures import CancelledError
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from lightboard.client.job_exec import EventLoopThread, connect
from lightboard.client.polling import print_status
from lightboard.client.session import Session
from lightboard.errors import LightboardError, UsageError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

LOOPBACK = "127.0.0.1"
READ_BYTES = 64 << 10


class PortForward:
    """A port of the job with this id, at the port `local_port` of this machine (0 is any free one), until `close`.

    `local_port` is the one that it has then. Use it as a context manager. Why a connection was refused is passed to
    `say`, by default printed to stderr. Raises UsageError if the local port is in use.
    """

    def __init__(
        self,
        session: Session,
        job: str,
        port: int,
        local_port: int = 0,
        *,
        rank: int = 0,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._session = session
        self._path = f"/api/v1/jobs/{quote(job, safe='')}/port-forward?port={port}&rank={rank}"
        self._say = say or print_status
        self._loop = EventLoopThread()
        try:
            self._server = self._loop.run(asyncio.start_server(self._serve, LOOPBACK, local_port))
        except OSError as error:
            self._loop.close()
            raise port_error(local_port, port, error) from None
        self.local_port = int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Ends all connections."""
        with contextlib.suppress(CancelledError):  # closed before
            self._loop.run(self._stop())
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handles one connection to the local port."""
        try:
            hub = await connect(self._session, self._path)
            async with hub:
                await forward(hub, reader, writer)
        except LightboardError as error:
            self._say(f"{error.message}{f'; {error.hint}' if error.hint else ''}")
        finally:
            writer.close()


def check_port_free(local_port: int, port: int) -> None:
    """Raises UsageError if `local_port` of this machine cannot be used for the port `port` of a job."""
    try:
        with socket.create_server((LOOPBACK, local_port)):
            return
    except OSError as error:
        raise port_error(local_port, port, error) from None


def port_error(local_port: int, port: int, error: OSError) -> UsageError:
    """The error for a port of this machine that cannot be used."""
    return UsageError(
        f"port {local_port} of this machine cannot be used: {os.strerror(error.errno or 0)}",
        hint=f"choose another, for example {local_port + 1}:{port}, or 0:{port} for any free one",
    )


async def forward(hub: "ClientConnection", reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Forwards both directions until the hub has closed the connection, or the local program has broken it.

    Raises LightboardError if the hub has closed it because of an error.
    """
    from websockets.exceptions import ConnectionClosed

    sending = asyncio.create_task(forward_input(hub, reader))
    try:
        async for data in hub:
            assert isinstance(data, bytes)
            writer.write(data)
            await writer.drain()
    except ConnectionClosed as closed:
        reason = closed.rcvd.reason if closed.rcvd else ""
        raise LightboardError(reason or "the connection to the hub was lost") from None
    except OSError:
        return
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def forward_input(hub: "ClientConnection", reader: asyncio.StreamReader) -> None:
    """Sends what a local program writes, and then that it writes no more."""
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(ConnectionClosed, OSError):
        while data := await reader.read(READ_BYTES):
            await hub.send(data)
        await hub.send(b"")
