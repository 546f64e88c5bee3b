"""Connections to ports of running jobs, over WebSockets: `/api/v1/jobs/{id}/port-forward`.

A WebSocket is one connection. Binary messages have the bytes of both directions. An empty one from the client ends what
it sends; from the hub it means nothing. When the program closes the connection, the hub closes the WebSocket.
"""

import asyncio
import re
import socket
from dataclasses import dataclass
from functools import partial

from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection
from starlette.types import Receive, Send
from starlette.websockets import WebSocketClose

from lightboard.config import HubSettings
from lightboard.errors import BadRequest, LaunchError, LightboardError
from lightboard.hub.api.exec_bridge import HEARTBEAT_SECS, content_of
from lightboard.hub.api.identity import Identity
from lightboard.hub.api.job_websocket import JobQuery, JobWebSocket, rank_of
from lightboard.hub.api.port_connections import PortConnections
from lightboard.hub.api.recent_keys import RecentKeys
from lightboard.hub.api.services import Auth, Jobs, Runtime
from lightboard.hub.db import job_access
from lightboard.hub.resources.jobs import Job
from lightboard.untrusted.numbers import whole_number

PATH = re.compile(r"/api/v1/jobs/([^/]+)/port-forward")
ROUTE = "/api/v1/jobs/{id}/port-forward"
READ_BYTES = 64 << 10
MAX_PORT = 65_535
AUDIT_INTERVAL_SECS = 600.0
"""Connections of an account to a port within this time after the first are not audited again: a page needs many."""
NORMAL, INVALID, POLICY_VIOLATION, ABNORMAL = 1000, 1003, 1008, 1011
"""Codes of WebSockets that end (RFC 6455, 7.4.1)."""


@dataclass(frozen=True, kw_only=True)
class PortQuery(JobQuery):
    """The port that a client asks for."""

    port: int


def is_port_forward(path: str) -> bool:
    """Whether a path is that of connections to ports."""
    return PATH.fullmatch(path) is not None


class PortForward(JobWebSocket[PortQuery]):
    """The ASGI application for these WebSockets."""

    right = "jobs.connect"
    act = "forward ports of"
    most_of_account = 100
    most_of_hub = 500

    def __init__(self, settings: HubSettings, auth: Auth, jobs: Jobs, runtime: Runtime, ports: PortConnections) -> None:
        super().__init__(settings, auth, jobs, runtime)
        self._ports = ports
        self._audited = RecentKeys(AUDIT_INTERVAL_SECS)

    def query_of(self, params: QueryParams) -> PortQuery:
        """See JobWebSocket."""
        port = whole_number(params.get("port", ""))
        if port is None or not 0 < port <= MAX_PORT:
            raise BadRequest("port is not the number of one", hint=f"1 to {MAX_PORT}")
        return PortQuery(port=port, rank=rank_of(params), project=params.get("project", ""))

    async def run(
        self, connection: HTTPConnection, receive: Receive, send: Send, identity: Identity, job: Job, query: PortQuery
    ) -> None:
        """See JobWebSocket."""
        if self._audited.add((identity.principal.account, job.id, str(query.port))):
            address = connection.client.host if connection.client else ""
            await self._runtime.pool.call(self._record, identity, job, query, address)
        try:
            port = await self._ports.open(job.runner_ref, query.rank, query.port)
        except LaunchError as error:
            raise BadRequest(error.message, hint=error.hint) from None
        code, reason = NORMAL, ""
        try:
            await receive()  # the request to connect
            await send({"type": "websocket.accept"})
            recheck = partial(self.recheck, connection, job, query)
            async with self._runtime.change_notifier.guard(identity.expires_at, recheck):
                if not await forward(port, receive, send):
                    return  # the client has gone
        except TimeoutError:
            code, reason = POLICY_VIOLATION, "access to the job has ended"
        except OSError:
            code, reason = ABNORMAL, "the program has closed the connection"
        except ValueError as error:
            if isinstance(error, LightboardError):
                raise
            code, reason = INVALID, str(error)
        finally:
            port.close()
        await WebSocketClose(code, reason)(connection.scope, receive, send)

    def _record(self, identity: Identity, job: Job, query: PortQuery, address: str) -> None:
        with self._runtime.database.write(address) as session:
            job_access.record_port_forward(session, identity.principal, job, query.port, self._runtime.clock())


async def forward(port: socket.socket, receive: Receive, send: Send) -> bool:
    """Forwards both directions until the program has closed the connection; False if the client has gone before.

    Raises OSError if the program has broken the connection, ValueError for a message that is none.
    """
    to_client = asyncio.create_task(forward_output(port, send))
    to_port = asyncio.create_task(forward_input(port, receive, send))
    try:
        await asyncio.wait({to_client, to_port}, return_when=asyncio.FIRST_COMPLETED)
        if to_port.done():
            to_port.result()
            return False
        await to_client
        return True
    finally:
        for each in (to_client, to_port):
            each.cancel()
        await asyncio.gather(to_client, to_port, return_exceptions=True)


async def forward_output(port: socket.socket, send: Send) -> None:
    """Sends what a program writes, until it has closed the connection."""
    while data := await asyncio.get_running_loop().sock_recv(port, READ_BYTES):
        await send({"type": "websocket.send", "bytes": data})


async def forward_input(port: socket.socket, receive: Receive, send: Send) -> None:
    """Writes what a client sends. Returns when the client has gone."""
    while (message := await receive())["type"] == "websocket.receive":
        if data := content_of(message):
            await write(port, data, send)
        else:
            port.shutdown(socket.SHUT_WR)


async def write(port: socket.socket, data: bytes, send: Send) -> None:
    """Writes all data. Raises OSError if the program does not read it and the client has gone meanwhile."""
    writing = asyncio.ensure_future(asyncio.get_running_loop().sock_sendall(port, data))
    try:
        while not (await asyncio.wait({writing}, timeout=HEARTBEAT_SECS))[0]:
            await send({"type": "websocket.send", "bytes": b""})
        writing.result()
    finally:
        writing.cancel()
