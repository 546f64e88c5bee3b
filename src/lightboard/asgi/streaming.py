"""Responses that are sent while they are generated. Short ones are sent in one piece with a Content-Length.

`asgi.scheduling_middleware` cancels them when the client disconnects, and `asgi.scheduler` limits how much is generated
ahead.
"""

import zlib
from collections.abc import AsyncGenerator, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from lightboard.asgi.responses import SPEED_LEVEL, accepts, is_textual
from lightboard.asgi.scheduler import Pieces, ResponseStream, Scheduler

COMPRESSED_BYTES = 8 << 10
"""Bytes compressed in one call, since a call has a fixed cost."""


async def stream(
    request: Request,
    pieces: Pieces,
    media_type: str,
    *,
    pool: Scheduler,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """200 with what `pieces` yields, gzipped if it is text and the client accepts it.

    Exceptions before the first bytes are sent are raised here. Later ones abort the response.
    """
    fields = {"cache-control": "no-cache", **(headers or {})}
    if is_textual(media_type):
        fields["vary"] = "accept-encoding"
        if accepts(request, "gzip"):
            pieces = gzip_pieces(pieces)
            fields["content-encoding"] = "gzip"
    return await stream_as_is(request, pieces, media_type, pool=pool, headers=fields)


async def stream_as_is(
    request: Request, pieces: Pieces, media_type: str, *, pool: Scheduler, headers: Mapping[str, str]
) -> Response:
    """200 with the bytes of `pieces` and these headers. Errors as `stream`."""
    chunks = pool.stream(pieces)
    first, last = await anext(chunks)
    if last or request.method == "HEAD":
        chunks.close()
        return Response(first if last else b"", headers=headers, media_type=media_type)
    return Stream(first, chunks, headers, media_type)


class Stream(StreamingResponse):
    """A response whose first piece has been generated."""

    def __init__(
        self,
        first: bytes,
        chunks: ResponseStream,
        headers: Mapping[str, str],
        media_type: str,
    ) -> None:
        super().__init__(all_pieces(first, chunks), headers=headers, media_type=media_type)
        self.chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        """An ASGI application for one request."""
        try:
            await self.stream_response(send)
        finally:
            self.chunks.close()


async def all_pieces(first: bytes, chunks: ResponseStream) -> AsyncGenerator[bytes, None]:
    """The first piece, then the remaining ones."""
    yield first
    async for piece, _ in chunks:
        yield piece


def gzip_pieces(pieces: Pieces) -> Pieces:
    """Compress pieces to one gzip member without a time stamp, so that equal bodies compress to equal bytes."""
    press = zlib.compressobj(SPEED_LEVEL, zlib.DEFLATED, 31)
    waiting: list[bytes] = []
    size = 0
    try:
        for piece in pieces:
            if not isinstance(piece, bytes):
                yield piece
                continue
            waiting.append(piece)
            size += len(piece)
            if size < COMPRESSED_BYTES:
                yield None
                continue
            yield press.compress(b"".join(waiting))
            waiting, size = [], 0
        yield press.compress(b"".join(waiting)) + press.flush()
    finally:
        pieces.close()
