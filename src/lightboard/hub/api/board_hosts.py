"""Boards at host names of their own, `<name>--<owner>.<domain>`, where the hub was given a domain.

Such a host knows nothing of the login at the console: a cookie of its own is brought there by a redirect through the
console, which sees who is logged in. So the page of one board cannot use what opens another.
"""

import time
from collections import OrderedDict
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.hosts import host_name
from lightboard.hub.api.asking import Asked
from lightboard.hub.api.cookies import set_door
from lightboard.hub.api.front import FrontDoor, Way, climbs, refusal
from lightboard.hub.api.hub import Hub, hub_of
from lightboard.hub.api.own_paths import own_path
from lightboard.hub.api.proxy import ascii_path
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.resources.tensorboards import Tensorboard

ENTER = "/api/v1/enter/"
"""At the console: who is logged in there is sent on to the host of a board, with a ticket."""
ARRIVE = "/.lightboard/arrive"
"""At the host of a board: the ticket becomes a cookie."""
PURPOSE = "enter"
WAY_SECS = 60.0
DOOR_SECS = 12 * 3_600.0
BELIEVED_SECS = 1.0
MOST_KEPT = 10_000

routes = Routes("hosts")


@routes.get(f"{ENTER}{{id}}", right=OPEN, include_in_schema=False)
def enter(asked: Asked, id: str, next: str = "/") -> Response:
    """Go to the host of a board, taking along that one is logged in."""
    hub, request = asked.hub, asked.request
    if asked.identity is None or not asked.identity.csrf:
        back = f"{hub.settings.path_prefix}{ENTER}{id}?{urlencode({'next': next})}"
        return RedirectResponse(f"{hub.settings.path_prefix}/login?{urlencode({'next': back})}", 302, NOT_KEPT)
    with asked.read() as session:
        board = tensorboards.get(session, asked.who, id, "tensorboards.open")
        owner = accounts.names(session, {board.owner}).get(board.owner, "")
    if not hub.settings.domain:
        return refusal(request, hub, error_status=404, message="this hub has no names for boards")
    holds = {"ref": asked.identity.digest, "board": board.id, "next": own_path(next, "")}
    ticket = hub.tickets.issue(PURPOSE, holds, asked.at + WAY_SECS)
    there = asked.board_url(board, owner).rstrip("/")
    return RedirectResponse(f"{there}{ARRIVE}?{urlencode({'ticket': ticket})}", 303, NOT_KEPT)


NOT_KEPT = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


def board_host(scope: Scope, hub: Hub) -> str:
    """`<name>--<owner>` where the request is for the host of a board; "" for the console."""
    domain = hub.settings.domain
    if not domain:
        return ""
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    name = host_name(host)
    return name.removesuffix(f".{domain}") if name.endswith(f".{domain}") else ""


class HostDoor:
    """An ASGI application for everything at such a host."""

    def __init__(self, door: FrontDoor) -> None:
        self.door = door
        self._ids: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        request = Request(scope, receive)
        hub = hub_of(request)
        raw = ascii_path(scope.get("raw_path") or scope["path"].encode())
        id = await self.id_of(hub, board_host(scope, hub))
        if not id or climbs(raw):
            answer = refusal(request, hub, error_status=404, message="there is no such TensorBoard")
            await answer(scope, receive, send)
        elif scope["path"] == ARRIVE:
            await arrive(request, hub, id)(scope, receive, send)
        else:
            await self.door.answer(request, hub, Way(id, raw, "/", entrance(hub, id)), send)

    async def id_of(self, hub: Hub, label: str) -> str:
        """The id of the board at a host; "" where there is none."""
        kept = self._ids.get(label)
        if kept is None or time.monotonic() - kept[0] > BELIEVED_SECS:
            board = await hub.pool.call(find, hub, label)
            kept = self._ids[label] = time.monotonic(), board.id if board else ""
            while len(self._ids) > MOST_KEPT:
                self._ids.popitem(last=False)
        return kept[1]


def find(hub: Hub, label: str) -> Tensorboard | None:
    """The board that a host is called after."""
    name, dashes, owner = label.partition("--")
    if not dashes:
        return None
    with hub.database.read() as session:
        return tensorboards.peek_named(session, name, owner)


def entrance(hub: Hub, id: str) -> str:
    """Where somebody who is not known at the host of a board is sent."""
    return f"{hub.settings.public_url}{ENTER}{quote(id)}"


def arrive(request: Request, hub: Hub, id: str) -> Response:
    """The ticket of the console becomes the cookie of this host."""
    held = hub.tickets.read(PURPOSE, request.query_params.get("ticket", "")) or {}
    if held.get("board") != id:
        return refusal(request, hub, error_status=404, message="this way in was not made here, or too long ago")
    answer = RedirectResponse(own_path(str(held["next"]), ""), 303, NOT_KEPT)
    holds = {"by": "login", "ref": held["ref"], "board": id}
    set_door(answer, request, hub, holds, until=hub.clock() + DOOR_SECS, path="/")
    return answer
