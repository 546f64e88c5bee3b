"""The ASGI application of the hub. Creating it starts nothing."""

import json
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from lightboard import __version__
from lightboard.asgi.body_limit import BodyLimit
from lightboard.asgi.errors import HANDLERS, error_response, is_api, on_http
from lightboard.asgi.guard import Guard
from lightboard.asgi.hosts import AllowedHosts
from lightboard.asgi.params import MAX_NAME_CHARS
from lightboard.config import HubSettings
from lightboard.hub.api import (
    accounts,
    analysis,
    audit,
    bindings,
    datasets,
    dce_jobs,
    events_route,
    folders,
    health,
    images,
    invitations,
    job_logs,
    job_metrics,
    job_tensorboards,
    job_usage,
    jobs,
    lineage,
    locations,
    notebooks,
    oidc,
    permissions,
    project_secrets,
    projects,
    queue,
    recover,
    sessions,
    shares,
    source_code,
    sources,
    subdomains,
    tensorboards,
    tokens,
)
from lightboard.hub.api.board_proxy import ROOT, BoardProxy
from lightboard.hub.api.docs_site import DocsSite, is_docs
from lightboard.hub.api.job_exec import ROUTE as EXEC_ROUTE
from lightboard.hub.api.job_exec import JobExec, is_exec
from lightboard.hub.api.middleware import ROUTE_KEY, RequestMiddleware
from lightboard.hub.api.pages import CONTENT_POLICY, assets, is_page, page, wants_page
from lightboard.hub.api.port_connections import PortConnections
from lightboard.hub.api.port_forward import ROUTE as FORWARD_ROUTE
from lightboard.hub.api.port_forward import PortForward, is_port_forward
from lightboard.hub.api.request_context import ContextDep
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.server_proxy import ServerProxy
from lightboard.hub.api.services import HUB_KEY, Hub, settings_of
from lightboard.hub.api.subdomains import SubdomainRouter, subdomain_of
from lightboard.hub.api.worker_prestart import WorkerPrestart
from lightboard.hub.resources.jobs import SERVER_PATHS
from lightboard.hub.source_tar import MAX_TAR_BYTES

MAX_BYTES = 1024 * 1024
"""The maximum size of a request body."""
LARGER = {source_code.PATH: MAX_TAR_BYTES}
MAX_FIELDS = 5_000
"""The maximum number of fields in a request body. A TensorBoard with 64 sources and 64 labels has about 500."""

OURS = (
    sessions,
    recover,
    oidc,
    accounts,
    permissions,
    tokens,
    projects,
    bindings,
    project_secrets,
    invitations,
    datasets,
    dce_jobs,
    job_logs,
    job_metrics,
    job_usage,
    job_tensorboards,
    jobs,
    notebooks,
    queue,
    source_code,
    lineage,
    tensorboards,
    sources,
    shares,
    events_route,
    audit,
    images,
    locations,
    folders,
    analysis,
    subdomains,
    health,
)

routes = Routes("document")


@routes.get("/api/v1/openapi.json", right=OPEN)
def document(context: ContextDep) -> Response:
    """This document."""
    return Response(json.dumps(openapi(context.request.app)), media_type="application/json")


def create_app(hub: Hub, hosts: AllowedHosts) -> ASGIApp:
    """The complete application of a hub, with its middleware."""
    router = Guard(PathRouter(hub), hosts, CONTENT_POLICY)
    return RequestMiddleware(router, hub.settings, hub.monitoring, hub.runtime.clock)


@cache
def create_api() -> FastAPI:
    """The FastAPI application for the API. It is shared by all hubs of a process; each request carries its hub."""
    api = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, title="Lightboard hub")
    for each in OURS:
        each.routes.attach(api)
    routes.attach(api)
    for kind, handler in {**HANDLERS, HTTPException: on_http_error, RequestValidationError: on_invalid}.items():
        api.add_exception_handler(kind, handler)
    return api


