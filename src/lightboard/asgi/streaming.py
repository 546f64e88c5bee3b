"""Answers that are sent while they are made. What is short goes in one piece, with its length.

Whether the client is still there is seen to by `asgi.turns`, how much is made ahead of it by `asgi.scheduler`.
"""

import zlib
from collections.abc import AsyncGenerator, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from lightboard.asgi.answers import SPEED_LEVEL, accepts, is_textual
from lightboard.asgi.scheduler import AnswerStream, Pieces, Scheduler

SQUEEZED_BYTES = 8 << 10
"""Compressed at once: a row alone would cost more than its compression."""


async def stream(
    request: Request,
    pieces: Pieces,
    media_type: str,
    *,
    pool: Scheduler,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """200 with what `pieces` yields, gzipped on its way if it is text and the client accepts it.

    Errors that are raised before there is enough to be sent are raised here; later ones break the answer off.
    """
    fields = {"cache-control": "no-cache", **(headers or {})}
    if is_textual(media_type):
        fields["vary"] = "accept-encoding"
        if accepts(request, "gzip"):
            pieces = gzipped_pieces(pieces)
            fields["content-encoding"] = "gzip"
    return await stream_as_is(request, pieces, media_type, pool=pool, headers=fields)


async def stream_as_is(
    request: Request, pieces: Pieces, media_type: str, *, pool: Scheduler, headers: Mapping[str, str]
) -> Response:
    """200 with the bytes of `pieces` and these headers. Errors as `stream`."""
    coming = pool.stream(pieces)
    first, last = await anext(coming)
    if last or request.method == "HEAD":
        coming.close()
        return Response(first if last else b"", headers=headers, media_type=media_type)
    return Stream(first, coming, headers, media_type)


class Stream(StreamingResponse):
    """The rest of an answer, after its first piece."""

    def __init__(
        self,
        first: bytes,
        coming: AnswerStream,
        headers: Mapping[str, str],
        media_type: str,
    ) -> None:
        super().__init__(joined(first, coming), headers=headers, media_type=media_type)
        self.coming = coming

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        """An ASGI application for one request."""
        try:
            await self.stream_response(send)
        finally:
            self.coming.close()


async def joined(first: bytes, coming: AnswerStream) -> AsyncGenerator[bytes, None]:
    """All pieces."""
    yield first
    async for piece, _ in coming:
        yield piece


def gzipped_pieces(pieces: Pieces) -> Pieces:
    """The same as one gzip member without a time stamp, so that equal answers are equal bytes."""
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
            if size < SQUEEZED_BYTES:
                yield None
                continue
            yield press.compress(b"".join(waiting))
            waiting, size = [], 0
        yield press.compress(b"".join(waiting)) + press.flush()
    finally:
        pieces.close()
