"""Further commands in running jobs, over WebSockets: `/api/v1/jobs/{id}/exec`.

Only the owner of a job runs commands in it, since they run as its owner, as for notebooks. Errors before the WebSocket
is accepted are HTTP responses, like those of other routes; but browsers hide these from their pages, so pages get a
WebSocket that is closed at once and says why.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from lightboard.asgi.errors import error_response
from lightboard.config import HubSettings
from lightboard.errors import BadRequest, Conflict, LightboardError, PermissionDenied, TooMany, Unauthenticated
from lightboard.hub.api.exec_bridge import ExecBridge
from lightboard.hub.api.exec_channels import terminal_size
from lightboard.hub.api.identity import LOG_IN, Identity
from lightboard.hub.api.output_window import OutputWindow
from lightboard.hub.api.own_pages import is_own_page
from lightboard.hub.api.request_context import authenticate
from lightboard.hub.api.services import Auth, Jobs, Runtime
from lightboard.hub.db import job_access
from lightboard.hub.resources.jobs import Job, JobStatus
from lightboard.hub.runners.exec_session import TerminalSize
from lightboard.untrusted.numbers import whole_number

PATH = re.compile(r"/api/v1/jobs/([^/]+)/exec")
ROUTE = "/api/v1/jobs/{id}/exec"
MAX_COMMAND_BYTES = 6_000
"""A request line has at most 8 KiB."""
MAX_OF_ACCOUNT = 20
"""Commands of an account at once, in all jobs."""
MAX_OF_HUB = 200
DEFAULT_SIZE = TerminalSize(24, 80)
NORMAL, INVALID, POLICY_VIOLATION, ABNORMAL = 1000, 1003, 1008, 1011
"""Codes of WebSockets that end (RFC 6455, 7.4.1)."""
REFUSED = 4000
"""Plus the status of an error: the code of a WebSocket that is refused to a page."""
MAX_REASON = 123
"""Bytes of the reason for an end."""


@dataclass(frozen=True)
class ExecQuery:
    """What a client asks for."""

    command: tuple[str, ...]
    rank: int
    terminal: TerminalSize | None
    project: str
    window: int | None


def is_exec(path: str) -> bool:
    """Whether a path is that of commands in a job."""
    return PATH.fullmatch(path) is not None


class JobExec:
    """The ASGI application for these WebSockets."""

    def __init__(self, settings: HubSettings, auth: Auth, jobs: Jobs, runtime: Runtime) -> None:
        self._settings = settings
        self._auth = auth
        self._jobs = jobs
        self._runtime = runtime
        self._running: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one WebSocket."""
        connection = HTTPConnection(scope)
        found = PATH.fullmatch(scope["path"])
        assert found is not None
        own_page = is_own_page(self._settings, connection)
        try:
            if not own_page:
                raise PermissionDenied("pages of other sites run no commands", hint="open the console of this hub")
            query = query_of(connection.query_params)
            identity = await self._identity(connection)
            job = await self._runtime.pool.call(self._job, identity, found[1], query)
            with self._counted(identity.principal.account):
                await self._run(connection, receive, send, identity, job, query)
        except LightboardError as error:
            if own_page and "origin" in connection.headers:
                await refuse_page(error, scope, receive, send)
                return
            response = error_response(scope, error.status, code=error.code, message=error.message, hint=error.hint)
            await response(scope, receive, send)

    # Who may

    async def _identity(self, connection: HTTPConnection) -> Identity:
        identity = await authenticate(connection, self._auth, self._runtime)
        if identity is None:
            raise Unauthenticated("you are not logged in", hint=LOG_IN)
        return identity

    def _job(self, identity: Identity, id_or_name: str, query: ExecQuery) -> Job:
        """The job, if it runs and the account may run commands in it. Raises LightboardError."""
        with self._runtime.database.read() as session:
            job = job_access.get(session, identity.principal, id_or_name, "jobs.exec", query.project)
        if job.owner != identity.principal.account:
            raise PermissionDenied(
                f"only its owner runs commands in the {job.kind} {job.name}", hint="they run as its owner"
            )
        if job.status is not JobStatus.RUNNING:
            raise Conflict(f"the {job.kind} {job.name} is {job.status}", hint="commands run in running ones")
        if query.rank >= job.replicas:
            raise BadRequest(f"{job.name} has no replica {query.rank}", hint=f"0 to {job.replicas - 1}")
        return job

    async def _recheck(self, connection: HTTPConnection, job: Job, query: ExecQuery) -> float | bool | None:
        """Until when a command may continue, or False if access was lost. That the job ends is noticed elsewhere."""
        try:
            identity = await self._identity(connection)
            await self._runtime.pool.call(self._job, identity, job.id, query)
        except Conflict:
            return identity.expires_at
        except (PermissionDenied, Unauthenticated, LookupError):
            return False
        return identity.expires_at

    @contextmanager
    def _counted(self, account: str) -> Iterator[None]:
        """Counts a command while it runs. Raises TooMany."""
        if self._running[account] >= MAX_OF_ACCOUNT or self._running.total() >= MAX_OF_HUB:
            raise TooMany("too many commands run in jobs", hint=f"an account has at most {MAX_OF_ACCOUNT}; end some")
        self._running[account] += 1
        try:
            yield
        finally:
            self._running[account] -= 1
            if not self._running[account]:
                del self._running[account]

    # Running

    def _record(self, identity: Identity, job: Job, query: ExecQuery, address: str) -> None:
        with self._runtime.database.write(address) as session:
            job_access.record_exec(session, identity.principal, job, query.command[0], self._runtime.clock())

    async def _run(
        self, connection: HTTPConnection, receive: Receive, send: Send, identity: Identity, job: Job, query: ExecQuery
    ) -> None:
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
            recheck = partial(self._recheck, connection, job, query)
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


async def refuse_page(error: LightboardError, scope: Scope, receive: Receive, send: Send) -> None:
    """Tells a page why it gets no command."""
    await receive()  # the request to connect
    await send({"type": "websocket.accept"})
    await WebSocketClose(REFUSED + error.status, short_reason(error.message))(scope, receive, send)


def short_reason(message: str) -> str:
    """As much of a message as fits into the end of a WebSocket."""
    return message.encode()[:MAX_REASON].decode(errors="ignore")


def query_of(params: QueryParams) -> ExecQuery:
    """What the query of a request asks for. Raises BadRequest."""
    command = tuple(params.getlist("command"))
    if not command or not command[0].strip() or any("\0" in word for word in command):
        raise BadRequest("there is no command", hint="?command=PROGRAM&command=ARGUMENT")
    if sum(len(word.encode("utf-8", "surrogatepass")) for word in command) > MAX_COMMAND_BYTES:
        raise BadRequest(f"the command has more than {MAX_COMMAND_BYTES:,} bytes", hint="send it as input of sh")
    rank = whole_number(params.get("rank", "0"))
    if rank is None:
        raise BadRequest("rank is not a number", hint="replicas are numbered from 0")
    window = whole_number(params.get("window", "0"))
    if window is None:
        raise BadRequest("window is not a number of bytes")
    return ExecQuery(command, rank, terminal_of(params), params.get("project", ""), window or None)


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