@cache
def openapi(api: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the required right of every operation."""
    return get_openapi(
        title="Lightboard hub",
        version=__version__,
        description="TensorBoards as a service. All addresses are below the path prefix of the hub.",
        routes=api.routes,
    )


async def on_http_error(request: Request, exc: Exception) -> Response:
    """The usual error response; for an unknown path, browsers get a page of the console."""
    assert isinstance(exc, HTTPException)
    if exc.status_code == 404 and wants_page(request) and not is_api(request.scope["path"]):
        return page(await settings_of(request), 404)
    return await on_http(request, exc)


async def on_invalid(request: Request, exc: Exception) -> Response:
    """The response to an invalid body or query, with the first error."""
    assert isinstance(exc, RequestValidationError)
    first = exc.errors()[0]
    if first["type"] == "json_invalid":
        return error_response(request.scope, 400, message="the body is not valid JSON", json_wanted=True)
    place = ".".join(str(part)[:MAX_NAME_CHARS] for part in first["loc"] if part not in ("body", "query"))
    message = f"{place}: {first['msg']}" if place else str(first["msg"])
    hint = "see /api/v1/openapi.json"
    return error_response(request.scope, 422, code="invalid", message=message, hint=hint, json_wanted=True)


class PathRouter:
    """Routes a request by host and path to a board, a server in a job, a page, the docs, an asset, or the API."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.api = BodyLimit(create_api(), MAX_BYTES, LARGER, most_fields=MAX_FIELDS)
        board_proxy = BoardProxy(hub.settings, hub.auth.cookies, hub.boards, hub.runtime)
        ports = PortConnections(hub.jobs.runner, hub.runtime.pool)
        server_proxy = ServerProxy(hub.settings, hub.jobs, hub.runtime, ports)
        self.job_exec = JobExec(hub.settings, hub.auth, hub.jobs, hub.runtime)
        self.port_forward = PortForward(hub.settings, hub.auth, hub.jobs, hub.runtime, ports)
        subdomains = SubdomainRouter(board_proxy, server_proxy, hub.settings, hub.auth, hub.runtime)
        self.server_proxy = ExceptionMiddleware(server_proxy, handlers=EXCEPTION_HANDLERS)
        self.board_proxy = ExceptionMiddleware(board_proxy, handlers=EXCEPTION_HANDLERS)
        self.subdomains = ExceptionMiddleware(subdomains, handlers=EXCEPTION_HANDLERS)
        self.assets = ExceptionMiddleware(assets(hub.runtime.pool), handlers=EXCEPTION_HANDLERS)
        self.worker_prestart = WorkerPrestart(hub.boards.launcher, hub.runtime.pool)
        docs = DocsSite(hub.runtime.pool, hub.settings.path_prefix)
        self.docs = ExceptionMiddleware(docs, handlers=EXCEPTION_HANDLERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket. Only servers, commands and ports of jobs have WebSockets."""
        path = scope["path"]
        if subdomain_of(scope, self.hub.settings):
            scope[ROUTE_KEY] = f"{ROOT}{{id}}"
            await self.subdomains(scope, receive, send)
        elif path.startswith(tuple(SERVER_PATHS.values())):
            scope[ROUTE_KEY] = f"/{path.split('/')[1]}/{{id}}"
            await self.server_proxy(scope, receive, send)
        elif scope["type"] == "websocket" and is_exec(path):
            scope[ROUTE_KEY] = EXEC_ROUTE
            await self.job_exec(scope, receive, send)
        elif scope["type"] == "websocket" and is_port_forward(path):
            scope[ROUTE_KEY] = FORWARD_ROUTE
            await self.port_forward(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        elif path.startswith(ROOT):
            scope[ROUTE_KEY] = f"{ROOT}{{id}}"
            await self.board_proxy(scope, receive, send)
        elif is_page(path):
            scope[ROUTE_KEY] = "page"
            self.worker_prestart.request()
            await console_response(scope, self.hub.settings)(scope, receive, send)
        elif is_docs(path):
            scope[ROUTE_KEY] = "docs"
            await self.docs(scope, receive, send)
        elif path.startswith("/assets/") or path in FILES:
            scope[ROUTE_KEY] = "file"
            await self.assets(scope, receive, send)
        else:
            scope[HUB_KEY] = self.hub
            await self.api(scope, receive, send)


FILES = frozenset({"/boot.js", "/favicon.ico", "/index.html", "/licenses.txt"})
EXCEPTION_HANDLERS = {kind: handler for kind, handler in HANDLERS.items() if kind is not Exception}


def console_response(scope: Scope, settings: HubSettings) -> Response:
    """A page of the console. Only GET and HEAD are allowed; a trailing slash is redirected."""
    request = Request(scope)
    if request.method not in ("GET", "HEAD"):
        return error_response(scope, 405, headers={"Allow": "GET, HEAD"})
    path = scope["path"]
    if path != "/" and path.endswith("/"):
        return RedirectResponse(settings.path_prefix + path.rstrip("/"), 308)
    return page(settings)
