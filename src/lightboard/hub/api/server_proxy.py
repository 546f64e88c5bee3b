"""The reverse proxy for servers in jobs: checks access to `/notebooks/<id>/` or `/http/<id>/`, or to the host of one,
and forwards to it.

A notebook knows the path that browsers request. The server of another job does not, and gets the path below it.
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

from lightboard.asgi.errors import error_response
from lightboard.asgi.guard import SAFE_METHODS
from lightboard.config import HubSettings
from lightboard.errors import LaunchError, LightboardError, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.api.error_pages import error_page
from lightboard.hub.api.own_pages import is_own_page
from lightboard.hub.api.pages import wants_page
from lightboard.hub.api.port_connections import PortConnections
from lightboard.hub.api.proxy import Proxy, ResponseCut
from lightboard.hub.api.raw_paths import has_path_traversal, query_of, raw_path_of
from lightboard.hub.api.redirects import uncached_redirect
from lightboard.hub.api.served_page import ServedPage, forwarded_headers
from lightboard.hub.api.server_access import ServerAccess, server_credentials
from lightboard.hub.api.server_connections import ServerConnections
from lightboard.hub.api.services import Jobs, Runtime
from lightboard.hub.api.urls import base_url, server_url
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.launchers.base import Address
from lightboard.hub.resources.ids import is_id
from lightboard.hub.resources.jobs import ENDED, PREFIX, SERVER_PATHS, Job, JobKind, JobStatus, server_path
from lightboard.hub.runners.port_connection import PORT_TAKEN

BASE_URL = "http://server"
POLICY_VIOLATION, TRY_AGAIN = 1008, 1013
"""Codes of WebSockets that end (RFC 6455, 7.4.1): access was lost; the server does not respond."""
RETRY_SECS = 1
REFRESH_SECS = 2
"""After which a browser asks again for the page of a job whose server does not listen yet."""


@dataclass(frozen=True)
class ServerTarget:
    """The server that a request is for: `base` is its path as browsers see it, `path` the raw path below that, which
    begins with a slash. `kind` is None if the request does not say what it expects.

    `console` is the URL of the hub as seen from there, `login_url` where visitors log in.
    """

    id: str
    kind: JobKind | None
    base: str
    path: str
    console: str
    login_url: str


class ServerProxy:
    """The ASGI application for everything below `/notebooks/` and `/http/`."""

    def __init__(self, settings: HubSettings, jobs: Jobs, runtime: Runtime, ports: PortConnections) -> None:
        self._settings = settings
        self._jobs = jobs
        self._runtime = runtime
        self._connections = ServerConnections(jobs.runner, runtime.pool, ports)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket. If servers have hosts of their own, they are there alone."""
        prefix = self._settings.path_prefix
        raw = raw_path_of(scope)
        kind = next((kind for kind, path in SERVER_PATHS.items() if raw.startswith(path)), JobKind.NOTEBOOK)
        id, slash, below = raw.removeprefix(SERVER_PATHS[kind]).partition("/")
        valid = is_id(id, PREFIX) and not has_path_traversal(below)
        if valid and slash and not self._settings.domain:
            base = prefix + server_path(kind, id).rstrip("/")
            await self.respond(
                scope, receive, send, ServerTarget(id, kind, base, f"/{below}", prefix, f"{prefix}/login")
            )
        elif scope["type"] == "websocket":
            await WebSocketClose(POLICY_VIOLATION)(scope, receive, send)
        else:
            response = self._redirect(Request(scope), kind, id if valid else "", below)
            await response(scope, receive, send)

    async def respond(self, scope: Scope, receive: Receive, send: Send, target: ServerTarget) -> None:
        """Handles one request or WebSocket for `target`."""
        connection = HTTPConnection(scope)
        access = await self._access(connection, target)
        if scope["type"] == "websocket":
            await self._forward_websocket(connection, target, access, receive, send)
            return
        request = Request(scope, receive)
        if isinstance(access, LightboardError):
            await self._denied(request, target, access)(scope, receive, send)
        elif access.job.status is not JobStatus.RUNNING:
            await self._not_running(request, target, access.job)(scope, receive, send)
        elif request.method not in SAFE_METHODS and not is_own_page(self._settings, request):
            error = PermissionDenied("a page of another site may not send this", hint="open the page through the hub")
            await self._error_response(request, error)(scope, receive, send)
        else:
            await self._forward(request, target, access, send)

    # Responses of the hub

    def _redirect(self, request: Request, kind: JobKind, id: str, below: str) -> Response:
        """The response to a request for a path where no server is; an `id` of "" is not valid."""
        if not id:
            return self._error_response(request, NotFound("there is no such address"))
        if self._settings.domain:
            return uncached_redirect(server_url(self._settings, request, kind, id) + below + query_of(request), 307)
        return RedirectResponse(quote(self._settings.path_prefix + server_path(kind, id)), 308)

    def _error_response(self, request: Request, error: LightboardError) -> Response:
        return error_page(
            request, self._settings, error_status=error.status, code=error.code, message=error.message, hint=error.hint
        )

    def _denied(self, request: Request, target: ServerTarget, error: LightboardError) -> Response:
        """The response if access is denied."""
        if not (isinstance(error, Unauthenticated) and wants_page(request)):
            return self._error_response(request, error)
        here = urlencode({"next": target.base + target.path + query_of(request)})
        return uncached_redirect(f"{target.login_url}?{here}")

    def _not_running(self, request: Request, target: ServerTarget, job: Job) -> Response:
        """The response for a job that does not run: for browsers its page in the console."""
        if wants_page(request):
            return uncached_redirect(f"{target.console}/jobs/{job.id}")
        hint = f"PUT {target.console}/api/v1/jobs/{job.id}/restart starts it" if job.status in ENDED else ""
        return error_page(
            request,
            self._settings,
            error_status=503,
            message=f"this {job.kind} is {job.status.value}",
            hint=hint,
            retry_secs=None if hint else RETRY_SECS,
        )

    def _not_reached(self, request: Request, job: Job, error: LaunchError) -> Response:
        """The response if the server does not respond. Browsers try again, unless the port is somebody else's."""
        if job.kind is JobKind.NOTEBOOK:
            message = "the notebook does not respond at the moment"
            return error_page(request, self._settings, error_status=503, message=message, retry_secs=RETRY_SECS)
        retry = {} if error.reason == PORT_TAKEN else {"retry-after": str(RETRY_SECS), "refresh": str(REFRESH_SECS)}
        return error_response(
            request.scope,
            503,
            message=error.message,
            hint=error.hint,
            headers=retry,
            json_wanted=not wants_page(request),
        )

    # Forwarding

    async def _access(self, connection: HTTPConnection, target: ServerTarget) -> ServerAccess | LightboardError:
        credentials = server_credentials(connection)
        cached = self._jobs.authorizer.cached(credentials, target.id)
        access = cached.value if cached else await self._load_access(credentials, target.id)
        if isinstance(access, ServerAccess) and target.kind not in (None, access.job.kind):
            return NotFound(f"{access.job.name} is a {access.job.kind}, which has another address")
        return access

    async def _load_access(self, credentials: VisitorCredentials, id: str) -> ServerAccess | LightboardError:
        return await self._runtime.pool.call(self._jobs.authorizer.authorize, credentials, id)

    async def _recheck(self, connection: HTTPConnection, id: str) -> float | bool | None:
        """Until when a connection may continue, or False if access was lost."""
        access = await self._load_access(server_credentials(connection), id)
        return False if isinstance(access, LightboardError) else access.identity.expires_at

    @asynccontextmanager
    async def _server(self, connection: HTTPConnection, access: ServerAccess) -> AsyncIterator[Proxy]:
        """Connections to a server. Raises TimeoutError if access ends, LaunchError if the server is gone."""
        self._runtime.activity.record_identity(access.identity, self._runtime.clock())
        recheck = partial(self._recheck, connection, access.job.id)
        async with (
            self._runtime.change_notifier.guard(access.identity.expires_at, recheck),
            self._connections.use(access.job) as proxy,
        ):
            yield proxy

    def _address(self, connection: HTTPConnection, target: ServerTarget, job: Job) -> tuple[Address, str]:
        """Where a server is, and what it is asked for."""
        query = query_of(connection)
        if job.kind is JobKind.NOTEBOOK:
            token = self._jobs.notebooks.token(job)
            headers = {"authorization": f"token {token}"}
            return Address(base_url=BASE_URL, headers=headers), target.base + target.path + query
        headers = forwarded_headers(connection, base_url(self._settings, connection), target.base)
        return Address(base_url=BASE_URL, headers=headers), target.path + query

    async def _forward(self, request: Request, target: ServerTarget, access: ServerAccess, send: Send) -> None:
        address, path = self._address(request, target, access.job)
        if request.method not in SAFE_METHODS:
            self._jobs.idleness.record_use(access.job)
        if access.job.kind is JobKind.JOB:
            send = ServedPage(request, target.base, send).send
        try:
            async with self._server(request, access) as proxy:
                await proxy.forward(request.scope, request.receive, send, address=address, path=path, extra={})
        except TimeoutError:
            raise ResponseCut(f"access to the {access.job.kind} has ended") from None
        except LaunchError as error:
            await self._not_reached(request, access.job, error)(request.scope, request.receive, send)

    async def _forward_websocket(
        self,
        connection: HTTPConnection,
        target: ServerTarget,
        access: ServerAccess | LightboardError,
        receive: Receive,
        send: Send,
    ) -> None:
        scope, code = connection.scope, POLICY_VIOLATION
        try:
            if (
                is_own_page(self._settings, connection)
                and isinstance(access, ServerAccess)
                and access.job.status is JobStatus.RUNNING
            ):
                address, path = self._address(connection, target, access.job)
                async with self._server(connection, access) as proxy:
                    await proxy.forward_websocket(scope, receive, send, address=address, path=path)
                    return
        except TimeoutError:  # access has ended
            pass
        except LaunchError:
            code = TRY_AGAIN
        await WebSocketClose(code)(scope, receive, send)
