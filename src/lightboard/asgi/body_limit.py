"""No request may send more than it can need."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard.asgi.errors import error_response

MOST_BYTES = 4 * 1024 * 1024


class BodyLimit:
    """Answers 413 to a body longer than `most_bytes`, announced or not; `larger` names paths that may get more."""

    def __init__(
        self, app: ASGIApp, most_bytes: int = MOST_BYTES, larger: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.app = app
        self.most_bytes = most_bytes
        self.larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        most_bytes = self.larger.get(scope.get("path", ""), self.most_bytes)
        too_long = f"the body is longer than {most_bytes // 2**20} MB"
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isdigit() and int(announced) > most_bytes:
            refusal = error_response(scope, 413, message=too_long, headers={"connection": "close"})
            await refusal(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most_bytes:
                raise HTTPException(413, too_long)
            return message

        await self.app(scope, receive_counted, send)
