"""Routes whose path has no parameters, found without trying one after another."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Match, Route, Router
from starlette.types import Receive, Scope, Send


class ExactRoutes(Router):
    """A router that asks first the one route that has just the path of the request."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        super().__init__(routes, redirect_slashes=False)
        self._exact = {route.path: route for route in routes if isinstance(route, Route) and "{" not in route.path}

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See Router."""
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        route = self._exact.get(path) if scope["type"] == "http" else None
        if route is not None:
            match, more = route.matches(scope)
            if match is Match.FULL:
                scope.setdefault("router", self)
                scope["route"] = route
                scope.update(more)
                await route.handle(scope, receive, send)
                return
        await super().app(scope, receive, send)
