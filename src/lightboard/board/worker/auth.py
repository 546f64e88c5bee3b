"""Authenticates requests to a worker. Only the hub, which knows the secret, may send them, and names the client."""

import hmac

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.asgi.headers import header_of
from lightboard.board.board import READ_ONLY
from lightboard.board.lanes import CLIENT
from lightboard.board.worker.boards import CONTROL, Boards

HUB = b"x-lightboard-hub"
ROLE = b"x-lightboard-role"
WHO = b"x-lightboard-client"
WRITE = b"write"


class WorkerAuth:
    """Forwards requests to `control` or to a board."""

    def __init__(self, control: ASGIApp, boards: Boards, secret: str) -> None:
        self.control = control
        self.boards = boards
        self.secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application. Only HTTP requests are forwarded."""
        if scope["type"] != "http":
            return
        path: str = scope["path"]
        if path == CONTROL or path.startswith(f"{CONTROL}/"):
            await self.control_request(scope, receive, send)
        else:
            await self.board_request(scope, receive, send)

    async def control_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request of the hub itself; 403 without the secret."""
        scheme, _, token = (header_of(scope, b"authorization") or "").partition(" ")
        allowed = scheme.lower() == "bearer" and self.is_secret(token.strip().encode("latin-1"))
        response = self.control if allowed else error_response(scope, 403)
        await response(scope, receive, send)

    async def board_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request that the hub forwards for a browser; 404 without the secret."""
        secrets = values(scope, HUB)
        hosted = self.boards.at(scope["path"]) if len(secrets) == 1 and self.is_secret(secrets[0]) else None
        if hosted is None:
            response: ASGIApp = error_response(scope, 404)
        elif hosted.app is None:
            response = not_ready()
        else:
            response = hosted.app
        headers = [(name, value) for name, value in scope["headers"] if name not in (HUB, ROLE, WHO)]
        client = b",".join(values(scope, WHO)).decode("latin-1")
        inner = {**scope, "headers": headers, READ_ONLY: values(scope, ROLE) != [WRITE], CLIENT: client}
        await response(inner, receive, send)

    def is_secret(self, secret: bytes) -> bool:
        """Whether this is the secret. Compares in constant time."""
        return hmac.compare_digest(secret, self.secret)


def values(scope: Scope, name: bytes) -> list[bytes]:
    """All values of a header."""
    return [value.strip() for key, value in scope["headers"] if key == name]


def not_ready() -> Response:
    """The response of a board that is still opening."""
    return Response(
        "the board is starting\n", 503, {"retry-after": "1", "cache-control": "no-store"}, media_type="text/plain"
    )
