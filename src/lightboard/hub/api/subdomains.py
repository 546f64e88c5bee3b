"""Boards at subdomains `<name>--<owner>.<domain>`, if the hub is configured with a domain.

The login cookie of the console is not sent to a subdomain. A redirect through the console, which knows the login, sets
a cookie for the one board instead. So the page of one board cannot use the cookie of another.

Names are easy to guess, so responses must not reveal which of them exist: unauthorized visitors get the same response,
after the same steps, for a board they may not see and for one that does not exist.
"""

import hashlib
import time
from collections import OrderedDict
from urllib.parse import quote, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.hosts import host_name
from lightboard.errors import LightboardError
from lightboard.hub.api.board_access import BoardCredentials
from lightboard.hub.api.board_proxy import (
    ON_SUBDOMAIN_KEY,
    BoardProxy,
    Target,
    board_error_response,
    error_page,
    has_path_traversal,
)
from lightboard.hub.api.cookies import set_board_cookie
from lightboard.hub.api.hub import Hub, hub_of
from lightboard.hub.api.own_paths import own_path
from lightboard.hub.api.proxy import ascii_path
from lightboard.hub.api.request_context import ContextDep
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.resources.ids import ALPHABET, LENGTH, is_id
from lightboard.hub.resources.names import is_name
from lightboard.hub.resources.tensorboards import PREFIX

ENTER_PATH = "/api/v1/enter/"
"""At the console: redirects a logged-in user to the subdomain of a board with a signed token."""
ARRIVE_PATH = "/.lightboard/arrive"
"""At the subdomain of a board: exchanges the signed token for a cookie."""
PURPOSE = "enter"
TICKET_SECS = 60.0
COOKIE_SECS = 12 * 3_600.0
CACHE_SECS = 1.0
MOST_KEPT = 10_000

routes = Routes("hosts")


@routes.get(f"{ENTER_PATH}{{label}}", right=OPEN, include_in_schema=False)
def enter(context: ContextDep, label: str, next: str = "/") -> Response:
    """Go to the host of a board, by its label or its id, taking along that one is logged in."""
    hub, request = context.hub, context.request
    if context.identity is None or not context.identity.csrf:
        back = f"{hub.settings.path_prefix}{ENTER_PATH}{quote(label, safe='')}?{urlencode({'next': next})}"
        return RedirectResponse(f"{hub.settings.path_prefix}/login?{urlencode({'next': back})}", 302, NO_STORE)
    found = hub.board_authorizer.authorize(
        BoardCredentials.of(request), label if is_id(label, PREFIX) else find(hub, label)
    )
    if isinstance(found, LightboardError):
        return board_error_response(request, hub, found, label)
    if not hub.settings.domain:
        return error_page(request, hub, error_status=404, message="this hub has no names for boards")
    with context.read() as session:
        owner = accounts.names(session, {found.board.owner}).get(found.board.owner, "")
    holds = {"ref": context.identity.digest, "board": found.board.id, "next": own_path(next, "")}
    ticket = hub.token_signer.issue(PURPOSE, holds, context.at + TICKET_SECS)
    there = context.board_url(found.board, owner).rstrip("/")
    return RedirectResponse(f"{there}{ARRIVE_PATH}?{urlencode({'ticket': ticket})}", 303, NO_STORE)


NO_STORE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


def subdomain_of(scope: Scope, hub: Hub) -> str:
    """`<name>--<owner>` if the request is for the subdomain of a board, "" for the console."""
    domain = hub.settings.domain
    if not domain:
        return ""
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    name = host_name(host)
    if name == urlsplit(hub.settings.public_url).hostname:
        return ""  # the console may be below the same domain
    return name.removesuffix(f".{domain}") if name.endswith(f".{domain}") else ""


class SubdomainRouter:
    """The ASGI application for all subdomains of boards."""

    def __init__(self, board_proxy: BoardProxy) -> None:
        self.board_proxy = board_proxy
        self._ids: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        scope[ON_SUBDOMAIN_KEY] = True
        request = Request(scope, receive)
        hub = hub_of(request)
        raw = ascii_path(scope.get("raw_path") or scope["path"].encode())
        if has_path_traversal(raw):
            answer = error_page(request, hub, error_status=404, message="there is no such address")
            await answer(scope, receive, send)
            return
        label = label_of(subdomain_of(scope, hub))
        id = await self.id_of(hub, label)
        if scope["path"] == ARRIVE_PATH:
            await accept_ticket(request, hub, id)(scope, receive, send)
        else:
            await self.board_proxy.respond(request, hub, Target(id, raw, "/", enter_url(hub, label), label=label), send)

    async def id_of(self, hub: Hub, label: str) -> str:
        """The id of the board with this label, or a decoy id. Cached for a second."""
        kept = self._ids.get(label)
        if kept is None or time.monotonic() - kept[0] > CACHE_SECS:
            kept = self._ids[label] = time.monotonic(), await hub.pool.call(find, hub, label)
            while len(self._ids) > MOST_KEPT:
                self._ids.popitem(last=False)
        return kept[1]


NO_LABEL = "none"
"""Replaces labels that no board can have."""


def label_of(host: str) -> str:
    """The label of a host if a board can have it, else NO_LABEL. Bounds its length and its characters."""
    name, _, owner = host.partition("--")
    return host if is_name(name) and is_name(owner) else NO_LABEL


def find(hub: Hub, label: str) -> str:
    """The id of the board with this label, or a decoy id if there is none."""
    name, _, owner = label.partition("--")
    with hub.database.read() as session:
        board = tensorboards.peek_named(session, name, owner)
    return board.id if board else decoy_id(label)


def decoy_id(label: str) -> str:
    """An id that no board has, so that requests for missing boards take the same steps as for hidden ones.

    Each label has its own id, so that cached results of one label reveal nothing about another.
    """
    digest = hashlib.sha256(label.encode()).digest()
    return f"{PREFIX}-z" + "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[: LENGTH - 1])


def enter_url(hub: Hub, label: str) -> str:
    """Where unauthorized visitors of a subdomain are redirected."""
    return f"{hub.settings.public_url}{ENTER_PATH}{label}"


def accept_ticket(request: Request, hub: Hub, id: str) -> Response:
    """Exchanges the signed token of the console for the cookie of this subdomain."""
    held = hub.token_signer.read(PURPOSE, request.query_params.get("ticket", "")) or {}
    if held.get("board") != id:
        return error_page(request, hub, error_status=404, message="this way in was not made here, or too long ago")
    answer = RedirectResponse(own_path(str(held["next"]), ""), 303, NO_STORE)
    holds = {"by": "login", "ref": held["ref"], "board": id}
    set_board_cookie(answer, request, hub, holds, until=hub.clock() + COOKIE_SECS, path="/")
    return answer
