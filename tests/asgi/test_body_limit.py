"""Limits of request bodies."""

from collections.abc import AsyncIterator

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from lightboard.asgi.body_limit import BodyLimit
from lightboard.asgi.errors import HANDLERS
from support.asgi_client import count_body_bytes, send_request

APP = BodyLimit(Starlette(routes=[Mount("/", app=count_body_bytes)], exception_handlers=dict(HANDLERS)), most_bytes=10)


async def pieces() -> AsyncIterator[bytes]:
    """A body whose length nobody announces."""
    for _ in range(4):
        yield b"12345"


def test_bodies_up_to_the_limit_pass() -> None:
    """To the byte."""
    assert send_request(APP, "POST", "/api/x", content=b"1234567890").text == "10"


@pytest.mark.parametrize("announced", [True, False])
def test_longer_bodies_are_refused(announced: bool) -> None:
    """With or without Content-Length."""
    answer = send_request(APP, "POST", "/api/x", content=b"12345678901" if announced else pieces())

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_some_routes_have_larger_limits() -> None:
    """And no other does."""
    app = BodyLimit(APP.app, most_bytes=10, larger={"/api/long": 20})

    assert [send_request(app, "POST", path, content=b"1" * 15).status_code for path in ("/api/long", "/api/x")] == [
        200,
        413,
    ]
    assert send_request(app, "POST", "/api/long", content=b"1" * 21).json()["error"]["code"] == "too_large"


@pytest.mark.parametrize("announced", [True, False])
def test_bodies_with_too_many_fields_are_refused(announced: bool) -> None:
    """Validation errors cost time for each; chunks are added up."""
    app = BodyLimit(APP.app, most_bytes=100, most_fields=5)

    async def in_pieces() -> AsyncIterator[bytes]:
        for _ in range(6):
            yield b'"a":1,'

    answer = send_request(app, "POST", "/api/x", content=b'"a":1,' * 6 if announced else in_pieces())

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert send_request(app, "POST", "/api/x", content=b'"a":1,' * 5).status_code == 200
