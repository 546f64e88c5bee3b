"""Boards at subdomains `<name>--<owner>.<domain>`, and servers in jobs at `<id>.<domain>`, if there is a domain.

The login cookie of the console is not sent to a subdomain. A redirect through the console, which knows the login, sets
a cookie for the one board or server instead. So the page of one cannot use the cookie of another, nor the console.

Names are easy to guess, so responses must not reveal which of them exist: unauthorized visitors get the same response,
after the same steps, for a board they may not see and for one that does not exist.
"""

import hashlib
from functools import partial
from urllib.parse import quote, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from lightboard.asgi.hosts import host_name
from lightboard.config import HubSettings
from lightboard.errors import LightboardError
from lightboard.hub.api.board_proxy import BoardProxy, Target, board_error_response
from lightboard.hub.api.error_pages import ON_SUBDOMAIN_KEY, error_page
from lightboard.hub.api.expiring_cache import ExpiringCache
from lightboard.hub.api.raw_paths import has_path_traversal, raw_path_of
from lightboard.hub.api.redirects import uncached_redirect
from lightboard.hub.api.request_context import ContextDep, RequestContext
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.server_access import server_credentials
from lightboard.hub.api.server_proxy import ServerProxy, ServerTarget
from lightboard.hub.api.services import Auth, AuthDep, BoardsDep, JobsDep, Runtime, SettingsDep
from lightboard.hub.api.urls import local_path
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.db.engine import Session
from lightboard.hub.resources.ids import ALPHABET, LENGTH, is_id
from lightboard.hub.resources.jobs import PREFIX as JOB
from lightboard.hub.resources.names import is_name
from lightboard.hub.resources.tensorboards import PREFIX

ENTER_PATH = "/api/v1/enter/"
"""At the console: redirects a logged-in user to a subdomain with a signed token."""
ARRIVE_PATH = "/.lightboard/arrive"
"""At a subdomain: exchanges the signed token for a cookie."""
PURPOSE = "enter"
TICKET_SECS = 60.0
COOKIE_SECS = 12 * 3_600.0
CACHE_SECS = 1.0
MAX_KEPT = 10_000

routes = Routes("hosts")


@routes.get(f"{ENTER_PATH}{{label}}", right=OPEN, include_in_schema=False)
def enter(
    context: ContextDep,
    settings: SettingsDep,
    auth: AuthDep,
    boards: BoardsDep,
    jobs: JobsDep,
    label: str,
    next: str = "/",
) -> Response:
    """Redirect a logged-in user to the subdomain of a board, by its label or id, or of a server in a job, by its id."""
    request = context.request
    if context.identity is None or not context.identity.csrf:
        back = f"{settings.path_prefix}{ENTER_PATH}{quote(label, safe='')}?{urlencode({'next': next})}"
        return uncached_redirect(f"{settings.path_prefix}/login?{urlencode({'next': back})}")
    if is_id(label, JOB):
        server = jobs.authorizer.authorize(server_credentials(request), label)
        if isinstance(server, LightboardError):
            return board_error_response(request, settings, server, label)
        url = context.server_url(server.job)
        if not settings.domain:
            return uncached_redirect(url, 303)
        return redirect_with_ticket(context, auth, label, url, next)
    with context.read() as session:
        id = label if is_id(label, PREFIX) else find(session, label)
    access = boards.authorizer.authorize(VisitorCredentials.of(request), id)
    if isinstance(access, LightboardError):
        return board_error_response(request, settings, access, label)
    if not settings.domain:
        return error_page(request, settings, error_status=404, message="this hub has no subdomains for boards")
    with context.read() as session:
        owner = accounts.names(session, {access.board.owner}).get(access.board.owner, "")
    return redirect_with_ticket(context, auth, access.board.id, context.board_url(access.board, owner), next)


def redirect_with_ticket(context: RequestContext, auth: Auth, id: str, url: str, next: str) -> Response:
    """Redirects a logged-in user to the host of a board or server, which `url` leads to."""
    assert context.identity is not None
    payload = {"ref": context.identity.digest, "board": id, "next": local_path(next, "")}
    ticket = auth.token_signer.issue(PURPOSE, payload, context.at + TICKET_SECS)
    return uncached_redirect(f"{url.rstrip('/')}{ARRIVE_PATH}?{urlencode({'ticket': ticket})}", 303)


