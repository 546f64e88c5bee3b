"""A router that finds routes without parameters, and apps below a path, in constant time."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send


class ExactRoutes(Router):
    """A router that first looks up a route with exactly the path of the request.

    `below` maps a path to the app that handles it and all paths below it, except those of exact routes.
    """

    def __init__(
        self,
        routes: Sequence[BaseRoute],
        *,
        below: Mapping[str, ASGIApp] = MappingProxyType({}),
        default: ASGIApp | None = None,
    ) -> None:
        super().__init__(routes, redirect_slashes=False, default=default)
        self._exact = {route.path: route for route in routes if isinstance(route, Route) and "{" not in route.path}
        self._below = [(path, f"{path}/", app) for path, app in below.items()]

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See Router."""
        if scope["type"] != "http":
            await super().app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        route = self._exact.get(path)
        if route is not None and (not route.methods or scope["method"] in route.methods):
            scope.setdefault("router", self)
            scope.update(route=route, endpoint=route.endpoint, path_params=dict(scope.get("path_params") or ()))
            await route.app(scope, receive, send)
            return
        app = (
            None
            if route
            else next((app for root, prefix, app in self._below if path == root or path.startswith(prefix)), None)
        )
        await (app or super().app)(scope, receive, send)
