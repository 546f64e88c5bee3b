"""The reverse proxy for boards: checks access to `/tb/<id>/...` and forwards requests to the worker of the board.

The routes of the board itself are not known here. For a board that is not running, browsers get a page of the console
and programs get 503 with Retry-After.
"""

from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qsl, quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.event_stream import ClosableSend
from lightboard.config import HubSettings
from lightboard.errors import BadRequest, LaunchError, LightboardError, NotFound, Unauthenticated
from lightboard.hub.api.board_access import BoardAccess
from lightboard.hub.api.cookies import Cookies
from lightboard.hub.api.error_pages import ON_SUBDOMAIN_KEY, error_page
from lightboard.hub.api.identity import Secret
from lightboard.hub.api.lineage import run_lineage
from lightboard.hub.api.pages import page, wants_page
from lightboard.hub.api.proxy import ResponseCut
from lightboard.hub.api.raw_paths import has_path_traversal, query_of, raw_path_of
from lightboard.hub.api.recent_keys import RecentKeys
from lightboard.hub.api.redirects import uncached_redirect
from lightboard.hub.api.services import Boards, Runtime
from lightboard.hub.api.urls import base_url
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.db import audit
from lightboard.hub.launchers.base import CLIENT_HEADER, ROLE_HEADER
from lightboard.hub.resources.ids import is_id
from lightboard.hub.resources.tensorboards import PREFIX, Status

ROOT = "/tb/"
LINEAGE_PATH = "/.lightboard/lineage"
"""Below a board: the jobs that have made a run. It is answered here, since the worker knows no jobs, and at the address
of the board, since the page of a board at a subdomain cannot use the login at the console."""
POLL_HEADER = "x-lightboard-poll"
TOKEN_SECS = 12 * 3_600.0
"""The lifetime of the cookie that a `?token=` is exchanged for."""
AUDIT_INTERVAL_SECS = 600.0
"""Repeated openings of a board by the same visitor within this time are audited once."""
CHANGES = frozenset({"PATCH", "PUT", "DELETE"})
"""Methods that count as user activity. POST is not one: pages use it to query many series."""
RETRY_SECS = {Status.PENDING: 1, Status.CREATING: 1, Status.STOPPING: 2}


@dataclass(frozen=True)
class Target:
    """The board that a request is for, and `path`, the raw path below it with a leading slash."""

    id: str
    path: str
    base_path: str
    """The path of the board as the browser sees it, and the path of its cookie."""
    login_url: str
    """Where unauthenticated users are redirected."""
    label: str
    """The name of the board in error messages: as it was requested, so that errors reveal nothing else."""


