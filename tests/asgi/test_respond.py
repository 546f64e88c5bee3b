"""Squeezing of answers."""

import gzip

import pytest
from speaking import ask
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.answers import LARGEST_INLINE, SMALLEST_SQUEEZED, accepts, gzipped, respond
from lightboard.asgi.thread_pool import AsyncThreadPool

POOL = AsyncThreadPool(1)


def app_answering(body: bytes, media_type: str) -> Starlette:
    async def answer(request: Request) -> Response:
        return await respond(request, body, media_type, pool=POOL)

    return Starlette(routes=[Route("/", answer)])


@pytest.mark.parametrize("length", [SMALLEST_SQUEEZED, LARGEST_INLINE + 1])
def test_long_text_is_squeezed_and_comes_out_as_it_was(length: int) -> None:
    """In the loop or in a thread."""
    answer = ask(app_answering(b"x" * length, "application/json"), "GET", "/")

    assert (answer.headers["content-encoding"], answer.content) == ("gzip", b"x" * length)


@pytest.mark.parametrize(
    ("length", "media_type", "accepted"),
    [(10, "text/plain", "gzip"), (5000, "application/octet-stream", "gzip"), (5000, "text/plain", "identity")],
)
def test_what_would_not_gain_is_sent_as_it_is(length: int, media_type: str, accepted: str) -> None:
    """Short text, columns, and clients that do not take it."""
    answer = ask(app_answering(b"x" * length, media_type), "GET", "/", headers={"accept-encoding": accepted})

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
def test_accept_encoding_is_read_with_its_weights(header: str, accepted: bool) -> None:
    """q=0 refuses."""
    request = Request({"type": "http", "headers": [(b"accept-encoding", header.encode())]})

    assert accepts(request, "gzip") is accepted


def test_equal_bodies_are_squeezed_equally() -> None:
    """No time stamp inside."""
    assert gzipped(b"abc" * 1000) == gzipped(b"abc" * 1000)
    assert gzip.decompress(gzipped(b"abc")) == b"abc"
