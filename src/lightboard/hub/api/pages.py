"""The console's pages: one built document for every address of the console, and the files it asks for.

The document names its files and the API by relative addresses; a `base` element says what they are relative to, so that
it is the same page at every depth and behind every prefix.
"""

import html
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.assets import Assets
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.hub.api.hub import Hub

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
        "frame-ancestors 'self'",  # who shows the console in a frame of theirs makes people click what they do not see
    ]
)

CONSOLE = ("/", "/login", "/setup", "/datasets", "/projects", "/tokens", "/accounts", "/audit", "/settings")
BELOW = ("/tensorboards/", "/projects/", "/datasets/")
"""What begins so is a page as well; which, the page itself says."""


def is_page(path: str) -> bool:
    """Whether an address is one of the console's pages."""
    return path in CONSOLE or path.startswith(BELOW)


def wants_page(request: Request) -> bool:
    """Is this a browser that shows what it gets to somebody?"""
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def assets(pool: AsyncThreadPool) -> Assets:
    """The files of the pages, at the addresses they were built for."""
    return Assets(STATIC, pool, lambda _request: "")


def page(hub: Hub, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """The console, at whatever address it is asked for."""
    file = STATIC / PAGE
    text = file.read_text("utf-8") if file.is_file() else MISSING
    base = html.escape(hub.settings.path_prefix + "/", quote=True)
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
