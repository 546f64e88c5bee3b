"""The documentation at /docs/, for everyone: it holds no secrets, and people read it before they have an account.

The site is built for /docs/. Behind a path prefix, its text files are rewritten when they are sent.
"""

import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.assets import TYPES, Asset, Assets
from lightboard.asgi.responses import respond
from lightboard.asgi.thread_pool import AsyncThreadPool

STATIC = Path(__file__).parents[1] / "docs_static"
ROOT = "/docs/"
BUILD_COMMAND = "make docs"

REWRITTEN = (".html", ".js", ".css")
ADDRESS = re.compile(rb"""(?<=["'`(=])/docs/""")
"""An address of the site in its pages, scripts and styles. `/docs/` within prose stands after something else."""


def is_docs(path: str) -> bool:
    """Whether an address belongs to the documentation."""
    return path == ROOT.rstrip("/") or path.startswith(ROOT)


class DocsSite(Assets):
    """An ASGI application for the addresses below `/docs/`. `prefix` is the path prefix of the hub."""

    def __init__(self, pool: AsyncThreadPool, prefix: str, folder: Path = STATIC) -> None:
        super().__init__(folder, pool, lambda _request: MISSING)
        self.prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers GET and HEAD; raises HTTPException 405 for the app around it."""
        if not scope["path"].startswith(ROOT):
            await RedirectResponse(f"{self.prefix}{ROOT}", 308)(scope, receive, send)
            return
        inner = {**scope, "path": scope["path"].removeprefix(ROOT.rstrip("/"))}
        try:
            await super().__call__(inner, receive, send)
        except HTTPException as error:
            not_found = self.find("/404.html") if error.status_code == 404 else None
            if not_found is None:
                raise
            response = await self.respond_with(Request(inner), not_found)
            response.status_code = 404
            await response(inner, receive, send)

    def find(self, path: str) -> Asset | None:
        """The file at an address: `/hub` is the page hub.html, and `/decisions/` the index.html of a folder."""
        page = f"{path}index.html" if path.endswith("/") else f"{path}.html"
        return super().find(path) or super().find(page)

    def read(self, asset: Asset, file: Path, known: str | None) -> tuple[str, bytes | None]:
        """As of other assets, with the prefix in each address."""
        tag, body = super().read(asset, file, known)
        if body is not None and self.prefix and file.suffix in REWRITTEN:
            body = ADDRESS.sub(self.prefix.encode() + ROOT.encode(), body)
        return tag, body

    async def respond_missing(self, request: Request) -> Response:
        """A plain page that says how to build the documentation."""
        return await respond(request, MISSING.encode(), TYPES[".html"], pool=self.pool, status=404)


MISSING = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lightboard</title>
</head>
<body>
<h1>The documentation is not built</h1>
<p>This installation has no documentation to show. Build it in the folder of the sources, then reload this page;
Node 20 or later is needed:</p>
<pre>{BUILD_COMMAND}</pre>
<p>The same pages are Markdown files in the folder <code>docs</code> of the sources.</p>
</body>
</html>
"""
