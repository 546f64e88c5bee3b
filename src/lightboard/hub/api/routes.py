"""The table of the hub's addresses: none comes into being without saying which right it needs.

`OPEN` is the only word for an address that anybody may ask, logged in or not. The right is checked before the handler
runs as far as it can be told without the thing itself: is somebody there, is the token for that. Whether this account
may do it to this thing is checked where the thing is read (`hub.db`).
"""

from collections.abc import Callable
from typing import Any

from fastapi import Depends, FastAPI
from pydantic import BaseModel

from lightboard.hub.access import HUB_RIGHTS, RIGHTS
from lightboard.hub.api.request_context import require_right
from lightboard.schema.error import HubErrorAnswer

OPEN = "open"
RIGHT = "x-right"
"""Where the OpenAPI document says the right of an operation."""

Handler = Callable[..., Any]


class Routes:
    """Addresses of one noun."""

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self._rows: list[tuple[str, Handler, dict[str, Any]]] = []

    def attach(self, api: FastAPI) -> None:
        """Puts all of them into an application."""
        for path, handler, options in self._rows:
            api.add_api_route(path, handler, tags=[self.noun], **options)

    def add(
        self,
        method: str,
        path: str,
        *,
        right: str,
        answer: type[BaseModel] | None = None,
        status: int = 200,
        **options: Any,
    ) -> Callable[[Handler], Handler]:
        """Decorates the handler of one method of one path. Raises ValueError for a right that is in no table."""
        if right != OPEN and right not in RIGHTS and right not in HUB_RIGHTS:
            raise ValueError(f"{method} {path}: there is no right {right!r}")

        def keep(handler: Handler) -> Handler:
            row = {
                "methods": [method],
                "dependencies": [Depends(require_right(right))],
                "response_model": answer,
                "status_code": status,
                "summary": (handler.__doc__ or "").partition("\n")[0].rstrip("."),
                "description": "",
                "operation_id": f"{handler.__module__.rpartition('.')[2]}_{handler.__name__}",
                "openapi_extra": {RIGHT: right},
                "responses": {"4XX": {"model": HubErrorAnswer, "description": "what is wrong"}},
            }
            self._rows.append((path, handler, {**row, **options}))
            return handler

        return keep

    def get(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """GET."""
        return self.add("GET", path, **options)

    def post(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """POST."""
        return self.add("POST", path, **options)

    def put(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """PUT."""
        return self.add("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """PATCH."""
        return self.add("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """DELETE."""
        return self.add("DELETE", path, **options)
