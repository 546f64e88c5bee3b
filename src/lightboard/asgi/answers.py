"""Bodies on their way out: JSON, text and bytes, squeezed when the client can take it.

Not here: what errors look like (`asgi.errors`), headers every answer carries (`asgi.guard`).
"""

import re
import zlib
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.thread_pool import AsyncThreadPool

SMALLEST_SQUEEZED = 1024
"""Below this many bytes gzip saves less than a packet."""

LARGEST_INLINE = 32 * 1024
"""Above this many bytes compression would hold up the event loop for more than a fraction of a millisecond."""

ZERO_WEIGHT = re.compile(r"q=0(\.0*)?")

SPEED_LEVEL = 1
"""Numbers as text shrink 3.3 times at level 1 and 3.6 times at level 6, which costs 2.5 times as much."""


async def respond(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    pool: AsyncThreadPool,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer with `body`, gzipped if it is text, long enough and the client accepts it."""
    fields = {"cache-control": "no-cache", **(headers or {})}
    if is_textual(media_type):
        fields["vary"] = "accept-encoding"
        if len(body) >= SMALLEST_SQUEEZED and accepts(request, "gzip"):
            body = gzipped(body) if len(body) <= LARGEST_INLINE else await pool.call(gzipped, body)
            fields["content-encoding"] = "gzip"
    return Response(body, status, headers=fields, media_type=media_type)


def is_textual(media_type: str) -> bool:
    """Does this type squeeze well? Columns of floats do not."""
    return media_type.startswith("text/") or media_type.partition(";")[0] in {
        "application/json",
        "application/javascript",
        "image/svg+xml",
    }


def accepts(request: Request, encoding: str) -> bool:
    """Does Accept-Encoding name `encoding` (or `*`) without refusing it by q=0?"""
    for item in request.headers.get("accept-encoding", "").split(","):
        name, _, parameters = item.strip().partition(";")
        if name.strip().lower() in (encoding, "*"):
            return not ZERO_WEIGHT.fullmatch(parameters.strip().lower())
    return False


def gzipped(body: bytes) -> bytes:
    """`body` as one gzip member without a time stamp, so that equal answers are equal bytes."""
    press = zlib.compressobj(SPEED_LEVEL, zlib.DEFLATED, 31)
    return press.compress(body) + press.flush()
