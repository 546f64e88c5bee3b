"""Encoded responses are computed once for each version, within bounds."""

import asyncio
import gzip
import hashlib
import threading
from collections.abc import Awaitable, Callable

import pytest
from starlette.requests import Request
from starlette.responses import StreamingResponse

from lightboard.asgi.response_cache import CachedResponse, ResponseCache
from lightboard.asgi.responses import gzip_bytes
from lightboard.asgi.scheduler import PIECE_BYTES, Lane, Pieces, Scheduler
from lightboard.testing.async_runner import run_async

LONG = b"x" * 5000


def on(story: Callable[[ResponseCache], Awaitable[None]], capacity: int = 1 << 20) -> None:
    """Play a story with a cache."""
    pool = Scheduler({"lists": Lane(1)})
    try:
        run_async(story(ResponseCache(pool, capacity)))
    finally:
        pool.close(wait=True)


def store(body: bytes) -> CachedResponse:
    """What is kept of a body that is not short."""
    return CachedResponse(gzip_bytes(body), True, f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"')


class Maker:
    """Gives a body in three pieces, giving way once, and counts how often it was asked to."""

    def __init__(self, body: bytes = LONG) -> None:
        self.body = body
        self.made = 0

    def __call__(self) -> Pieces:
        self.made += 1
        yield self.body[:1]
        yield None
        yield self.body[1:]


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "headers": raw})


def test_responses_are_computed_once_per_version() -> None:
    """Asked again it is there; of another version it is made anew."""

    async def story(cache: ResponseCache) -> None:
        make = Maker()
        first = await cache.get("runs", 1, make)
        again = await cache.get("runs", 1, make)
        assert (make.made, again) == (1, first)
        await cache.get("runs", 2, make)
        assert make.made == 2

    on(story)


def test_concurrent_requests_share_one_computation() -> None:
    """Of fifty, one does the work."""

    async def story(cache: ResponseCache) -> None:
        begun, go, make = threading.Event(), threading.Event(), Maker()

        def slowly() -> Pieces:
            begun.set()
            go.wait()
            yield from make()

        asked = [asyncio.create_task(cache.get("runs", 1, slowly)) for _ in range(50)]
        await asyncio.to_thread(begun.wait)
        go.set()
        answers = await asyncio.gather(*asked)
        assert (make.made, set(answers)) == (1, {store(LONG)})

    on(story)


def test_the_computation_continues_when_the_first_client_leaves() -> None:
    """For the others."""

    async def story(cache: ResponseCache) -> None:
        begun, go, make = threading.Event(), threading.Event(), Maker()

        def slowly() -> Pieces:
            begun.set()
            go.wait()
            yield from make()

        first = asyncio.create_task(cache.get("runs", 1, slowly))
        await asyncio.to_thread(begun.wait)
        second = asyncio.create_task(cache.get("runs", 1, make))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        go.set()
        assert (await second, make.made) == (store(LONG), 1)

    on(story)


def test_errors_are_not_cached() -> None:
    """The next request tries again."""

    async def story(cache: ResponseCache) -> None:
        def fail() -> Pieces:
            yield None
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await cache.get("runs", 1, fail)
        assert await cache.get("runs", 1, Maker()) == store(LONG)

    on(story)


def test_the_least_recently_used_are_evicted() -> None:
    """By encoded size."""
    bodies = {name: name.encode() * 9000 for name in "abc"}
    size = len(store(bodies["a"]).data)

    async def story(cache: ResponseCache) -> None:
        makers = {name: Maker(body) for name, body in bodies.items()}
        for name in ("a", "b", "a", "c", "a", "b"):
            await cache.get(name, 1, makers[name])
        assert {name: maker.made for name, maker in makers.items()} == {"a": 1, "b": 2, "c": 1}

    on(story, capacity=2 * size)


def test_responses_larger_than_the_cache_are_sent() -> None:
    """But not stored."""

    async def story(cache: ResponseCache) -> None:
        make = Maker()
        assert await cache.get("runs", 1, make) == await cache.get("runs", 1, make) == store(LONG)
        assert make.made == 2

    on(story, capacity=10)


def test_matching_etags_get_304() -> None:
    """Whatever the content encoding."""

    async def story(cache: ResponseCache) -> None:
        first = await cache.respond(request(accept_encoding="gzip"), "runs", 1, Maker(), "application/json")
        assert (first.status_code, first.headers["content-encoding"]) == (200, "gzip")
        assert gzip.decompress(bytes(first.body)) == LONG
        tag = first.headers["etag"]
        same = await cache.respond(request(if_none_match=f'"other", {tag}'), "runs", 2, Maker(), "application/json")
        assert (same.status_code, bytes(same.body), same.headers["etag"]) == (304, b"", tag)
        other = await cache.respond(request(if_none_match=tag), "runs", 3, Maker(b"{}"), "application/json")
        assert (other.status_code, bytes(other.body)) == (200, b"{}")

    on(story)


def test_a_client_without_gzip_gets_plain_bytes() -> None:
    """Although responses are stored compressed."""

    async def story(cache: ResponseCache) -> None:
        answer = await cache.respond(request(), "runs", 1, Maker(), "application/json")
        assert (bytes(answer.body), answer.headers.get("content-encoding")) == (LONG, None)

    on(story)


def test_long_responses_are_decompressed_as_streams() -> None:
    """A client without gzip needs no more memory."""
    body = bytes(range(256)) * 8192

    async def story(cache: ResponseCache) -> None:
        answer = await cache.respond(request(), "runs", 1, Maker(body), "application/json")
        assert isinstance(answer, StreamingResponse)
        pieces = [bytes(piece) async for piece in answer.body_iterator]
        assert (b"".join(pieces), max(map(len, pieces)) <= 2 * PIECE_BYTES) == (body, True)

    on(story)
