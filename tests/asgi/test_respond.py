"""Compression of responses."""

import gzip
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.responses import MAX_INLINE_BYTES, MIN_GZIP_BYTES, accepts, gzip_bytes, respond
from lightboard.asgi.thread_pool import AsyncThreadPool
from support.asgi_client import send_request


@pytest.fixture
def pool() -> Iterator[AsyncThreadPool]:
    """Where long bodies are compressed."""
    pool = AsyncThreadPool(1)
    yield pool
    pool.close(wait=True)


def app_answering(pool: AsyncThreadPool, body: bytes, media_type: str) -> Starlette:
    async def answer(request: Request) -> Response:
        return await respond(request, body, media_type, pool=pool)

    return Starlette(routes=[Route("/", answer)])


@pytest.mark.parametrize("length", [MIN_GZIP_BYTES, MAX_INLINE_BYTES + 1])
def test_long_text_is_compressed(pool: AsyncThreadPool, length: int) -> None:
    """In the loop or in a thread; it decompresses to the original."""
    answer = send_request(app_answering(pool, b"x" * length, "application/json"), "GET", "/")

    assert (answer.headers["content-encoding"], answer.content) == ("gzip", b"x" * length)


@pytest.mark.parametrize(
    ("length", "media_type", "accepted"),
    [(10, "text/plain", "gzip"), (5000, "application/octet-stream", "gzip"), (5000, "text/plain", "identity")],
)
def test_incompressible_bodies_are_sent_plain(
    pool: AsyncThreadPool, length: int, media_type: str, accepted: str
) -> None:
    """Short text, binary columns, and clients without gzip."""
    answer = send_request(
        app_answering(pool, b"x" * length, media_type), "GET", "/", headers={"accept-encoding": accepted}
    )

    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("", False),
        ("br", False),
    ],
)
def test_accept_encoding_weights_count(header: str, accepted: bool) -> None:
    """q=0 refuses."""
    request = Request({"type": "http", "headers": [(b"accept-encoding", header.encode())]})

    assert accepts(request, "gzip") is accepted


def test_compression_is_deterministic() -> None:
    """No time stamp inside."""
    assert gzip_bytes(b"abc" * 1000) == gzip_bytes(b"abc" * 1000)
    assert gzip.decompress(gzip_bytes(b"abc")) == b"abc"
