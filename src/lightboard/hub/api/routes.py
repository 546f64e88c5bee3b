"""The table of routes. Every route must declare the right it needs.

`OPEN` routes need no login. Before a handler runs, everything is checked that does not depend on the resource:
authentication, scopes, permissions. Rights on a resource are checked where it is read (`hub.db`).
"""

from collections.abc import Callable
from typing import Any

from fastapi import Depends, FastAPI
from pydantic import BaseModel

from lightboard.hub.access import HUB_RIGHTS, RIGHTS
from lightboard.hub.api.request_context import require_right
from lightboard.schema.error import HubErrorResponse

OPEN = "open"
RIGHT = "x-right"
"""The extension field of the OpenAPI document with the right of an operation."""

Handler = Callable[..., Any]


class Routes:
    """The routes of one kind of resource."""

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self._rows: list[tuple[str, Handler, dict[str, Any]]] = []

    def attach(self, api: FastAPI) -> None:
        """Adds all routes to an application."""
        for path, handler, options in self._rows:
            api.add_api_route(path, handler, tags=[self.noun], **options)

    def add(
        self,
        method: str,
        path: str,
        *,
        right: str,
        response: type[BaseModel] | None = None,
        status: int = 200,
        body_type: str = "",
        **options: Any,
    ) -> Callable[[Handler], Handler]:
        """Decorator for the handler of a method and path. Raises ValueError for an unknown right.

        `body_type` is the media type of a request body that is no JSON, which the handler reads itself.
        """
        if right != OPEN and right not in RIGHTS and right not in HUB_RIGHTS:
            raise ValueError(f"{method} {path}: there is no right {right!r}")

        def register(handler: Handler) -> Handler:
            row = {
                "methods": [method],
                "dependencies": [Depends(require_right(right))],
                "response_model": response,
                "status_code": status,
                "summary": (handler.__doc__ or "").partition("\n")[0].rstrip("."),
                "description": "",
                "operation_id": f"{handler.__module__.rpartition('.')[2]}_{handler.__name__}",
                "openapi_extra": {RIGHT: right, **(binary_body(body_type) if body_type else {})},
                "responses": {"4XX": {"model": HubErrorResponse, "description": "what is wrong"}},
            }
            self._rows.append((path, handler, {**row, **options}))
            return handler

        return register

    def get(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """Decorator for GET."""
        return self.add("GET", path, **options)

    def post(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """Decorator for POST."""
        return self.add("POST", path, **options)

    def put(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """Decorator for PUT."""
        return self.add("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """Decorator for PATCH."""
        return self.add("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """Decorator for DELETE."""
        return self.add("DELETE", path, **options)


def binary_body(media_type: str) -> dict[str, Any]:
    """The description of a request body that is no JSON, for the OpenAPI document."""
    schema = {"type": "string", "format": "binary"}
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}
