"""Normalises paths before routing: removes the path prefix, experiment prefixes and trailing slashes.

With prefix `/lb`: `/lb/data/runs` -> `/data/runs`, `/lb` -> 301 to `/lb/`, anything else -> 404. TensorBoard's page
requests `/experiment/<id>/...` and `/compare/<ids>/...`; there is only one experiment here.
"""

from urllib.parse import quote

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.asgi.errors import error_response

EXPERIMENT_FORMS = ("experiment", "compare")

HOME = "lightboard.home"
"""Key of a scope: the relative URL from the requested path to the page."""


class PathPrefix:
    """Serves `app` under `prefix` ("" or "/something" without a final slash)."""

    def __init__(self, app: ASGIApp, prefix: str = "") -> None:
        self.app = app
        self.prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        path: str = scope["path"]
        if self.prefix:
            if path == self.prefix:
                await redirect_to_slash(scope, receive, send)
                return
            if not path.startswith(self.prefix + "/"):
                await error_response(scope, 404)(scope, receive, send)
                return
            path = path[len(self.prefix) :]
        inner = without_experiment(path)
        if inner == "":
            await redirect_to_slash(scope, receive, send)
            return
        await self.app(
            {**scope, "path": normalise_slashes(inner), "raw_path": None, HOME: home_of(inner)}, receive, send
        )


def without_experiment(path: str) -> str:
    """`/data/runs` for `/experiment/x/data/runs`; "" if the slash after the id is missing."""
    parts = path.split("/", 3)
    if len(parts) < 3 or parts[1] not in EXPERIMENT_FORMS:
        return path
    if len(parts) == 4:
        return "/" + parts[3]
    return "" if parts[2] else path


def normalise_slashes(path: str) -> str:
    """The path without trailing and repeated slashes; the root stays `/`."""
    while "//" in path:
        path = path.replace("//", "/")
    return path.rstrip("/") or "/"


def home_of(path: str) -> str:
    """The relative URL of the page: `./` for `/events`, `../` for `/events/`."""
    return "../" * (path.count("/") - 1) or "./"


async def redirect_to_slash(scope: Scope, receive: Receive, send: Send) -> None:
    """301 to the same path with a slash, as a relative URL, which works behind any proxy."""
    last = scope["path"].rsplit("/", 1)[-1]
    await Response(status_code=301, headers={"location": f"{quote(last)}/"})(scope, receive, send)
