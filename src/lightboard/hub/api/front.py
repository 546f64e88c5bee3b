"""The front door: `/tb/<id>/...`, behind which each board has all its addresses.

Of the board's own addresses nothing is known here: they are handed on as they came, once it is clear who asks. A board
that is not running is a page of the console for browsers, and 503 with a time to ask again for programs.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote_to_bytes, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.errors import LaunchError, LightboardError, Unauthenticated
from lightboard.hub.api.admission import LOG_IN, Admission, Visitor
from lightboard.hub.api.asking import note_use
from lightboard.hub.api.cookies import set_door
from lightboard.hub.api.hub import Hub, hub_of
from lightboard.hub.api.identity import Secret
from lightboard.hub.api.pages import page, wants_page
from lightboard.hub.api.proxy import ascii_path
from lightboard.hub.db import audit
from lightboard.hub.launchers.base import ROLE_HEADER
from lightboard.hub.resources.ids import is_id
from lightboard.hub.resources.tensorboards import PREFIX, Status

ROOT = "/tb/"
POLL = "x-lightboard-poll"
TOKEN_SECS = 12 * 3_600.0
"""So long opens the cookie that a `?token=` was exchanged for."""
OPENED_SECS = 600.0
"""Who opens the same board again within this time is not written down again."""
MOST_OPENED = 10_000
RETRY_SECS = {Status.PENDING: 1, Status.CREATING: 1, Status.STOPPING: 2}


@dataclass(frozen=True)
class Way:
    """Where a request goes: which board, and `rest`, the path below it, raw as it came and beginning with a slash."""

    id: str
    rest: str
    home: str
    """The path of the board as the browser sees it, which its cookie is for."""
    login: str
    """Where somebody who is not known is sent."""


class FrontDoor:
    """An ASGI application for everything below `/tb/`."""

    def __init__(self) -> None:
        self._opened: OrderedDict[tuple[str, str], float] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        request = Request(scope, receive)
        hub = hub_of(request)
        way = way_of(scope, hub.settings.path_prefix)
        if way is None:
            await refusal(request, hub, error_status=404, message="there is no such address")(scope, receive, send)
            return
        await self.answer(request, hub, way, send)

    async def answer(self, request: Request, hub: Hub, way: Way, send: Send) -> None:
        """Answers what goes this way."""
        answer = await self.before(request, hub, way)
        if isinstance(answer, Response):
            await answer(request.scope, request.receive, send)
            return
        await self.hand_on(request, hub, way, answer, send)

    async def before(self, request: Request, hub: Hub, way: Way) -> Admission | Response:
        """What is to be answered here; an Admission where the board itself answers."""
        if not way.rest:
            return RedirectResponse(quote(way.home), 308)
        if way.rest == "/" and request.method == "GET" and "token" in request.query_params:
            return await exchange(request, hub, way)
        visitor = Visitor.of(request)
        answer = hub.admissions.remembered(visitor, way.id)
        if answer is None:
            answer = await hub.pool.call(hub.admissions.decide, visitor, way.id)
        if isinstance(answer, LightboardError):
            return refused(request, hub, way, answer)
        if answer.board.status is not Status.RUNNING:
            return resting(request, hub, answer)
        return answer

    async def hand_on(self, request: Request, hub: Hub, way: Way, admission: Admission, send: Send) -> None:
        """The board answers."""
        board = admission.board
        if admission.identity:
            note_use(hub, admission.identity)
        if seen_by_somebody(request):
            hub.activity.board(board.id, hub.clock())
        if way.rest == "/" and wants_page(request) and self.is_news(admission):
            hub.pool.run(lambda: note_opened(hub, request, admission))
        query = request.scope["query_string"].decode("latin-1")
        path = f"{ROOT}{board.id}{way.rest}" + (f"?{query}" if query else "")
        role = "write" if admission.writes else "read"
        try:
            address = hub.launcher.address(board.executor_ref)
            await hub.proxy.pass_on(
                request.scope, request.receive, send, address=address, path=path, extra={ROLE_HEADER: role}
            )
        except LaunchError:
            hub.wake()
            answer = refusal(request, hub, error_status=503, message="the board does not answer just now", retry_secs=1)
            await answer(request.scope, request.receive, send)

    def is_news(self, admission: Admission) -> bool:
        """Whether this visitor has not opened this board for a while."""
        visitor = admission.identity.who.account if admission.identity else admission.by
        key, now = (visitor, admission.board.id), time.monotonic()
        last = self._opened.get(key)
        if last is not None and now - last < OPENED_SECS:
            return False
        self._opened[key] = now
        while len(self._opened) > MOST_OPENED:
            self._opened.popitem(last=False)
        return True


def way_of(scope: Scope, prefix: str) -> Way | None:
    """Where a request goes; None for an address that is none, as one that climbs, however that is written."""
    raw = ascii_path(scope.get("raw_path") or scope["path"].encode()).removeprefix(ROOT)
    id, slash, below = raw.partition("/")
    if not is_id(id, PREFIX) or climbs(below):
        return None
    return Way(id, slash + below, f"{prefix}{ROOT}{id}/", f"{prefix}/login")


def climbs(path: str) -> bool:
    """Whether a path as it came on the wire leaves where it begins, or has in it what no path has."""
    plain = unquote_to_bytes(path)
    odd = b"\0" in plain or b"\\" in plain
    return odd or any(part in (b".", b"..") for part in plain.split(b"/"))


async def exchange(request: Request, hub: Hub, way: Way) -> Response:
    """A token in the address becomes a cookie for this board, and the address is asked again without it."""
    pairs = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    token = next(value for name, value in pairs if name == "token")
    left = urlencode([(name, value) for name, value in pairs if name != "token"])
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    answer = RedirectResponse(quote(way.home) + (f"?{left}" if left else ""), 303, headers)
    identity = await hub.pool.call(hub.identities.find, Secret(token, True))
    if identity:
        holds = {"by": "token", "ref": identity.digest, "board": way.id}
        set_door(answer, request, hub, holds, until=hub.clock() + TOKEN_SECS, path=way.home)
    return answer


def refused(request: Request, hub: Hub, way: Way, error: LightboardError) -> Response:
    """What is said to who is not let in."""
    if isinstance(error, Unauthenticated) and wants_page(request):
        query = request.scope["query_string"].decode("latin-1")
        there = way.home.rstrip("/") + way.rest + (f"?{query}" if query else "")
        return RedirectResponse(f"{way.login}?{urlencode({'next': there})}", 302, {"cache-control": "no-store"})
    return refusal(request, hub, error_status=error.status, code=error.code, message=error.message, hint=error.hint)


def resting(request: Request, hub: Hub, admission: Admission) -> Response:
    """What is said of a board that does not run: the page of the console tells people how it stands."""
    board = admission.board
    if board.status in (Status.DELETED, Status.DELETING):
        return refusal(request, hub, error_status=410, message="this TensorBoard was deleted; its logs were kept")
    if wants_page(request):
        return page(hub)
    retry = RETRY_SECS.get(board.status)
    says = f"this TensorBoard is {board.status.value}" + (f": {board.reason}" if board.reason else "")
    hint = "" if retry else f"PUT {hub.settings.path_prefix}/api/v1/tensorboards/{board.id}/start starts it"
    return refusal(request, hub, error_status=503, message=says, hint=hint, retry_secs=retry or 30)


def refusal(
    request: Request,
    hub: Hub,
    *,
    error_status: int,
    code: str = "",
    message: str = "",
    hint: str = "",
    retry_secs: int | None = None,
) -> Response:
    """A page for browsers, which finds out by itself what to say; JSON for programs."""
    headers = {"retry-after": str(retry_secs)} if retry_secs else {}
    if error_status == 401:
        headers["www-authenticate"] = "Bearer"
        hint = hint or LOG_IN
    if wants_page(request):
        return page(hub, error_status, headers)
    return error_response(
        request.scope, error_status, code=code, message=message, hint=hint, headers=headers, json_wanted=True
    )


def seen_by_somebody(request: Request) -> bool:
    """Does a person look? Polls of a hidden page, and streams, which stay open for ever, say nothing of that."""
    if request.headers.get(POLL, "").strip().lower() == "hidden":
        return False
    return "text/event-stream" not in request.headers.get("accept", "")


def note_opened(hub: Hub, request: Request, admission: Admission) -> None:
    """Writes down who opened what."""
    board, who = admission.board, admission.visitor
    address = request.client.host if request.client else ""
    with hub.database.write(address) as session:
        audit.add(
            session, who, "tensorboard.open", kind="tensorboard", target=board.id, project=board.project, at=hub.clock()
        )
