"""The front door: `/tb/<id>/...`, behind which each board has all its addresses.

Of the board's own addresses nothing is known here: they are handed on as they came, once it is clear who asks. A board
that is not running is a page of the console for browsers, and 503 with a time to ask again for programs.
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
from lightboard.hub.api.admission import LOG_IN, Admission, Visitor
from lightboard.hub.api.cookies import set_door
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
OWN_HOST = "lightboard.own_host"
"""Key of a scope: the request is for the host of a board, where no page of the console finds its files."""
POLL = "x-lightboard-poll"
TOKEN_SECS = 12 * 3_600.0
"""So long opens the cookie that a `?token=` was exchanged for."""
OPENED_SECS = 600.0
"""Who opens the same board again within this time is not written down again."""
MOST_OPENED = 10_000
CHANGES = frozenset({"PATCH", "PUT", "DELETE"})
"""Methods that no program uses only to look; questions about many series are POST."""
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
    shown: str
    """What the board is called in refusals: as it was asked for, so that they tell no more than who asks has said."""


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
            return resting(request, hub, way, answer)
        return answer

    async def hand_on(self, request: Request, hub: Hub, way: Way, admission: Admission, send: Send) -> None:
        """The board answers."""
        board = admission.board
        if admission.identity:
            record_use(hub, admission.identity)
        if seen_by_somebody(request):
            hub.activity.board(board.id, hub.clock())
        if way.rest == "/" and wants_page(request) and self.is_news(admission):
            hub.pool.run(lambda: note_opened(hub, request, admission))
        path = f"{ROOT}{board.id}{way.rest}{query_of(request)}"
        told = {ROLE_HEADER: "write" if admission.writes else "read", CLIENT_HEADER: client_of(request, admission)}
        ending = Ending(send)
        try:
            address = hub.launcher.address(board.executor_ref)
            async with hub.watching.guarding(admission.until, partial(still_in, request, hub, admission)) as limit:
                await hub.proxy.pass_on(
                    request.scope, request.receive, ending.send, address=address, path=path, extra=told
                )
        except TimeoutError:
            if not limit.expired():
                raise
            if not ending.begun:
                again = await self.before(request, hub, way)
                answer = again if isinstance(again, Response) else refusal(request, hub, error_status=503, retry_secs=1)
                await answer(request.scope, request.receive, send)
            elif not await ending.end():
                raise AnswerCut("access to the board has ended") from None
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


async def still_in(request: Request, hub: Hub, admission: Admission) -> float | bool | None:
    """Until when an answer under way may go on, False where it may not, or not as what it was begun."""
    now = await hub.pool.call(hub.admissions.decide, Visitor.of(request), admission.board.id)
    if isinstance(now, LightboardError) or (admission.writes and not now.writes):
        return False
    return now.until


def client_of(request: Request, admission: Admission) -> str:
    """Who takes turns with others: an account, however many logins and tokens it has, or the address of a guest."""
    if admission.identity:
        return f"account:{admission.identity.who.account}"
    return f"guest:{request.client.host if request.client else ''}"


def way_of(scope: Scope, prefix: str) -> Way | None:
    """Where a request goes; None for an address that is none, as one that climbs, however that is written."""
    raw = ascii_path(scope.get("raw_path") or scope["path"].encode()).removeprefix(ROOT)
    id, slash, below = raw.partition("/")
    if not is_id(id, PREFIX) or climbs(below):
        return None
    return Way(id, slash + below, f"{prefix}{ROOT}{id}/", f"{prefix}/login", shown=id)


def climbs(path: str) -> bool:
    """Whether a path as it came on the wire leaves where it begins, or has in it what no path has."""
    plain = unquote_to_bytes(path)
    odd = b"\0" in plain or b"\\" in plain
    return odd or any(part in (b".", b"..") for part in plain.split(b"/"))


async def exchange(request: Request, hub: Hub, way: Way) -> Response:
    """A token in the address becomes a cookie for this board, and the address is asked again without it.

    Only a token that opens the board: the cookie has the board's id in it, which not everybody may know.
    """
    pairs = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    token = next(value for name, value in pairs if name == "token")
    left = urlencode([(name, value) for name, value in pairs if name != "token"])
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    answer = RedirectResponse(quote(way.home) + (f"?{left}" if left else ""), 303, headers)
    found = await hub.pool.call(hub.admissions.decide, Visitor(Secret(token, True), ""), way.id)
    if isinstance(found, Admission) and found.identity:
        holds = {"by": "token", "ref": found.identity.digest, "board": way.id}
        set_door(answer, request, hub, holds, until=hub.clock() + TOKEN_SECS, path=way.home)
    return answer


def refused(request: Request, hub: Hub, way: Way, error: LightboardError) -> Response:
    """What is said to who is not let in. From the host of a board people are sent to the console, which says it."""
    elsewhere = isinstance(error, Unauthenticated) or (OWN_HOST in request.scope and error.status in (403, 404))
    if elsewhere and wants_page(request):
        there = way.home.rstrip("/") + way.rest + query_of(request)
        return RedirectResponse(f"{way.login}?{urlencode({'next': there})}", 302, NOT_KEPT)
    return described(request, hub, error, way.shown)


NOT_KEPT = {"cache-control": "no-store"}


def query_of(request: Request) -> str:
    """The query of a request as it came, with its question mark; "" for none."""
    query = request.scope["query_string"].decode("latin-1")
    return f"?{query}" if query else ""


def described(request: Request, hub: Hub, error: LightboardError, shown: str) -> Response:
    """A refusal of a board that was asked for as `shown`; the same for one that is not there and one that is hidden."""
    message = f"there is no TensorBoard {shown}" if isinstance(error, NotFound) else error.message
    return refusal(request, hub, error_status=error.status, code=error.code, message=message, hint=error.hint)


def resting(request: Request, hub: Hub, way: Way, admission: Admission) -> Response:
    """What is said of a board that does not run: the page of the console tells people how it stands."""
    board = admission.board
    if board.status in (Status.DELETED, Status.DELETING):
        return refusal(request, hub, error_status=410, message="this TensorBoard was deleted; its logs were kept")
    if wants_page(request) and OWN_HOST in request.scope:
        there = f"{hub.settings.public_url}{ROOT}{board.id}{way.rest}{query_of(request)}"
        return RedirectResponse(there, 302, NOT_KEPT)
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
    """A page for browsers, which finds out by itself what to say; JSON for programs.

    At the host of a board a browser gets one line of text, for there are no files of the console's pages.
    """
    headers = {"retry-after": str(retry_secs)} if retry_secs else {}
    if error_status == 401:
        headers["www-authenticate"] = "Bearer"
        hint = hint or LOG_IN
    if wants_page(request) and OWN_HOST not in request.scope:
        return page(hub, error_status, headers)
    as_json = not wants_page(request)
    return error_response(
        request.scope, error_status, code=code, message=message, hint=hint, headers=headers, json_wanted=as_json
    )


def seen_by_somebody(request: Request) -> bool:
    """Whether a person is there: a page that says that it is visible, a page being opened, or a change.

    Everything else may go on for ever with nobody there: hidden pages, streams, health checks, scrapers and scripts.
    """
    mark = request.headers.get(POLL, "").strip().lower()
    if mark or "text/event-stream" in request.headers.get("accept", ""):
        return mark == "visible"
    return request.method in CHANGES or (request.method == "GET" and wants_page(request))


def note_opened(hub: Hub, request: Request, admission: Admission) -> None:
    """Writes down who opened what."""
    board, who = admission.board, admission.visitor
    address = request.client.host if request.client else ""
    with hub.database.write(address) as session:
        audit.add(
            session, who, "tensorboard.open", kind="tensorboard", target=board.id, project=board.project, at=hub.clock()
        )
