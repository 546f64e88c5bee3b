"""Responses with JSON, text or bytes, gzipped if the client accepts it.

Not here: errors (`asgi.errors`) and headers of all responses (`asgi.guard`).
"""

import re
import zlib
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.thread_pool import AsyncThreadPool

MIN_GZIP_BYTES = 1024
"""Smaller bodies are not compressed, since that would save less than a packet."""

MAX_INLINE_BYTES = 32 * 1024
"""Larger bodies are compressed in a thread, since that takes more than a fraction of a millisecond."""

ZERO_WEIGHT = re.compile(r"q=0(\.0*)?")

SPEED_LEVEL = 1
"""Level 1 compresses numbers as text by 3.3, level 6 by 3.6 in 2.5 times the time."""


async def respond(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    pool: AsyncThreadPool,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A response with `body`, gzipped if it is text, long enough and the client accepts it."""
    fields = {"cache-control": "no-cache", **(headers or {})}
    if is_textual(media_type):
        fields["vary"] = "accept-encoding"
        if len(body) >= MIN_GZIP_BYTES and accepts(request, "gzip"):
            body = gzip_bytes(body) if len(body) <= MAX_INLINE_BYTES else await pool.call(gzip_bytes, body)
            fields["content-encoding"] = "gzip"
    return Response(body, status, headers=fields, media_type=media_type)


def is_textual(media_type: str) -> bool:
    """Whether a media type compresses well. Columns of floats do not."""
    return media_type.startswith("text/") or media_type.partition(";")[0] in {
        "application/json",
        "application/javascript",
        "image/svg+xml",
    }


def accepts(request: Request, encoding: str) -> bool:
    """Whether Accept-Encoding names `encoding` (or `*`) without q=0."""
    for item in request.headers.get("accept-encoding", "").split(","):
        name, _, parameters = item.strip().partition(";")
        if name.strip().lower() in (encoding, "*"):
            return not ZERO_WEIGHT.fullmatch(parameters.strip().lower())
    return False


def gzip_bytes(body: bytes) -> bytes:
    """Compress `body` to one gzip member without a time stamp, so that equal bodies compress to equal bytes."""
    press = zlib.compressobj(SPEED_LEVEL, zlib.DEFLATED, 31)
    return press.compress(body) + press.flush()
