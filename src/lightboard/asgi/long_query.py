"""Accepts queries that are too long for a URL: a POST with a method override to GET and the query as its body.

Names of runs and tags may have 64 KiB each, while servers and proxies limit URLs to a few KiB.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.asgi.headers import header_of

OVERRIDE = b"x-http-method-override"
"""Forms of other sites cannot send this header."""

OF_THE_BODY = frozenset({b"content-length", b"content-type", b"transfer-encoding", OVERRIDE})


MAX_BYTES, MAX_FIELDS = 512 << 10, 10_000
"""Limits of a query, which is parsed in the event loop. Two names of 64 KiB are encoded to at most 384 KiB."""


class LongQuery:
    """Middleware that turns such requests into GET requests. The body must be limited by another middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        if scope["type"] == "http" and scope["method"] == "POST" and header_of(scope, OVERRIDE) == "GET":
            query = await read_query_body(receive)
            if query is None:
                too_long = f"the query is longer than {MAX_BYTES // 1024} KB, or has more than {MAX_FIELDS:,} fields"
                await error_response(scope, 413, message=too_long)(scope, receive, send)
                return
            headers = [(name, value) for name, value in scope["headers"] if name not in OF_THE_BODY]
            scope = {**scope, "method": "GET", "query_string": query, "headers": headers}
            receive = EmptyBody(receive)
        await self.app(scope, receive, send)


async def read_query_body(receive: Receive) -> bytes | None:
    """The whole body, or None if it is too long. If the client disconnects, the part that was received."""
    query, more = b"", True
    while more:
        message = await receive()
        query += message.get("body", b"")
        if len(query) > MAX_BYTES or query.count(b"&") >= MAX_FIELDS:
            return None
        more = message.get("more_body", False)
    return query


class EmptyBody:
    """A `receive` for a body that was already read: an empty body, then the client's next messages."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._sent = False

    async def __call__(self) -> Message:
        """See ASGI."""
        if self._sent:
            return await self._receive()
        self._sent = True
        return {"type": "http.request", "body": b"", "more_body": False}
