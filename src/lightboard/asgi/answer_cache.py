"""Encoded answers that hold until something changes, kept compressed, made once however many ask at the same time."""

import asyncio
import hashlib
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.answers import SMALLEST_SQUEEZED, accepts
from lightboard.asgi.scheduler import PIECE_BYTES, Pieces, Scheduler, shared_context
from lightboard.asgi.streaming import gzipped_pieces, stream_as_is

CAPACITY_BYTES = 32 << 20
"""For all boards of a process; answers are kept compressed, so that this is some 300 MB of JSON."""


class StoredAnswer(NamedTuple):
    """A body, gzipped unless it is short, and its ETag: a digest of what it says, whatever the encoding."""

    data: bytes
    is_gzipped: bool
    etag: str


class AnswerCache:
    """Least recently used answers go first once all of them exceed `capacity` bytes.

    Each stands under a key and has the version of what it was made of; one with another version is made anew.
    """

    def __init__(self, pool: Scheduler, capacity: int = CAPACITY_BYTES) -> None:
        self._pool = pool
        self._capacity = capacity
        self._kept: OrderedDict[Hashable, tuple[Hashable, StoredAnswer]] = OrderedDict()
        self._size = 0
        self._making: dict[tuple[Hashable, Hashable], asyncio.Task[StoredAnswer]] = {}

    async def get(self, key: Hashable, version: Hashable, make: Callable[[], Pieces]) -> StoredAnswer:
        """The answer under `key`; if none of this version is kept, it is made of the pieces of `make()`, in a thread.

        `version` must be read before: what changes while `make` runs must raise it once more. Who asks while another's
        answer is being made waits for that one, which is finished even if nobody waits any more.
        """
        kept = self._kept.get(key)
        if kept is not None and kept[0] == version:
            self._kept.move_to_end(key)
            return kept[1]
        task = self._making.get((key, version))
        if task is None:
            task = asyncio.create_task(self._make(key, version, make), context=shared_context())
            self._making[key, version] = task
            task.add_done_callback(lambda _: self._making.pop((key, version), None))
        return await asyncio.shield(task)

    async def respond(
        self, request: Request, key: Hashable, version: Hashable, make: Callable[[], Pieces], media_type: str
    ) -> Response:
        """The answer to `request`: 304 if the client has it already."""
        answer = await self.get(key, version, make)
        headers = {"cache-control": "no-cache", "etag": answer.etag, "vary": "accept-encoding"}
        if answer.etag in [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]:
            return Response(status_code=304, headers=headers)
        if answer.is_gzipped and not accepts(request, "gzip"):
            return await stream_as_is(request, unzipped(answer.data), media_type, pool=self._pool, headers=headers)
        if answer.is_gzipped:
            headers["content-encoding"] = "gzip"
        return Response(answer.data, headers=headers, media_type=media_type)

    async def _make(self, key: Hashable, version: Hashable, make: Callable[[], Pieces]) -> StoredAnswer:
        squeezed = _Squeezed(make())
        data = b"".join([piece async for piece, _ in self._pool.stream(squeezed.pieces())])
        answer = squeezed.stored(data)
        self._drop(key)
        self._kept[key] = (version, answer)
        self._size += len(answer.data)
        while self._size > self._capacity:
            self._drop(next(iter(self._kept)))
        return answer

    def _drop(self, key: Hashable) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._size -= len(kept[1].data)


class _Squeezed:
    """An answer that is compressed while it is made, so that it is never held as it is."""

    def __init__(self, made: Pieces) -> None:
        self._made = made
        self._digest = hashlib.blake2b(digest_size=12)
        self._size = 0
        self._beginning = b""

    def pieces(self) -> Pieces:
        """One gzip member without a time stamp."""
        return gzipped_pieces(self._noted())

    def _noted(self) -> Pieces:
        """The same pieces."""
        try:
            for piece in self._made:
                if isinstance(piece, bytes):
                    self._note(piece)
                yield piece
        finally:
            self._made.close()

    def stored(self, data: bytes) -> StoredAnswer:
        """What is kept, once `data` was made of all pieces."""
        etag = f'W/"{self._digest.hexdigest()}"'
        if self._size < SMALLEST_SQUEEZED:
            return StoredAnswer(self._beginning, False, etag)
        return StoredAnswer(data, True, etag)

    def _note(self, piece: bytes) -> None:
        self._digest.update(piece)
        if self._size < SMALLEST_SQUEEZED:
            self._beginning += piece[:SMALLEST_SQUEEZED]
        self._size += len(piece)


def unzipped(data: bytes) -> Pieces:
    """One gzip member as it was, for clients that take none."""
    press = zlib.decompressobj(31)
    while data:
        yield press.decompress(data, PIECE_BYTES)
        data = press.unconsumed_tail
    yield press.flush()
