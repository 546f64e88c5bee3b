"""Further commands in running jobs, over WebSockets: `/api/v1/jobs/{id}/exec`."""

import re
from dataclasses import dataclass
from functools import partial

from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection
from starlette.types import Receive, Send
from starlette.websockets import WebSocketClose

from lightboard.errors import BadRequest, LightboardError
from lightboard.hub.api.exec_bridge import ExecBridge
from lightboard.hub.api.exec_channels import terminal_size
from lightboard.hub.api.identity import Identity
from lightboard.hub.api.job_websocket import JobQuery, JobWebSocket, rank_of, short_reason
from lightboard.hub.api.output_window import OutputWindow
from lightboard.hub.db import job_access
from lightboard.hub.resources.jobs import Job
from lightboard.hub.runners.exec_session import TerminalSize
from lightboard.untrusted.numbers import whole_number

PATH = re.compile(r"/api/v1/jobs/([^/]+)/exec")
ROUTE = "/api/v1/jobs/{id}/exec"
MAX_COMMAND_BYTES = 6_000
"""A request line has at most 8 KiB."""
DEFAULT_SIZE = TerminalSize(24, 80)
NORMAL, INVALID, POLICY_VIOLATION, ABNORMAL = 1000, 1003, 1008, 1011
"""Codes of WebSockets that end (RFC 6455, 7.4.1)."""


@dataclass(frozen=True, kw_only=True)
class ExecQuery(JobQuery):
    """What a client asks for. `window` is how many bytes of output it can take, None for any number."""

    command: tuple[str, ...]
    terminal: TerminalSize | None
    window: int | None


def is_exec(path: str) -> bool:
    """Whether a path is that of commands in a job."""
    return PATH.fullmatch(path) is not None


class JobExec(JobWebSocket[ExecQuery]):
    """The ASGI application for these WebSockets."""

    right = "jobs.exec"
    act = "run commands in"
    most_of_account = 20
    most_of_hub = 200

    def query_of(self, params: QueryParams) -> ExecQuery:
        """See JobWebSocket."""
        return query_of(params)

    async def run(
        self, connection: HTTPConnection, receive: Receive, send: Send, identity: Identity, job: Job, query: ExecQuery
    ) -> None:
        """See JobWebSocket."""
        address = connection.client.host if connection.client else ""
        await self._runtime.pool.call(self._record, identity, job, query, address)
        session = await self._runtime.pool.call(
            self._jobs.runner.exec, job.runner_ref, query.rank, query.command, query.terminal
        )
        bridge = ExecBridge(session, OutputWindow(query.window), receive, send)
        code, reason = NORMAL, ""
        try:
            await bridge.wait_for_start()
            await receive()  # the request to connect
            await send({"type": "websocket.accept"})
            recheck = partial(self.recheck, connection, job, query)
            async with self._runtime.change_notifier.guard(identity.expires_at, recheck):
                if await bridge.run() is None:
                    return  # the client has gone
        except TimeoutError:
            code, reason = POLICY_VIOLATION, "access to the job has ended"
        except ValueError as error:
            if isinstance(error, LightboardError):
                raise
            code, reason = INVALID, short_reason(str(error))
        finally:
            session.close()
        await WebSocketClose(code, reason)(connection.scope, receive, send)

    def _record(self, identity: Identity, job: Job, query: ExecQuery, address: str) -> None:
        with self._runtime.database.write(address) as session:
            job_access.record_exec(session, identity.principal, job, query.command[0], self._runtime.clock())


def query_of(params: QueryParams) -> ExecQuery:
    """What the query of a request asks for. Raises BadRequest."""
    command = tuple(params.getlist("command"))
    if not command or not command[0].strip() or any("\0" in word for word in command):
        raise BadRequest("there is no command", hint="?command=PROGRAM&command=ARGUMENT")
    if sum(len(word.encode("utf-8", "surrogatepass")) for word in command) > MAX_COMMAND_BYTES:
        raise BadRequest(f"the command has more than {MAX_COMMAND_BYTES:,} bytes", hint="send it as input of sh")
    window = whole_number(params.get("window", "0"))
    if window is None:
        raise BadRequest("window is not a number of bytes")
    return ExecQuery(
        command=command,
        rank=rank_of(params),
        terminal=terminal_of(params),
        project=params.get("project", ""),
        window=window or None,
    )


def terminal_of(params: QueryParams) -> TerminalSize | None:
    """The size of the wanted terminal, None for none. Raises BadRequest."""
    wanted = params.get("tty", "0")
    if wanted not in ("0", "1"):
        raise BadRequest("tty is 0 or 1")
    if wanted == "0":
        return None
    rows = whole_number(params.get("rows", str(DEFAULT_SIZE.rows)))
    columns = whole_number(params.get("columns", str(DEFAULT_SIZE.columns)))
    try:
        return terminal_size(rows or 0, columns or 0)
    except ValueError as error:
        raise BadRequest(str(error)) from None
