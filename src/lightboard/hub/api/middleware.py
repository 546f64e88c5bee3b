"""The outermost middleware: gives each request an id, removes the path prefix, counts requests and logs them.

Log lines never contain a query, a cookie, a header or the token of a share link.
"""

import time
import traceback
from collections.abc import Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from lightboard.asgi.errors import REQUEST_ID, error_response
from lightboard.asgi.guard import WEBSOCKET
from lightboard.config import HubSettings
from lightboard.hub.api.proxy import ResponseCut
from lightboard.hub.api.request_context import CONTEXT_KEY
from lightboard.hub.api.services import Monitoring
from lightboard.hub.api.subdomains import subdomain_of
from lightboard.hub.resources.ids import new_id

ROUTE_KEY = "lightboard.route"
"""Scope key: the route name for metrics, for requests that no API route handles."""
ACCOUNT = "lightboard.account"
"""Scope key: the id of the authenticated account."""
SHARE = "/s/"


class RequestMiddleware:
    """Wraps `app`, which sees paths without the prefix."""

    def __init__(self, app: ASGIApp, settings: HubSettings, monitoring: Monitoring, clock: Callable[[], float]) -> None:
        self.app = app
        self.settings = settings
        self.log = monitoring.log
        self.metrics = monitoring.metrics
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            return
        inner = self.without_prefix({**scope, REQUEST_ID: new_id("req", self.clock())})
        record = ResponseRecorder(inner, send)
        try:
            if inner["path"] == "" and inner["type"] == "websocket":
                await WebSocketClose()(inner, receive, record.send)
            elif inner["path"] == "":
                answer = error_response(inner, 404, message="this path is outside the path prefix of the hub")
                await answer(inner, receive, record.send)
            else:
                await self.app(inner, receive, record.send)
        except ResponseCut as cut:
            self.log.write("cut", request=inner[REQUEST_ID], reason=cut.reason)
            raise  # the server then closes the connection
        except Exception as error:
            if error is record.client_gone:
                return  # nobody is left who could be told, and nothing has failed
            self.log.write("error", request=inner[REQUEST_ID], traceback=traceback.format_exc())
            if inner["type"] == "websocket":
                raise  # the server then closes it
            if not record.status:
                await error_response(inner, 500)(inner, receive, record.send)
            elif not record.is_complete:
                raise  # the server then closes the connection
        finally:
            self.log_request(inner, record)

    def without_prefix(self, scope: dict[str, Any]) -> dict[str, Any]:
        """The scope with paths relative to the prefix. A path outside it becomes empty."""
        prefix = self.settings.path_prefix
        if not prefix or subdomain_of(scope, self.settings):
            return scope
        path, raw = scope["path"], scope.get("raw_path") or scope["path"].encode()
        if path != prefix and not path.startswith(prefix + "/"):
            return {**scope, "path": "", "raw_path": b""}
        return {**scope, "path": path[len(prefix) :] or "/", "raw_path": raw[len(prefix) :] or b"/"}

    def log_request(self, scope: Scope, record: "ResponseRecorder") -> None:
        """Writes one log line and updates the metrics."""
        route = getattr(scope.get("route"), "path", "") or scope.get(ROUTE_KEY, "")
        context = scope.get(CONTEXT_KEY)
        account = context.identity.principal.account if context and context.identity else scope.get(ACCOUNT, "")
        status = record.status or 499
        method = scope.get("method", WEBSOCKET)
        self.metrics.count_request(route, method, status, None if record.is_stream else record.secs)
        self.log.write(
            "request",
            request=scope[REQUEST_ID],
            method=method,
            path=scope["path"] if not scope["path"].startswith(SHARE) else f"{SHARE}...",
            route=route,
            status=status,
            ms=round(record.secs * 1000, 1),
            account=account,
            address=scope["client"][0] if scope.get("client") else "",
        )


class ResponseRecorder:
    """Records the status, duration and completeness of a response."""

    def __init__(self, scope: Scope, send: Send, clock: Callable[[], float] = time.monotonic) -> None:
        self._scope = scope
        self._send = send
        self._clock = clock
        self._began = clock()
        self.status = 0
        self.is_stream = False
        self.is_complete = False
        self.client_gone: OSError | None = None
        """What the server has raised because a WebSocket has no client any more."""

    @property
    def secs(self) -> float:
        """Seconds since the request arrived."""
        return self._clock() - self._began

    async def send(self, message: Message) -> None:
        """Sends a message and records what it says."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.is_stream = Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream")
            message["headers"] = [*message["headers"], (b"x-request-id", self._scope[REQUEST_ID].encode())]
        elif message["type"] == "websocket.http.response.start":
            self.status = message["status"]
        elif message["type"] == "websocket.accept":
            self.status, self.is_stream = 101, True
        elif message["type"] == "websocket.close" and not self.status:
            self.status = 403
        self.is_complete = message["type"] == "http.response.body" and not message.get("more_body", False)
        try:
            await self._send(message)
        except OSError as error:
            self.client_gone = error
            if message["type"] == "websocket.accept":
                self.status = 0
            raise
