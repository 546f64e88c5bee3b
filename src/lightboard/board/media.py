"""Bytes that lie in an event file, on their way to a browser: streamed a piece at a time, ranges included.

Nothing that comes out here may act: types are told, never guessed by the browser, and what a browser would run is
boxed in. Not here: which bytes, and of which type.
"""

import re
from collections.abc import AsyncIterator, Mapping
from typing import NamedTuple
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lightboard.board.board import Board
from lightboard.errors import ValueNotFound
from lightboard.query.values import Place

PIECE_BYTES = 256 << 10
"""Read and sent at a time, so that memory does not grow with what is sent."""

BOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For everything that came out of a log: opened in a tab of its own it can run nothing and ask nobody."""

TASTE_BYTES = 4096
"""So much of a value is read to know it again."""

ONE_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


class Cut(NamedTuple):
    """A part of a value: `begin` and `end` in bytes from its beginning."""

    place: Place
    begin: int
    end: int


def etag_of(cut: Cut, beginning: bytes) -> str:
    """Stands for these bytes: another file under the same name would hardly begin with the same ones."""
    where = f"{cut.place.run}:{cut.place.file}:{cut.place.offset}:{cut.begin}:{cut.end}:"
    return f'"{crc32(where.encode() + beginning):08x}-{cut.end - cut.begin:x}"'


async def stream(
    request: Request, board: Board, cut: Cut, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """The bytes of `cut`, or the one range of them that the request names. Raises ValueNotFound before any are sent."""
    size = cut.end - cut.begin
    tasted = min(size, TASTE_BYTES)
    beginning = await board.pool.call(board.provider.read, cut.place, cut.begin, tasted)
    fields = {
        "cache-control": "private, no-cache",
        "etag": etag_of(cut, beginning),
        "accept-ranges": "bytes",
        "content-security-policy": BOX,
        "cross-origin-resource-policy": "same-origin",
        **(headers or {}),
    }
    if len(beginning) < tasted:
        raise ValueNotFound("the file ends before the value does", hint="reload")
    if request.headers.get("if-none-match") == fields["etag"]:
        return Response(status_code=304, headers=fields)
    begin, end, status = 0, size, 200
    wanted = ONE_RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if wanted and wanted.group() != "bytes=-" and begins_so(request, fields["etag"]):
        begin, end = span_of(wanted, size)
        if begin >= end:
            return Response(status_code=416, headers={**fields, "content-range": f"bytes */{size}"})
        status = 206
        fields["content-range"] = f"bytes {begin}-{end - 1}/{size}"
    fields["content-length"] = str(end - begin)
    if request.method == "HEAD":
        return Response(status_code=status, headers=fields, media_type=media_type)
    return StreamingResponse(
        pieces(board, Cut(cut.place, cut.begin + begin, cut.begin + end)), status, headers=fields, media_type=media_type
    )


def begins_so(request: Request, etag: str) -> bool:
    """May a range be given? Not to who has the rest of other bytes."""
    return request.headers.get("if-range", etag) == etag


def span_of(wanted: re.Match[str], size: int) -> tuple[int, int]:
    """The bytes that a Range header names, [begin, end); empty where there are none."""
    first, last = wanted.groups()
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(size, int(last) + 1) if last else size


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
    """The header that has a browser save what comes under `name`."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._") or "value"
    return {"content-disposition": f'attachment; filename="{plain}"'}
