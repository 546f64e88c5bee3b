"""No request may send more than it can need."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard.asgi.errors import error_response

MOST_BYTES = 4 * 1024 * 1024


class BodyLimit:
    """Answers 413 to a body longer than `most_bytes`, announced or not."""

    def __init__(self, app: ASGIApp, most_bytes: int = MOST_BYTES) -> None:
        self.app = app
        self.most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isdigit() and int(announced) > self.most_bytes:
            refusal = error_response(scope, 413, message=self.message, headers={"connection": "close"})
            await refusal(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.most_bytes:
                raise HTTPException(413, self.message)
            return message

        await self.app(scope, receive_counted, send)

    @property
    def message(self) -> str:
        """What the client is told."""
        return f"the body is longer than {self.most_bytes // 2**20} MB"
