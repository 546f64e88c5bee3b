"""The reverse proxy for boards: checks access to `/tb/<id>/...` and forwards requests to the worker of the board.

The routes of the board itself are not known here. For a board that is not running, browsers get a page of the console
and programs get 503 with Retry-After.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qsl, quote, unquote_to_bytes, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.asgi.event_stream import Ending
from lightboard.errors import LaunchError, LightboardError, NotFound, Unauthenticated
from lightboard.hub.api.board_access import LOG_IN, BoardAccess, BoardCredentials
from lightboard.hub.api.cookies import set_board_cookie
from lightboard.hub.api.hub import Hub, hub_of
from lightboard.hub.api.identity import Secret
from lightboard.hub.api.pages import page, wants_page
from lightboard.hub.api.proxy import AnswerCut, ascii_path
from lightboard.hub.api.request_context import record_use
from lightboard.hub.db import audit
from lightboard.hub.launchers.base import CLIENT_HEADER, ROLE_HEADER
from lightboard.hub.resources.ids import is_id
from lightboard.hub.resources.tensorboards import PREFIX, Status

ROOT = "/tb/"
ON_SUBDOMAIN_KEY = "lightboard.own_host"
"""Scope key: the request is for the subdomain of a board, where the assets of the console are not served."""
POLL_HEADER = "x-lightboard-poll"
TOKEN_SECS = 12 * 3_600.0
"""The lifetime of the cookie that a `?token=` is exchanged for."""
AUDIT_INTERVAL_SECS = 600.0
"""Repeated openings of a board by the same visitor within this time are audited once."""
MOST_REMEMBERED = 10_000
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

    def __init__(self) -> None:
        self._opened: OrderedDict[tuple[str, str], float] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        request = Request(scope, receive)
        hub = hub_of(request)
        target = target_of(scope, hub.settings.path_prefix)
        if target is None:
            await error_page(request, hub, error_status=404, message="there is no such address")(scope, receive, send)
            return
        await self.respond(request, hub, target, send)

    async def respond(self, request: Request, hub: Hub, target: Target, send: Send) -> None:
        """Sends the response to a request for `target`."""
        answer = await self.respond_or_authorize(request, hub, target)
        if isinstance(answer, Response):
            await answer(request.scope, request.receive, send)
            return
        await self.forward(request, hub, target, answer, send)

    async def respond_or_authorize(self, request: Request, hub: Hub, target: Target) -> BoardAccess | Response:
        """A response to send as it is, or the access with which the request is to be forwarded."""
        if not target.path:
            return RedirectResponse(quote(target.base_path), 308)
        if target.path == "/" and request.method == "GET" and "token" in request.query_params:
            return await exchange_token(request, hub, target)
        visitor = BoardCredentials.of(request)
        answer = hub.board_authorizer.cached(visitor, target.id)
        if answer is None:
            answer = await hub.pool.call(hub.board_authorizer.authorize, visitor, target.id)
        if isinstance(answer, LightboardError):
            return denied_response(request, hub, target, answer)
        if answer.board.status is not Status.RUNNING:
            return not_running_response(request, hub, target, answer)
        return answer

    async def forward(self, request: Request, hub: Hub, target: Target, access: BoardAccess, send: Send) -> None:
        """Forwards the request to the worker, and ends the response if access ends."""
        board = access.board
        if access.identity:
            record_use(hub, access.identity)
        if is_human_activity(request):
            hub.activity.board(board.id, hub.clock())
        if target.path == "/" and wants_page(request) and self.is_new_opening(access):
            hub.pool.run(lambda: audit_opening(hub, request, access))
        path = f"{ROOT}{board.id}{target.path}{query_of(request)}"
        told = {ROLE_HEADER: "write" if access.writes else "read", CLIENT_HEADER: client_key_of(request, access)}
        ending = Ending(send)
        try:
            address = hub.launcher.address(board.executor_ref)
            async with hub.change_notifier.guard(access.until, partial(recheck_access, request, hub, access)) as limit:
                await hub.proxy.pass_on(
                    request.scope, request.receive, ending.send, address=address, path=path, extra=told
                )
        except TimeoutError:
            if not limit.expired():
                raise
            if not ending.begun:
                again = await self.respond_or_authorize(request, hub, target)
                answer = (
                    again if isinstance(again, Response) else error_page(request, hub, error_status=503, retry_secs=1)
                )
                await answer(request.scope, request.receive, send)
            elif not await ending.end():
                raise AnswerCut("access to the board has ended") from None
        except LaunchError:
            hub.wake()
            answer = error_page(
                request, hub, error_status=503, message="the board does not answer just now", retry_secs=1
            )
            await answer(request.scope, request.receive, send)

    def is_new_opening(self, access: BoardAccess) -> bool:
        """Whether this opening of the board has to be audited."""
        visitor = access.identity.who.account if access.identity else access.by
        key, now = (visitor, access.board.id), time.monotonic()
        last = self._opened.get(key)
        if last is not None and now - last < AUDIT_INTERVAL_SECS:
            return False
        self._opened[key] = now
        while len(self._opened) > MOST_REMEMBERED:
            self._opened.popitem(last=False)
        return True


async def recheck_access(request: Request, hub: Hub, access: BoardAccess) -> float | bool | None:
    """Until when a response in progress may continue, or False if access was lost or reduced."""
    now = await hub.pool.call(hub.board_authorizer.authorize, BoardCredentials.of(request), access.board.id)
    if isinstance(now, LightboardError) or (access.writes and not now.writes):
        return False
    return now.until


def client_key_of(request: Request, access: BoardAccess) -> str:
    """The key for fair queueing: the account, or the address of a guest."""
    if access.identity:
        return f"account:{access.identity.who.account}"
    return f"guest:{request.client.host if request.client else ''}"


def target_of(scope: Scope, prefix: str) -> Target | None:
    """The target of a request; None for an invalid path, including any form of path traversal."""
    raw = ascii_path(scope.get("raw_path") or scope["path"].encode()).removeprefix(ROOT)
    id, slash, below = raw.partition("/")
    if not is_id(id, PREFIX) or has_path_traversal(below):
        return None
    return Target(id, slash + below, f"{prefix}{ROOT}{id}/", f"{prefix}/login", label=id)


def has_path_traversal(path: str) -> bool:
    """Whether a raw path contains `.` or `..` segments, backslashes or NUL, percent-encoded or not."""
    plain = unquote_to_bytes(path)
    odd = b"\0" in plain or b"\\" in plain
    return odd or any(part in (b".", b"..") for part in plain.split(b"/"))


async def exchange_token(request: Request, hub: Hub, target: Target) -> Response:
    """Exchanges a token in the URL for a cookie of this board and redirects to the URL without it.

    Only for tokens that open the board: the cookie contains the id of the board, which not everybody may know.
    """
    pairs = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    token = next(value for name, value in pairs if name == "token")
    left = urlencode([(name, value) for name, value in pairs if name != "token"])
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    answer = RedirectResponse(quote(target.base_path) + (f"?{left}" if left else ""), 303, headers)
    found = await hub.pool.call(hub.board_authorizer.authorize, BoardCredentials(Secret(token, True), ""), target.id)
    if isinstance(found, BoardAccess) and found.identity:
        holds = {"by": "token", "ref": found.identity.digest, "board": target.id}
        set_board_cookie(answer, request, hub, holds, until=hub.clock() + TOKEN_SECS, path=target.base_path)
    return answer


def denied_response(request: Request, hub: Hub, target: Target, error: LightboardError) -> Response:
    """The response if access is denied. Browsers at the subdomain of a board are redirected to the console."""
    elsewhere = isinstance(error, Unauthenticated) or (ON_SUBDOMAIN_KEY in request.scope and error.status in (403, 404))
    if elsewhere and wants_page(request):
        there = target.base_path.rstrip("/") + target.path + query_of(request)
        return RedirectResponse(f"{target.login_url}?{urlencode({'next': there})}", 302, NO_STORE)
    return board_error_response(request, hub, error, target.label)


NO_STORE = {"cache-control": "no-store"}


def query_of(request: Request) -> str:
    """The raw query string with its question mark, "" without one."""
    query = request.scope["query_string"].decode("latin-1")
    return f"?{query}" if query else ""


def board_error_response(request: Request, hub: Hub, error: LightboardError, shown: str) -> Response:
    """The error for a board that was requested as `shown`. It is the same for missing and for hidden boards."""
    message = f"there is no TensorBoard {shown}" if isinstance(error, NotFound) else error.message
    return error_page(request, hub, error_status=error.status, code=error.code, message=message, hint=error.hint)


def not_running_response(request: Request, hub: Hub, target: Target, access: BoardAccess) -> Response:
    """The response for a board that is not running. Browsers get the page of the console with its status."""
    board = access.board
    if board.status in (Status.DELETED, Status.DELETING):
        return error_page(request, hub, error_status=410, message="this TensorBoard was deleted; its logs were kept")
    if wants_page(request) and ON_SUBDOMAIN_KEY in request.scope:
        there = f"{hub.settings.public_url}{ROOT}{board.id}{target.path}{query_of(request)}"
        return RedirectResponse(there, 302, NO_STORE)
    if wants_page(request):
        return page(hub)
    retry = RETRY_SECS.get(board.status)
    says = f"this TensorBoard is {board.status.value}" + (f": {board.reason}" if board.reason else "")
    hint = "" if retry else f"PUT {hub.settings.path_prefix}/api/v1/tensorboards/{board.id}/start starts it"
    return error_page(request, hub, error_status=503, message=says, hint=hint, retry_secs=retry or 30)


def error_page(
    request: Request,
    hub: Hub,
    *,
    error_status: int,
    code: str = "",
    message: str = "",
    hint: str = "",
    retry_secs: int | None = None,
) -> Response:
    """An error as a console page for browsers and as JSON for programs.

    At the subdomain of a board, browsers get one line of text, because the assets of the console are not served there.
    """
    headers = {"retry-after": str(retry_secs)} if retry_secs else {}
    if error_status == 401:
        headers["www-authenticate"] = "Bearer"
        hint = hint or LOG_IN
    if wants_page(request) and ON_SUBDOMAIN_KEY not in request.scope:
        return page(hub, error_status, headers)
    as_json = not wants_page(request)
    return error_response(
        request.scope, error_status, code=code, message=message, hint=hint, headers=headers, json_wanted=as_json
    )


def is_human_activity(request: Request) -> bool:
    """Whether a request shows that a person uses the board: a visible page, a page being opened, or a change.

    Hidden pages, streams, health checks, scrapers and scripts can continue for ever without anybody watching.
    """
    mark = request.headers.get(POLL_HEADER, "").strip().lower()
    if mark or "text/event-stream" in request.headers.get("accept", ""):
        return mark == "visible"
    return request.method in CHANGES or (request.method == "GET" and wants_page(request))


def audit_opening(hub: Hub, request: Request, access: BoardAccess) -> None:
    """Adds an audit event for opening a board."""
    board, who = access.board, access.principal
    address = request.client.host if request.client else ""
    with hub.database.write(address) as session:
        audit.add(
            session, who, "tensorboard.open", kind="tensorboard", target=board.id, project=board.project, at=hub.clock()
        )
