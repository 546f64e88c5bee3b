"""Imports the routes of /api/v1 at their first request, or a moment after the start.

Importing their models takes a fifth of the start. Pages and TensorBoard's own routes do not need them, so the first
response does not wait for them.
"""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.asgi.thread_pool import AsyncThreadPool


class LazyApi:
    """An ASGI application that `make` creates at the first request."""

    def __init__(self, pool: AsyncThreadPool, make: Callable[[], ASGIApp]) -> None:
        self.pool = pool
        self.make = make
        self._app: ASGIApp | None = None

    def load(self) -> ASGIApp:
        """The application, created if necessary. Two threads may create it at once; either result can be used."""
        app = self._app
        if app is None:
            app = self._app = self.make()
        return app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request. The enclosing application handles exceptions."""
        app = self.load() if self._app else await self.pool.call(self.load)
        await app(scope, receive, send)