class BoardProxy:
    """The ASGI application for everything below `/tb/`."""

    def __init__(self, settings: HubSettings, cookies: Cookies, boards: Boards, runtime: Runtime) -> None:
        self._settings = settings
        self._cookies = cookies
        self._boards = boards
        self._runtime = runtime
        self._opened = RecentKeys(AUDIT_INTERVAL_SECS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        request = Request(scope, receive)
        target = target_of(scope, self._settings.path_prefix)
        if target is None:
            response = error_page(request, self._settings, error_status=404, message="there is no such address")
            await response(scope, receive, send)
            return
        await self.respond(request, target, send)

    async def respond(self, request: Request, target: Target, send: Send) -> None:
        """Sends the response to a request for `target`."""
        result = await self._respond_or_authorize(request, target)
        if isinstance(result, Response):
            await result(request.scope, request.receive, send)
            return
        await self._forward(request, target, result, send)

    async def _respond_or_authorize(self, request: Request, target: Target) -> BoardAccess | Response:
        """A response to send as it is, or the access with which the request is to be forwarded."""
        if not target.path:
            return RedirectResponse(quote(target.base_path), 308)
        if target.path == "/" and request.method == "GET" and "token" in request.query_params:
            return await self._exchange_token(request, target)
        result = await self._authorize(VisitorCredentials.of(request), target.id)
        if isinstance(result, LightboardError):
            return denied_response(request, self._settings, target, result)
        if result.board.status is not Status.RUNNING:
            return not_running_response(request, self._settings, target, result)
        if target.path == LINEAGE_PATH:
            return await self._runtime.pool.call(self._lineage_response, request, target, result)
        return result

    async def _authorize(self, credentials: VisitorCredentials, id: str) -> BoardAccess | LightboardError:
        authorizer = self._boards.authorizer
        cached = authorizer.cached(credentials, id)
        if cached is not None:
            return cached.value
        return await self._runtime.pool.call(authorizer.authorize, credentials, id)

    def _lineage_response(self, request: Request, target: Target, access: BoardAccess) -> Response:
        """The jobs that have made the run in the query, of those that the visitor sees."""
        run = request.query_params.get("run", "")
        if request.method != "GET" or not run:
            error = BadRequest("the query names no run", hint=f"GET {LINEAGE_PATH}?run=NAME")
            return board_error_response(request, self._settings, error, target.label)
        principal = access.identity.principal if access.identity else None
        jobs_url = f"{base_url(self._settings, request)}/jobs/"
        with self._runtime.database.read() as session:
            found = run_lineage(session, self._boards.source_resolver, principal, access.board, run, jobs_url)
        return Response(found.model_dump_json(), 200, {"cache-control": "no-store"}, "application/json")

    async def _forward(self, request: Request, target: Target, access: BoardAccess, send: Send) -> None:
        """Forwards the request to the worker, and ends the response if access ends."""
        board, runtime = access.board, self._runtime
        if access.identity:
            runtime.activity.record_identity(access.identity, runtime.clock())
        if is_human_activity(request):
            runtime.activity.record_board(board.id, runtime.clock())
        if target.path == "/" and wants_page(request) and self._is_new_opening(access):
            runtime.pool.run(partial(self._audit_opening, request, access))
        path = f"{ROOT}{board.id}{target.path}{query_of(request)}"
        headers = {ROLE_HEADER: "write" if access.writes else "read", CLIENT_HEADER: client_key_of(request, access)}
        ending = ClosableSend(send)
        try:
            address = self._boards.launcher.address(board.executor_ref)
            async with runtime.change_notifier.guard(access.until, partial(self._recheck, request, access)) as limit:
                await self._boards.proxy.forward(
                    request.scope, request.receive, ending.send, address=address, path=path, extra=headers
                )
        except TimeoutError:
            if not limit.expired():
                raise
            if not ending.started:
                result = await self._respond_or_authorize(request, target)
                if not isinstance(result, Response):
                    result = error_page(request, self._settings, error_status=503, retry_secs=1)
                await result(request.scope, request.receive, send)
            elif not await ending.end():
                raise ResponseCut("access to the board has ended") from None
        except LaunchError:
            self._boards.wake()
            response = error_page(
                request,
                self._settings,
                error_status=503,
                message="the board does not respond at the moment",
                retry_secs=1,
            )
            await response(request.scope, request.receive, send)

    async def _recheck(self, request: Request, access: BoardAccess) -> float | bool | None:
        """Until when a response in progress may continue, or False if access was lost or reduced."""
        now = await self._runtime.pool.call(
            self._boards.authorizer.authorize, VisitorCredentials.of(request), access.board.id
        )
        if isinstance(now, LightboardError) or (access.writes and not now.writes):
            return False
        return now.until

    def _is_new_opening(self, access: BoardAccess) -> bool:
        """Whether this opening of the board has to be audited."""
        visitor = access.identity.principal.account if access.identity else access.by
        return self._opened.add((visitor, access.board.id))

    def _audit_opening(self, request: Request, access: BoardAccess) -> None:
        """Adds an audit event for opening a board."""
        board, at = access.board, self._runtime.clock()
        address = request.client.host if request.client else ""
        with self._runtime.database.write(address) as session:
            audit.add(
                session,
                access.principal,
                "tensorboard.open",
                kind="tensorboard",
                target=board.id,
                project=board.project,
                at=at,
            )

    async def _exchange_token(self, request: Request, target: Target) -> Response:
        """Exchanges a token in the URL for a cookie of this board and redirects to the URL without it.

        Only for tokens that open the board: the cookie contains the id of the board, which not everybody may know.
        """
        pairs = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = next(value for name, value in pairs if name == "token")
        query = urlencode([(name, value) for name, value in pairs if name != "token"])
        response = uncached_redirect(quote(target.base_path) + (f"?{query}" if query else ""), 303)
        credentials = VisitorCredentials(Secret(token, True), "")
        access = await self._runtime.pool.call(self._boards.authorizer.authorize, credentials, target.id)
        if isinstance(access, BoardAccess) and access.identity:
            payload = {"by": "token", "ref": access.identity.digest, "board": target.id}
            until = self._runtime.clock() + TOKEN_SECS
            self._cookies.set_admission(response, request, payload, until=until, path=target.base_path)
        return response


def client_key_of(request: Request, access: BoardAccess) -> str:
    """The key for fair queueing: the account, or the address of a guest."""
    if access.identity:
        return f"account:{access.identity.principal.account}"
    return f"guest:{request.client.host if request.client else ''}"


def target_of(scope: Scope, prefix: str) -> Target | None:
    """The target of a request; None for an invalid path, including any form of path traversal."""
    raw = raw_path_of(scope).removeprefix(ROOT)
    id, slash, below = raw.partition("/")
    if not is_id(id, PREFIX) or has_path_traversal(below):
        return None
    return Target(id, slash + below, f"{prefix}{ROOT}{id}/", f"{prefix}/login", label=id)


def denied_response(request: Request, settings: HubSettings, target: Target, error: LightboardError) -> Response:
    """The response if access is denied. Browsers at the subdomain of a board are redirected to the console."""
    redirects = isinstance(error, Unauthenticated) or (ON_SUBDOMAIN_KEY in request.scope and error.status in (403, 404))
    if redirects and wants_page(request):
        url = target.base_path.rstrip("/") + target.path + query_of(request)
        return uncached_redirect(f"{target.login_url}?{urlencode({'next': url})}")
    return board_error_response(request, settings, error, target.label)


def board_error_response(request: Request, settings: HubSettings, error: LightboardError, label: str) -> Response:
    """The error for a board that was requested as `label`. It is the same for missing and for hidden boards."""
    message = f"there is no TensorBoard {label}" if isinstance(error, NotFound) else error.message
    return error_page(request, settings, error_status=error.status, code=error.code, message=message, hint=error.hint)


def not_running_response(request: Request, settings: HubSettings, target: Target, access: BoardAccess) -> Response:
    """The response for a board that is not running. Browsers get the page of the console with its status."""
    board = access.board
    if board.status in (Status.DELETED, Status.DELETING):
        message = "this TensorBoard was deleted; its logs were kept"
        return error_page(request, settings, error_status=410, message=message)
    if wants_page(request) and ON_SUBDOMAIN_KEY in request.scope:
        url = f"{settings.public_url}{ROOT}{board.id}{target.path}{query_of(request)}"
        return uncached_redirect(url)
    if wants_page(request):
        return page(settings)
    retry = RETRY_SECS.get(board.status)
    message = f"this TensorBoard is {board.status.value}" + (f": {board.reason}" if board.reason else "")
    hint = "" if retry else f"PUT {settings.path_prefix}/api/v1/tensorboards/{board.id}/start starts it"
    return error_page(request, settings, error_status=503, message=message, hint=hint, retry_secs=retry or 30)


def is_human_activity(request: Request) -> bool:
    """Whether a request shows that a person uses the board: a visible page, a page being opened, or a change.

    Hidden pages, streams, health checks, scrapers and scripts can continue for ever without anybody watching.
    """
    mark = request.headers.get(POLL_HEADER, "").strip().lower()
    if mark or "text/event-stream" in request.headers.get("accept", ""):
        return mark == "visible"
    return request.method in CHANGES or (request.method == "GET" and wants_page(request))
