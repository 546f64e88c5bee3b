"""The pages of the console: one built document for all paths, and its assets.

The document refers to its assets and the API by relative URLs. A `base` element makes them independent of depth and
prefix.
"""

import html
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.assets import Assets
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.config import HubSettings

STATIC = Path(__file__).parents[1] / "static"
PAGE = "index.html"
BUILD_COMMAND = "make build"
BASE = re.compile(r'<base href="[^"]*"\s*/?>')

CONTENT_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # widgets place popovers by style elements; scripts stay strict
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",  # against clickjacking
    ]
)

CONSOLE = (
    "/", "/login", "/setup", "/jobs", "/notebooks", "/queue", "/datasets", "/projects", "/tokens", "/accounts",
    "/environments", "/audit", "/settings",
)  # fmt: skip
BELOW = ("/tensorboards/", "/jobs/", "/projects/", "/datasets/")
"""Paths below these are pages too. The page itself decides which of them exist."""


def is_page(path: str) -> bool:
    """Whether a path is a page of the console."""
    return path in CONSOLE or path.startswith(BELOW)


def wants_page(request: Request) -> bool:
    """Whether the request comes from a browser that will show the response to a person."""
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def assets(pool: AsyncThreadPool) -> Assets:
    """The assets, at the paths they were built for."""
    return Assets(STATIC, pool, lambda _request: "")


def page(settings: HubSettings, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """The document of the console."""
    file = STATIC / PAGE
    text = file.read_text("utf-8") if file.is_file() else MISSING
    base = html.escape(settings.path_prefix + "/", quote=True)
    text = BASE.sub(lambda _: f'<base href="{base}">', text, count=1)
    return Response(text, status, {"cache-control": "no-store", **(headers or {})}, "text/html; charset=utf-8")


MISSING = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="/">
<meta name="viewport" content="width=device-width">
<title>Lightboard</title>
</head>
<body>
<h1>The web pages are not built</h1>
<p>The hub works and answers at <a href="api/v1/openapi.json">api/v1/openapi.json</a>, but this installation has no
pages to show. Build them once in the folder of the sources, then reload this page; Node 20 or later is needed:</p>
<pre>{BUILD_COMMAND}</pre>
</body>
</html>
"""
