"""Bytes that lie in an event file, on their way to a browser: streamed a piece at a time, ranges included.

Nothing that comes out here may act: types are told, never guessed by the browser, and what a browser would run is
boxed in. Not here: which bytes, and of which type.
"""

import re
from collections.abc import AsyncIterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lightboard.board.board import Board
from lightboard.errors import ValueNotFound
from lightboard.query.values import Place
from lightboard.untrusted.numbers import whole_number

PIECE_BYTES = 256 << 10
"""Read and sent at a time, so that memory does not grow with what is sent."""

BOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For everything that came out of a log: opened in a tab of its own it can run nothing and ask nobody."""

WHOLE_BYTES = 4 << 20
"""A value up to this size is read at once and known by its content. A larger one has no ETag: other bytes in its
middle could not be told without reading it twice."""

MOST_NAME_CHARACTERS = 180
"""Of a file to be saved; file systems take 255, and proxies headers of some thousand."""

ONE_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)")


class Cut(NamedTuple):
    """A part of a value: `begin` and `end` in bytes from its beginning."""

    place: Place
    begin: int
    end: int


def etag_of(content: bytes) -> str:
    """Stands for these bytes and no others."""
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


async def stream(
    request: Request, board: Board, cut: Cut, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """The bytes of `cut`, or the one range of them that the request names. Raises ValueNotFound before any are sent."""
    size = cut.end - cut.begin
    whole = size <= WHOLE_BYTES
    first = size if whole else 1
    content = await board.pool.call(board.provider.read, cut.place, cut.begin, first)
    if len(content) < first:
        raise ValueNotFound("the file ends before the value does", hint="reload")
    etag = etag_of(content) if whole else None
    fields = {
        "cache-control": "private, no-cache",
        **({"etag": etag} if etag else {}),
        "accept-ranges": "bytes",
        "content-security-policy": BOX,
        "cross-origin-resource-policy": "same-origin",
        **(headers or {}),
    }
    if etag and request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=fields)
    begin, end, status = 0, size, 200
    wanted = ONE_RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if wanted and wanted.group() != "bytes=-" and begins_so(request, etag):
        begin, end = span_of(wanted, size)
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
        pieces(board, Cut(cut.place, cut.begin + begin, cut.begin + end)), status, headers=fields, media_type=media_type
    )


def begins_so(request: Request, etag: str | None) -> bool:
    """May a range be given? Not to who has the rest of other bytes."""
    return request.headers.get("if-range", etag) == etag


def span_of(wanted: re.Match[str], size: int) -> tuple[int, int]:
    """The bytes that a Range header names, [begin, end); empty where there are none."""
    first, last = wanted.groups()
    begin, end = (min(number, size) if (number := whole_number(text)) is not None else size for text in wanted.groups())
    if not first:
        return size - end, size
    return begin, min(size, end + 1) if last else size


async def pieces(board: Board, cut: Cut) -> AsyncIterator[bytes]:
    """The bytes one piece after the other; where the file ends early the answer breaks off: its head is long gone."""
    at = cut.begin
    while at < cut.end:
        piece = await board.pool.call(board.provider.read, cut.place, at, min(PIECE_BYTES, cut.end - at))
        if not piece:
            raise OSError("the file ended before the value did")
        at += len(piece)
        yield piece


def attachment(name: str) -> dict[str, str]:
    """The header that has a browser save what comes under `name`, of a long one under its beginning and end."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._") or "value"
    if len(plain) > MOST_NAME_CHARACTERS:
        half = MOST_NAME_CHARACTERS // 2
        plain = f"{plain[:half]}_{plain[1 - half :]}"
    return {"content-disposition": f'attachment; filename="{plain}"'}
