"""Authenticates requests to a worker: only the hub, which knows a secret, may send them and say on whose behalf."""

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
    """Sends requests to `control` or to the board they are for."""

    def __init__(self, control: ASGIApp, boards: Boards, secret: str) -> None:
        self.control = control
        self.boards = boards
        self.secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application; only HTTP is let through."""
        if scope["type"] != "http":
            return
        path: str = scope["path"]
        if path == CONTROL or path.startswith(f"{CONTROL}/"):
            await self.ask(scope, receive, send)
        else:
            await self.show(scope, receive, send)

    async def ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A request of the hub itself; 403 for anybody else."""
        scheme, _, token = (header_of(scope, b"authorization") or "").partition(" ")
        allowed = scheme.lower() == "bearer" and self.knows(token.strip().encode("latin-1"))
        answer = self.control if allowed else error_response(scope, 403)
        await answer(scope, receive, send)

    async def show(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A request of a browser, passed on by the hub; for anybody else there is nothing here."""
        shown = values(scope, HUB)
        hosted = self.boards.at(scope["path"]) if len(shown) == 1 and self.knows(shown[0]) else None
        if hosted is None:
            answer: ASGIApp = error_response(scope, 404)
        elif hosted.app is None:
            answer = not_ready()
        else:
            answer = hosted.app
        headers = [(name, value) for name, value in scope["headers"] if name not in (HUB, ROLE, WHO)]
        client = b",".join(values(scope, WHO)).decode("latin-1")
        inner = {**scope, "headers": headers, READ_ONLY: values(scope, ROLE) != [WRITE], CLIENT: client}
        await answer(inner, receive, send)

    def knows(self, secret: bytes) -> bool:
        """Is that the secret? Takes the same time whatever it is."""
        return hmac.compare_digest(secret, self.secret)


def values(scope: Scope, name: bytes) -> list[bytes]:
    """All values of a header."""
    return [value.strip() for key, value in scope["headers"] if key == name]


def not_ready() -> Response:
    """For a board whose logs are still being looked for."""
    return Response(
        "the board is starting\n", 503, {"retry-after": "1", "cache-control": "no-store"}, media_type="text/plain"
    )
