"""The outermost layer: each request gets a name, is looked at once, answered, counted and written down.

What is written down never holds a query, a cookie, a header or the ticket of a share link.
"""

import time
import traceback
from collections.abc import Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard.asgi.errors import REQUEST_ID, error_response
from lightboard.hub.api.hub import KEY, Hub
from lightboard.hub.api.proxy import AnswerCut
from lightboard.hub.api.request_context import CONTEXT_KEY
from lightboard.hub.api.subdomains import subdomain_of
from lightboard.hub.resources.ids import new_id

ROUTE_KEY = "lightboard.route"
"""Key of a scope: what the kind of address is called, where no route of the API says it."""
ACCOUNT = "lightboard.account"
"""Key of a scope: who was found to ask."""
SHARE = "/s/"


class RequestMiddleware:
    """Takes the path prefix off, and lets requests through to `app`."""

    def __init__(self, app: ASGIApp, hub: Hub) -> None:
        self.app = app
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application; only HTTP is let through."""
        if scope["type"] != "http":
            return
        inner = self.without_prefix({**scope, KEY: self.hub, REQUEST_ID: new_id("req", self.hub.clock())})
        record = ResponseRecorder(inner, send)
        try:
            if inner["path"] == "":
                answer = error_response(inner, 404, message="there is nothing outside the path prefix of this hub")
                await answer(inner, receive, record.send)
            else:
                await self.app(inner, receive, record.send)
        except AnswerCut as cut:
            self.hub.log.say("cut", request=inner[REQUEST_ID], reason=cut.reason)
            raise  # so that the connection is cut
        except Exception:
            self.hub.log.say("error", request=inner[REQUEST_ID], traceback=traceback.format_exc())
            if not record.status:
                await error_response(inner, 500)(inner, receive, record.send)
            elif not record.whole:
                raise  # so that the connection is cut
        finally:
            self.note(inner, record)

    def without_prefix(self, scope: dict[str, Any]) -> dict[str, Any]:
        """The scope with the paths below the prefix; an empty path for what is not below it."""
        prefix = self.hub.settings.path_prefix
        if not prefix or subdomain_of(scope, self.hub):
            return scope
        path, raw = scope["path"], scope.get("raw_path") or scope["path"].encode()
        if path != prefix and not path.startswith(prefix + "/"):
            return {**scope, "path": "", "raw_path": b""}
        return {**scope, "path": path[len(prefix) :] or "/", "raw_path": raw[len(prefix) :] or b"/"}

    def note(self, scope: Scope, record: "ResponseRecorder") -> None:
        """One line, and the figures."""
        route = getattr(scope.get("route"), "path", "") or scope.get(ROUTE_KEY, "")
        context = scope.get(CONTEXT_KEY)
        account = context.identity.who.account if context and context.identity else scope.get(ACCOUNT, "")
        status = record.status or 499
        self.hub.metrics.count_request(route, scope["method"], status, None if record.streams else record.secs)
        self.hub.log.say(
            "request",
            request=scope[REQUEST_ID],
            method=scope["method"],
            path=scope["path"] if not scope["path"].startswith(SHARE) else f"{SHARE}...",
            route=route,
            status=status,
            ms=round(record.secs * 1000, 1),
            account=account,
            address=scope["client"][0] if scope.get("client") else "",
        )


class ResponseRecorder:
    """What an answer was like."""

    def __init__(self, scope: Scope, send: Send, clock: Callable[[], float] = time.monotonic) -> None:
        self._scope = scope
        self._send = send
        self._clock = clock
        self._began = clock()
        self.status = 0
        self.streams = False
        self.whole = False

    @property
    def secs(self) -> float:
        """Since the request came."""
        return self._clock() - self._began

    async def send(self, message: Message) -> None:
        """Passes on, and takes note."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.streams = Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream")
            message["headers"] = [*message["headers"], (b"x-request-id", self._scope[REQUEST_ID].encode())]
        self.whole = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)
