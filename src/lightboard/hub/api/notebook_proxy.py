"""The reverse proxy for notebooks: checks access to `/notebooks/<id>/...` and forwards it to JupyterLab.

Only its owner opens a notebook, since whoever does runs programs as its owner. Not even administrators do: the page
of a notebook is made by its owner, and would act for them.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from lightboard.config import HubSettings
from lightboard.errors import LaunchError, LightboardError, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.api.board_access import LOG_IN
from lightboard.hub.api.board_proxy import NO_STORE, error_page, has_path_traversal, query_of
from lightboard.hub.api.identity import Identities, Identity, Secret, login_of, secret_of
from lightboard.hub.api.notebook_connections import NotebookConnections
from lightboard.hub.api.pages import wants_page
from lightboard.hub.api.proxy import Proxy, ResponseCut, ascii_path
from lightboard.hub.api.services import Jobs, Runtime
from lightboard.hub.db import job_access
from lightboard.hub.launchers.base import Address
from lightboard.hub.notebook_server import PATH, path_of
from lightboard.hub.resources.ids import is_id
from lightboard.hub.resources.jobs import ENDED, PREFIX, Job, JobKind, JobStatus

BASE_URL = "http://notebook"
POLICY_VIOLATION, TRY_AGAIN = 1008, 1013
"""Codes of WebSockets that end (RFC 6455, 7.4.1): access was lost; the server does not respond."""
RETRY_SECS = 1
JUPYTER_SCHEME = "token "


@dataclass(frozen=True)
class NotebookAccess:
    """A notebook that its owner opens."""

    job: Job
    identity: Identity


class NotebookProxy:
    """The ASGI application for everything below `/notebooks/`."""

    def __init__(self, settings: HubSettings, identities: Identities, jobs: Jobs, runtime: Runtime) -> None:
        self._settings = settings
        self._identities = identities
        self._jobs = jobs
        self._runtime = runtime
        self._connections = NotebookConnections(jobs.runner, runtime.pool)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket."""
        raw = ascii_path(scope.get("raw_path") or scope["path"].encode()).removeprefix(PATH)
        id, slash, below = raw.partition("/")
        known = is_id(id, PREFIX) and not has_path_traversal(below)
        connection = HTTPConnection(scope)
        access = await self._access(connection, id) if known else NotFound("there is no such address")
        if scope["type"] == "websocket":
            await self._forward_websocket(connection, access, receive, send)
            return
        request = Request(scope, receive)
        if isinstance(access, LightboardError):
            response: Response | None = self._denied(request, access)
        elif not slash:
            response = RedirectResponse(quote(self._settings.path_prefix + path_of(id)), 308)
        else:
            response = self._not_running(request, access.job)
        if response is not None:
            await response(scope, receive, send)
        elif not isinstance(access, LightboardError):
            await self._forward(request, access, send)

    # Access

    async def _access(self, connection: HTTPConnection, id: str) -> NotebookAccess | LightboardError:
        return await self._runtime.pool.call(self._authorize, connection, id)

    def _authorize(self, connection: HTTPConnection, id: str) -> NotebookAccess | LightboardError:
        """The access of whoever sends a request, or the error that explains the denial. Reads the database."""
        secret = secret_of_visitor(connection)
        found, identity = self._identities.cached(secret) if secret else (True, None)
        if secret and not found:
            identity = self._identities.find(secret)
        if identity is None:
            return Unauthenticated("you are not logged in", hint=LOG_IN)
        try:
            with self._runtime.database.read() as session:
                job = job_access.get(session, identity.principal, id, "notebooks.open")
        except LightboardError as error:
            return error
        if job.kind is not JobKind.NOTEBOOK:
            return NotFound("this job is not a notebook")
        if job.owner != identity.principal.account:
            return PermissionDenied("only its owner opens a notebook", hint="its files are in the project's storage")
        return NotebookAccess(job, identity)

    async def _recheck(self, connection: HTTPConnection, id: str) -> float | bool | None:
        """Until when a connection may continue, or False if access was lost."""
        access = await self._access(connection, id)
        return False if isinstance(access, LightboardError) else access.identity.expires_at

    def _denied(self, request: Request, error: LightboardError) -> Response:
        """The response if access is denied."""
        if isinstance(error, Unauthenticated) and wants_page(request):
            here = f"{self._settings.path_prefix}{request.scope['path']}{query_of(request)}"
            return RedirectResponse(f"{self._settings.path_prefix}/login?{urlencode({'next': here})}", 302, NO_STORE)
        return error_page(
            request,
            self._settings,
            error_status=error.status,
            code=error.code,
            message=error.message,
            hint=error.hint,
        )

    def _not_running(self, request: Request, job: Job) -> Response | None:
        """The response for a notebook that does not run, for browsers its page in the console; None if it runs."""
        if job.status is JobStatus.RUNNING:
            return None
        if wants_page(request):
            return RedirectResponse(f"{self._settings.path_prefix}/jobs/{job.id}", 302, NO_STORE)
        starts = (
            ""
            if job.status not in ENDED
            else f"PUT {self._settings.path_prefix}/api/v1/jobs/{job.id}/restart starts it"
        )
        return error_page(
            request,
            self._settings,
            error_status=503,
            message=f"this notebook is {job.status.value}",
            hint=starts,
            retry_secs=None if starts else RETRY_SECS,
        )

    # Forwarding

    @asynccontextmanager
    async def _server(self, connection: HTTPConnection, access: NotebookAccess) -> AsyncIterator[Proxy]:
        """Connections to the server of a notebook. Raises TimeoutError if access ends, LaunchError if it is gone."""
        self._runtime.activity.record_identity(access.identity, self._runtime.clock())
        recheck = partial(self._recheck, connection, access.job.id)
        async with (
            self._runtime.change_notifier.guard(access.identity.expires_at, recheck),
            self._connections.use(access.job.runner_ref) as proxy,
        ):
            yield proxy

    def _address(self, job: Job) -> Address:
        return Address(base_url=BASE_URL, headers={"authorization": f"token {self._jobs.notebooks.token(job)}"})

    def _path(self, connection: HTTPConnection) -> str:
        scope = connection.scope
        raw = ascii_path(scope.get("raw_path") or scope["path"].encode())
        return f"{self._settings.path_prefix}{raw}{query_of(connection)}"

    async def _forward(self, request: Request, access: NotebookAccess, send: Send) -> None:
        try:
            async with self._server(request, access) as proxy:
                await proxy.forward(
                    request.scope,
                    request.receive,
                    send,
                    address=self._address(access.job),
                    path=self._path(request),
                    extra={},
                )
        except TimeoutError:
            raise ResponseCut("access to the notebook has ended") from None
        except LaunchError:
            response = error_page(
                request,
                self._settings,
                error_status=503,
                message="the notebook does not respond at the moment",
                retry_secs=RETRY_SECS,
            )
            await response(request.scope, request.receive, send)

    async def _forward_websocket(
        self, connection: HTTPConnection, access: NotebookAccess | LightboardError, receive: Receive, send: Send
    ) -> None:
        if isinstance(access, LightboardError) or access.job.status is not JobStatus.RUNNING:
            await WebSocketClose(POLICY_VIOLATION)(connection.scope, receive, send)
            return
        try:
            async with self._server(connection, access) as proxy:
                address, path = self._address(access.job), self._path(connection)
                await proxy.forward_websocket(connection.scope, receive, send, address=address, path=path)
        except TimeoutError:
            await WebSocketClose(POLICY_VIOLATION)(connection.scope, receive, send)
        except LaunchError:
            await WebSocketClose(TRY_AGAIN)(connection.scope, receive, send)


def secret_of_visitor(connection: HTTPConnection) -> Secret | None:
    """As `secret_of`. JupyterLab's page sends the token of its own server, which is no token of the hub."""
    own = connection.headers.get("authorization", "").lower().startswith(JUPYTER_SCHEME)
    return login_of(connection) if own else secret_of(connection)
