"""Limits the size of request bodies."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.asgi.headers import header_of
from lightboard.untrusted.numbers import whole_number

MAX_BYTES = 4 * 1024 * 1024


class BodyLimit:
    """Responds 413 to bodies of more than `most_bytes` bytes, or the limit in `larger` for a path.

    The limit also applies without Content-Length. If `most_fields` is set, bodies with more fields, counted by colons,
    are rejected as well: each invalid field of a JSON body is an error, and creating a hundred thousand errors blocks
    the event loop for half a second. Paths in `larger` have no limit of fields, because their bodies are files.
    """

    def __init__(
        self,
        app: ASGIApp,
        most_bytes: int = MAX_BYTES,
        larger: Mapping[str, int] = MappingProxyType({}),
        most_fields: int | None = None,
    ) -> None:
        self.app = app
        self.most_fields = most_fields
        self.most_bytes = most_bytes
        self.larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        path = scope.get("path", "")
        most_bytes = self.larger.get(path, self.most_bytes)
        most_fields = None if path in self.larger else self.most_fields
        too_long = f"the body is longer than {most_bytes // 2**20} MB"
        announced = header_of(scope, b"content-length")
        length = 0 if announced is None else whole_number(announced)
        if length is None:
            await error_response(scope, 400, message="Content-Length is not a number")(scope, receive, send)
            return
        if length > most_bytes:
            refusal = error_response(scope, 413, message=too_long, headers={"connection": "close"})
            await refusal(scope, receive, send)
            return
        received = fields = 0

        async def receive_counted() -> Message:
            nonlocal received, fields
            message = await receive()
            body = message.get("body", b"")
            received += len(body)
            if received > most_bytes:
                raise HTTPException(413, too_long)
            fields += body.count(b":")
            if most_fields is not None and fields > most_fields:
                raise HTTPException(413, "the body has too many fields")
            return message

        await self.app(scope, receive_counted, send)
