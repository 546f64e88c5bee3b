"""Reads whose query is longer than an address may be: a POST that says it means GET, with the query as its body.

Names of runs and tags may have 64 KiB, and addresses end there, in servers and proxies mostly far sooner.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.asgi.headers import header_of

OVERRIDE = b"x-http-method-override"
"""A header that forms of other sites cannot send."""

OF_THE_BODY = frozenset({b"content-length", b"content-type", b"transfer-encoding", OVERRIDE})


MOST_BYTES, MOST_FIELDS = 512 << 10, 10_000
"""Of a query: it is read on the event loop, again and again. Two names of 64 KiB are at most 384 KiB of it."""


class LongQuery:
    """An ASGI application around `app`, to which such a request is a GET with that query. The body must be limited."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "http" and scope["method"] == "POST" and header_of(scope, OVERRIDE) == "GET":
            query = await read_query_body(receive)
            if query is None:
                too_long = f"the query is longer than {MOST_BYTES // 1024} KB, or has more than {MOST_FIELDS:,} fields"
                await error_response(scope, 413, message=too_long)(scope, receive, send)
                return
            headers = [(name, value) for name, value in scope["headers"] if name not in OF_THE_BODY]
            scope = {**scope, "method": "GET", "query_string": query, "headers": headers}
            receive = Bodyless(receive)
        await self.app(scope, receive, send)


async def read_query_body(receive: Receive) -> bytes | None:
    """The whole body; None where it is more than a query may be. Of a client that leaves what has come."""
    query, more = b"", True
    while more:
        message = await receive()
        query += message.get("body", b"")
        if len(query) > MOST_BYTES or query.count(b"&") >= MOST_FIELDS:
            return None
        more = message.get("more_body", False)
    return query


class Bodyless:
    """What comes after a body that was read already: nothing more, then what the client does next."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._told = False

    async def __call__(self) -> Message:
        """See ASGI."""
        if self._told:
            return await self._receive()
        self._told = True
        return {"type": "http.request", "body": b"", "more_body": False}
