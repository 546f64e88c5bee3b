"""Middleware that requires a token in every request, where others reach the port who may not read what is served.

The proxy that browsers go through sends it: `Authorization: token VALUE`, as Jupyter has it, or `Bearer`.
"""

import hmac

from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.asgi.headers import header_of

SCHEMES = ("token", "bearer")
HINT = "open it through the proxy of the notebook, which sends the token"


class TokenAuth:
    """Forwards requests with the token to `app`."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application. Only HTTP requests are forwarded."""
        if scope["type"] != "http":
            return
        refused = error_response(scope, 401, message="this server requires a token", hint=HINT)
        await (self.app if self.is_authorized(scope) else refused)(scope, receive, send)

    def is_authorized(self, scope: Scope) -> bool:
        """Whether a request has the token. Compares in constant time."""
        scheme, _, token = (header_of(scope, b"authorization") or "").partition(" ")
        return scheme.lower() in SCHEMES and hmac.compare_digest(token.strip().encode("latin-1"), self.token)