def subdomain_of(scope: Scope, settings: HubSettings) -> str:
    """`<name>--<owner>` if the request is for the subdomain of a board, "" for the console."""
    domain = settings.domain
    if not domain:
        return ""
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    name = host_name(host)
    if name == urlsplit(settings.public_url).hostname:
        return ""  # the console may be below the same domain
    return name.removesuffix(f".{domain}") if name.endswith(f".{domain}") else ""


class SubdomainRouter:
    """The ASGI application for all subdomains."""

    def __init__(
        self,
        board_proxy: BoardProxy,
        server_proxy: ServerProxy,
        settings: HubSettings,
        auth: Auth,
        runtime: Runtime,
    ) -> None:
        self._board_proxy = board_proxy
        self._server_proxy = server_proxy
        self._settings = settings
        self._auth = auth
        self._runtime = runtime
        self._ids = ExpiringCache[str, str](CACHE_SECS, MAX_KEPT)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request, or a WebSocket of a server."""
        scope[ON_SUBDOMAIN_KEY] = True
        raw = raw_path_of(scope)
        host = subdomain_of(scope, self._settings)
        is_server = is_id(host, JOB)
        if scope["type"] == "websocket" and (has_path_traversal(raw) or not is_server):
            await WebSocketClose()(scope, receive, send)
        elif is_server and not has_path_traversal(raw) and scope["path"] != ARRIVE_PATH:
            login_url = f"{self._settings.public_url}{ENTER_PATH}{host}"
            target = ServerTarget(host, None, "", raw, self._settings.public_url, login_url)
            await self._server_proxy.respond(scope, receive, send, target)
        else:
            await self._respond(Request(scope, receive), host, raw, send)

    async def _respond(self, request: Request, host: str, raw: str, send: Send) -> None:
        """Handles a request for a board, or one with a ticket."""
        scope, receive = request.scope, request.receive
        if has_path_traversal(raw):
            response = error_page(request, self._settings, error_status=404, message="there is no such address")
            await response(scope, receive, send)
            return
        label = label_of(host)
        id = host if is_id(host, JOB) else await self._id_of(label)
        if scope["path"] == ARRIVE_PATH:
            await self._accept_ticket(request, id)(scope, receive, send)
        else:
            login_url = f"{self._settings.public_url}{ENTER_PATH}{label}"
            await self._board_proxy.respond(request, Target(id, raw, "/", login_url, label=label), send)

    async def _id_of(self, label: str) -> str:
        """The id of the board with this label, or a decoy id. Cached for a second."""
        cached = self._ids.get(label)
        return (
            cached.value if cached else await self._runtime.pool.call(self._ids.load, label, partial(self._find, label))
        )

    def _find(self, label: str) -> str:
        with self._runtime.database.read() as session:
            return find(session, label)

    def _accept_ticket(self, request: Request, id: str) -> Response:
        """Exchanges the signed token of the console for the cookie of this subdomain."""
        payload = self._auth.token_signer.read(PURPOSE, request.query_params.get("ticket", "")) or {}
        if payload.get("board") != id:
            message = "this link is invalid or has expired"
            return error_page(request, self._settings, error_status=404, message=message)
        response = uncached_redirect(local_path(str(payload["next"]), ""), 303)
        cookie = {"by": "login", "ref": payload["ref"], "board": id}
        self._auth.cookies.set_admission(response, request, cookie, until=self._runtime.clock() + COOKIE_SECS, path="/")
        return response


NO_LABEL = "none"
"""Replaces labels that no board can have."""


def label_of(host: str) -> str:
    """The label of a host if a board can have it, else NO_LABEL. Bounds its length and its characters."""
    name, _, owner = host.partition("--")
    return host if is_name(name) and is_name(owner) else NO_LABEL


def find(session: Session, label: str) -> str:
    """The id of the board with this label, or a decoy id if there is none."""
    name, _, owner = label.partition("--")
    board = tensorboards.get_named_unchecked(session, name, owner)
    return board.id if board else decoy_id(label)


def decoy_id(label: str) -> str:
    """An id that no board has, so that requests for missing boards take the same steps as for hidden ones.

    Each label has its own id, so that cached results of one label reveal nothing about another.
    """
    digest = hashlib.sha256(label.encode()).digest()
    return f"{PREFIX}-z" + "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[: LENGTH - 1])
