"""The routes of /api/v1, loaded when they are first needed or when there is a quiet moment after the start.

Their models cost a fifth of the whole start. Pages and TensorBoard's addresses need none of them, so the first answer
does not wait for them.
"""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.asgi.pool import Pool


class LateApi:
    """An ASGI application that is made by `make` at its first request."""

    def __init__(self, pool: Pool, make: Callable[[], ASGIApp]) -> None:
        self.pool = pool
        self.make = make
        self._app: ASGIApp | None = None

    def load(self) -> ASGIApp:
        """The application, made if it is not there yet. Two threads may make it at once; either is right."""
        app = self._app
        if app is None:
            app = self._app = self.make()
        return app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands a request on; the app around it answers what is raised."""
        app = self.load() if self._app else await self.pool.call(self.load)
        await app(scope, receive, send)
