"""A cache of encoded responses by version, stored compressed. Concurrent requests for one response create it once."""

import asyncio
import hashlib
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.responses import MIN_GZIP_BYTES, accepts
from lightboard.asgi.scheduler import PIECE_BYTES, Pieces, Scheduler, shared_context
from lightboard.asgi.streaming import gzip_pieces, stream_as_is

CAPACITY_BYTES = 32 << 20
"""For all boards of a process. Compressed, so this is about 300 MB of JSON."""


class CachedResponse(NamedTuple):
    """A body, gzipped unless it is short, and its ETag: a digest of the uncompressed body."""

    data: bytes
    is_gzipped: bool
    etag: str


class ResponseCache:
    """An LRU cache of at most `capacity` bytes.

    Each response has a key and the version of its data. A request with another version creates it again.
    """

    def __init__(self, pool: Scheduler, capacity: int = CAPACITY_BYTES) -> None:
        self._pool = pool
        self._capacity = capacity
        self._entries: OrderedDict[Hashable, tuple[Hashable, CachedResponse]] = OrderedDict()
        self._size = 0
        self._making: dict[tuple[Hashable, Hashable], asyncio.Task[CachedResponse]] = {}

    async def get(self, key: Hashable, version: Hashable, make: Callable[[], Pieces]) -> CachedResponse:
        """The response of `key` at `version`. If it is not cached, it is created from `make()` in a thread.

        `version` must be read before the call, so that changes while `make` runs lead to another version. Concurrent
        calls wait for the same result, which is completed even if all of them are cancelled.
        """
        cached = self._entries.get(key)
        if cached is not None and cached[0] == version:
            self._entries.move_to_end(key)
            return cached[1]
        task = self._making.get((key, version))
        if task is None:
            task = asyncio.create_task(self._make(key, version, make), context=shared_context())
            self._making[key, version] = task
            task.add_done_callback(lambda _: self._making.pop((key, version), None))
        return await asyncio.shield(task)

    async def respond(
        self, request: Request, key: Hashable, version: Hashable, make: Callable[[], Pieces], media_type: str
    ) -> Response:
        """The response to `request`, or 304 if the client has it."""
        response = await self.get(key, version, make)
        headers = {"cache-control": "no-cache", "etag": response.etag, "vary": "accept-encoding"}
        if response.etag in [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]:
            return Response(status_code=304, headers=headers)
        if response.is_gzipped and not accepts(request, "gzip"):
            return await stream_as_is(request, decompress(response.data), media_type, pool=self._pool, headers=headers)
        if response.is_gzipped:
            headers["content-encoding"] = "gzip"
        return Response(response.data, headers=headers, media_type=media_type)

    async def _make(self, key: Hashable, version: Hashable, make: Callable[[], Pieces]) -> CachedResponse:
        compressed = _CompressedStream(make())
        data = b"".join([piece async for piece, _ in self._pool.stream(compressed.pieces())])
        response = compressed.stored(data)
        self._drop(key)
        self._entries[key] = (version, response)
        self._size += len(response.data)
        while self._size > self._capacity:
            self._drop(next(iter(self._entries)))
        return response

    def _drop(self, key: Hashable) -> None:
        cached = self._entries.pop(key, None)
        if cached is not None:
            self._size -= len(cached[1].data)


class _CompressedStream:
    """A response that is compressed while it is generated, so that it is never in memory uncompressed."""

    def __init__(self, source: Pieces) -> None:
        self._source = source
        self._digest = hashlib.blake2b(digest_size=12)
        self._size = 0
        self._beginning = b""

    def pieces(self) -> Pieces:
        """The response as one gzip member without a time stamp."""
        return gzip_pieces(self._record_all())

    def _record_all(self) -> Pieces:
        """Pass the pieces on, and record their digest and size."""
        try:
            for piece in self._source:
                if isinstance(piece, bytes):
                    self._record(piece)
                yield piece
        finally:
            self._source.close()

    def stored(self, data: bytes) -> CachedResponse:
        """The entry of the cache. `data` are all compressed pieces."""
        etag = f'W/"{self._digest.hexdigest()}"'
        if self._size < MIN_GZIP_BYTES:
            return CachedResponse(self._beginning, False, etag)
        return CachedResponse(data, True, etag)

    def _record(self, piece: bytes) -> None:
        self._digest.update(piece)
        if self._size < MIN_GZIP_BYTES:
            self._beginning += piece[:MIN_GZIP_BYTES]
        self._size += len(piece)


def decompress(data: bytes) -> Pieces:
    """One gzip member decompressed, for clients that do not accept gzip."""
    press = zlib.decompressobj(31)
    while data:
        yield press.decompress(data, PIECE_BYTES)
        data = press.unconsumed_tail
    yield press.flush()
