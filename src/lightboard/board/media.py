"""Streams bytes of event files to browsers, with support for ranges.

The content is untrusted and must not run: types are sent explicitly, and the Content-Security-Policy sandboxes it. Not
here: which bytes, and their type.
"""

import re
from collections.abc import AsyncIterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lightboard.asgi.scheduler import Scheduler
from lightboard.errors import ValueNotFound
from lightboard.query.provider import ValueProvider
from lightboard.query.values import ValueLocation
from lightboard.untrusted.numbers import whole_number

PIECE_BYTES = 256 << 10
"""Bytes read and sent at a time, so that memory use is constant."""

SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of content from logs: opened in a tab, it can run no scripts and make no requests."""

WHOLE_BYTES = 4 << 20
"""Values up to this size are read at once, and have an ETag of their content. An ETag of a larger one would require
reading it twice."""

MAX_NAME_CHARACTERS = 180
"""Limit of the names of downloads. File systems allow 255."""

ONE_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)")


class ByteRange(NamedTuple):
    """A part of a value, as offsets from its beginning."""

    location: ValueLocation
    begin: int
    end: int


def etag_of(content: bytes) -> str:
    """A digest of the content."""
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


async def stream(
    request: Request,
    provider: ValueProvider,
    pool: Scheduler,
    byte_range: ByteRange,
    media_type: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The bytes of `byte_range`, or the part that a Range header names. Raises ValueNotFound before sending any."""
    size = byte_range.end - byte_range.begin
    whole = size <= WHOLE_BYTES
    first = size if whole else 1
    content = await pool.call(provider.read, byte_range.location, byte_range.begin, first)
    if len(content) < first:
        raise ValueNotFound("the file ends before the value does", hint="reload")
    etag = etag_of(content) if whole else None
    fields = {
        "cache-control": "private, no-cache",
        **({"etag": etag} if etag else {}),
        "accept-ranges": "bytes",
        "content-security-policy": SANDBOX,
        "cross-origin-resource-policy": "same-origin",
        **(headers or {}),
    }
    if etag and request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=fields)
    begin, end, status = 0, size, 200
    range_header = ONE_RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if range_header and range_header.group() != "bytes=-" and accepts_range(request, etag):
        begin, end = span_of(range_header, size)
        if begin >= end:
            return Response(status_code=416, headers={**fields, "content-range": f"bytes */{size}"})
        status = 206
        fields["content-range"] = f"bytes {begin}-{end - 1}/{size}"
    fields["content-length"] = str(end - begin)
    if request.method == "HEAD":
        return Response(status_code=status, headers=fields, media_type=media_type)
    if whole:
        return Response(content[begin:end], status, headers=fields, media_type=media_type)
    return StreamingResponse(
        pieces(provider, pool, ByteRange(byte_range.location, byte_range.begin + begin, byte_range.begin + end)),
        status,
        headers=fields,
        media_type=media_type,
    )


def accepts_range(request: Request, etag: str | None) -> bool:
    """Whether a range may be sent: not if If-Range has another ETag."""
    return request.headers.get("if-range", etag) == etag


def span_of(range_header: re.Match[str], size: int) -> tuple[int, int]:
    """The bytes [begin, end) of a Range header; empty if there are none."""
    first, last = range_header.groups()
    begin, end = (
        min(number, size) if (number := whole_number(text)) is not None else size for text in range_header.groups()
    )
    if not first:
        return size - end, size
    return begin, min(size, end + 1) if last else size


async def pieces(provider: ValueProvider, pool: Scheduler, byte_range: ByteRange) -> AsyncIterator[bytes]:
    """The bytes in pieces. If the file ends early, the response is aborted."""
    position = byte_range.begin
    while position < byte_range.end:
        piece = await pool.call(
            provider.read, byte_range.location, position, min(PIECE_BYTES, byte_range.end - position)
        )
        if not piece:
            raise OSError("the file ended before the value did")
        position += len(piece)
        yield piece


def attachment(name: str) -> dict[str, str]:
    """The header that makes browsers save the response as `name`, shortened in the middle if it is long."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._") or "value"
    if len(plain) > MAX_NAME_CHARACTERS:
        half = MAX_NAME_CHARACTERS // 2
        plain = f"{plain[:half]}_{plain[1 - half :]}"
    return {"content-disposition": f'attachment; filename="{plain}"'}
