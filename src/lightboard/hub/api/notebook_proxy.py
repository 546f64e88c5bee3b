"""The reverse proxy for notebooks: checks access to `/notebooks/<id>/`, or to the host of one, and forwards to it."""

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
from lightboard.errors import LaunchError, LightboardError, NotFound, Unauthenticated
from lightboard.hub.api.error_pages import error_page
from lightboard.hub.api.notebook_access import NotebookAccess, notebook_credentials
from lightboard.hub.api.notebook_connections import NotebookConnections
from lightboard.hub.api.own_pages import is_own_page
from lightboard.hub.api.pages import wants_page
from lightboard.hub.api.proxy import Proxy, ResponseCut
from lightboard.hub.api.raw_paths import has_path_traversal, query_of, raw_path_of
from lightboard.hub.api.redirects import uncached_redirect
from lightboard.hub.api.services import Jobs, Runtime
from lightboard.hub.api.urls import notebook_url
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.launchers.base import Address
from lightboard.hub.notebook_server import PATH, path_of
from lightboard.hub.resources.ids import is_id
from lightboard.hub.resources.jobs import ENDED, PREFIX, Job, JobStatus

BASE_URL = "http://notebook"
POLICY_VIOLATION, TRY_AGAIN = 1008, 1013
"""Codes of WebSockets that end (RFC 6455, 7.4.1): access was lost; the server does not respond."""
RETRY_SECS = 1


@dataclass(frozen=True)
class NotebookTarget:
    """The notebook that a request is for, and `path`, the raw path that its server gets.

    `console` is the URL of the hub as seen from there, `login_url` where visitors log in.
    """

    id: str
    path: str
    console: str
    login_url: str


class NotebookProxy:
    """The ASGI application for everything below `/notebooks/`."""

    def __init__(self, settings: HubSettings, jobs: Jobs, runtime: Runtime) -> None:
        self._settings = settings
        self._jobs = jobs
        self._runtime = runtime
        self._connections = NotebookConnections(jobs.runner, runtime.pool)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket. If notebooks have hosts of their own, they are there alone."""
        prefix = self._settings.path_prefix
        raw = raw_path_of(scope)
        id, slash, below = raw.removeprefix(PATH).partition("/")
        valid = is_id(id, PREFIX) and not has_path_traversal(below)
        if valid and slash and not self._settings.domain:
            await self.respond(scope, receive, send, NotebookTarget(id, prefix + raw, prefix, f"{prefix}/login"))
        elif scope["type"] == "websocket":
            await WebSocketClose(POLICY_VIOLATION)(scope, receive, send)
        else:
            response = self._redirect(Request(scope), id if valid else "", below)
            await response(scope, receive, send)

    async def respond(self, scope: Scope, receive: Receive, send: Send, target: NotebookTarget) -> None:
        """Handles one request or WebSocket for `target`."""
        connection = HTTPConnection(scope)
        access = await self._access(connection, target.id)
        if scope["type"] == "websocket":
            await self._forward_websocket(connection, target, access, receive, send)
            return
        request = Request(scope, receive)
        if isinstance(access, LightboardError):
            await self._denied(request, target, access)(scope, receive, send)
        elif access.job.status is not JobStatus.RUNNING:
            await self._not_running(request, target, access.job)(scope, receive, send)
        else:
            await self._forward(request, target, access, send)

    # Responses of the hub

    def _redirect(self, request: Request, id: str, below: str) -> Response:
        """The response to a request for a path where no notebook is; an `id` of "" is not valid."""
        if not id:
            return self._error_response(request, NotFound("there is no such address"))
        if self._settings.domain:
            return uncached_redirect(notebook_url(self._settings, request, id) + below + query_of(request), 307)
        return RedirectResponse(quote(self._settings.path_prefix + path_of(id)), 308)

    def _error_response(self, request: Request, error: LightboardError) -> Response:
        return error_page(
            request, self._settings, error_status=error.status, code=error.code, message=error.message, hint=error.hint
        )

    def _denied(self, request: Request, target: NotebookTarget, error: LightboardError) -> Response:
        """The response if access is denied."""
        if not (isinstance(error, Unauthenticated) and wants_page(request)):
            return self._error_response(request, error)
        here = urlencode({"next": target.path + query_of(request)})
        return uncached_redirect(f"{target.login_url}?{here}")

    def _not_running(self, request: Request, target: NotebookTarget, job: Job) -> Response:
        """The response for a notebook that does not run: for browsers its page in the console."""
        if wants_page(request):
            return uncached_redirect(f"{target.console}/jobs/{job.id}")
        hint = f"PUT {target.console}/api/v1/jobs/{job.id}/restart starts it" if job.status in ENDED else ""
        return error_page(
            request,
            self._settings,
            error_status=503,
            message=f"this notebook is {job.status.value}",
            hint=hint,
            retry_secs=None if hint else RETRY_SECS,
        )

    # Forwarding

    async def _access(self, connection: HTTPConnection, id: str) -> NotebookAccess | LightboardError:
        credentials = notebook_credentials(connection)
        cached = self._jobs.authorizer.cached(credentials, id)
        return cached.value if cached else await self._load_access(credentials, id)

    async def _load_access(self, credentials: VisitorCredentials, id: str) -> NotebookAccess | LightboardError:
        return await self._runtime.pool.call(self._jobs.authorizer.authorize, credentials, id)

    async def _recheck(self, connection: HTTPConnection, id: str) -> float | bool | None:
        """Until when a connection may continue, or False if access was lost."""
        access = await self._load_access(notebook_credentials(connection), id)
        return False if isinstance(access, LightboardError) else access.identity.expires_at

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
        token = self._jobs.notebooks.token(job)
        return Address(base_url=BASE_URL, headers={"authorization": f"token {token}"})

    async def _forward(self, request: Request, target: NotebookTarget, access: NotebookAccess, send: Send) -> None:
        try:
            async with self._server(request, access) as proxy:
                await proxy.forward(
                    request.scope,
                    request.receive,
                    send,
                    address=self._address(access.job),
                    path=target.path + query_of(request),
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
        self,
        connection: HTTPConnection,
        target: NotebookTarget,
        access: NotebookAccess | LightboardError,
        receive: Receive,
        send: Send,
    ) -> None:
        scope, code = connection.scope, POLICY_VIOLATION
        try:
            if (
                is_own_page(self._settings, connection)
                and isinstance(access, NotebookAccess)
                and access.job.status is JobStatus.RUNNING
            ):
                async with self._server(connection, access) as proxy:
                    address, path = self._address(access.job), target.path + query_of(connection)
                    await proxy.forward_websocket(scope, receive, send, address=address, path=path)
                    return
        except TimeoutError:  # access has ended
            pass
        except LaunchError:
            code = TRY_AGAIN
        await WebSocketClose(code)(scope, receive, send)
