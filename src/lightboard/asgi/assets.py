"""Serves a folder of built web pages.

Request paths are looked up in a table of files and never joined to a folder, so files outside cannot be reached.
Browsers cache built files, which have a hash in their names, for a year, and revalidate pages every time.
"""

import mimetypes
import os
import re
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.responses import accepts, respond
from lightboard.asgi.thread_pool import AsyncThreadPool

HASHED = re.compile(r"[-.][A-Za-z0-9_-]{8,}(?:\.lean)?\.[a-z0-9]+$")
FOR_A_YEAR = "public, max-age=31536000, immutable"
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))

TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
}
"""Defined here because the system's table may be wrong or missing."""


class Asset(NamedTuple):
    """One file to serve, and the compressed copies next to it."""

    file: Path
    media_type: str
    cache: str
    compressed: dict[str, Path]


class Assets:
    """An ASGI application for a folder. `missing` creates the page that is shown if there is no index.html."""

    def __init__(self, folder: Path, pool: AsyncThreadPool, missing: Callable[[Request], str]) -> None:
        self.folder = folder
        self.pool = pool
        self.missing = missing
        self._table: dict[str, Asset] = {}
        self._stamp = -1
        self._tags: dict[Path, tuple[tuple[int, ...], str]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve GET and HEAD. Raises HTTPException 404 or 405 for the enclosing application."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        asset = self.find(scope["path"])
        if asset is None and scope["path"] not in ("/", "/index.html"):
            raise HTTPException(404)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        response = await self.respond_with(request, asset) if asset else await self.respond_missing(request)
        await response(scope, receive, send)

    def find(self, path: str) -> Asset | None:
        """The file at a path, or None. The table is rebuilt when the pages are."""
        stamp = modified_ns(self.folder / "index.html")
        if stamp != self._stamp:
            self._table, self._stamp = table_of(self.folder), stamp
        return self._table.get("/index.html" if path == "/" else path)

    async def respond_with(self, request: Request, asset: Asset) -> Response:
        """The file, compressed if the client accepts it, or 304 if the client has it."""
        encoding, file = next(
            (pair for pair in asset.compressed.items() if accepts(request, pair[0])), ("", asset.file)
        )
        tag, body = await self.pool.call(self.read, asset, file, request.headers.get("if-none-match"))
        headers = {"cache-control": asset.cache, "etag": tag, "vary": "accept-encoding"}
        if body is None:
            return Response(status_code=304, headers=headers)
        if encoding:
            return Response(body, headers=headers | {"content-encoding": encoding}, media_type=asset.media_type)
        return await respond(request, body, asset.media_type, pool=self.pool, headers=headers)

    def read(self, asset: Asset, file: Path, known: str | None) -> tuple[str, bytes | None]:
        """The ETag of an asset and the content of `file`, or None if the client's ETag `known` matches."""
        tag = self.tag_of(asset.file)
        return tag, None if tag == known else file.read_bytes()

    def tag_of(self, file: Path) -> str:
        """The ETag of a file. It is a digest of the content, because builds give different files equal times."""
        status = file.stat()
        state = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
        known = self._tags.get(file)
        if known is None or known[0] != state:
            known = self._tags[file] = state, f'"{blake2b(file.read_bytes(), digest_size=12).hexdigest()}"'
        return known[1]

    async def respond_missing(self, request: Request) -> Response:
        """The page that says how to build the pages."""
        return await respond(request, self.missing(request).encode(), TYPES[".html"], pool=self.pool)


def table_of(folder: Path) -> dict[str, Asset]:
    """Every file below `folder` by its path. Links out of the folder are not followed.

    Raises OSError if a folder cannot be listed.
    """
    table = {}
    for directory, _, names in os.walk(folder, onerror=raise_unless_missing):
        present = set(names)
        for name in names:
            if name.endswith((".br", ".gz")):
                continue
            file = Path(directory, name)
            address = "/" + file.relative_to(folder).as_posix()
            compressed = {
                encoding: Path(directory, name + ending) for encoding, ending in ENCODINGS if name + ending in present
            }
            table[address] = Asset(file, media_type_of(name), cache_of(address), compressed)
    return table


def raise_unless_missing(error: OSError) -> None:
    """Raise errors other than missing folders, such as no free descriptors. An incomplete table would be cached."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def media_type_of(name: str) -> str:
    """The media type by the extension of a name."""
    ending = os.path.splitext(name)[1].lower()
    return TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def cache_of(address: str) -> str:
    """Cache-Control: a year for names with a hash, revalidation for all others."""
    return FOR_A_YEAR if address.startswith("/assets/") and HASHED.search(address) else "no-cache"


def modified_ns(file: Path) -> int:
    """The modification time of a file, 0 if it does not exist."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
