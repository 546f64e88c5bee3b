"""No request may send more than it can need."""

from collections.abc import AsyncIterator

import pytest
from speaking import ask, read_all
from starlette.applications import Starlette
from starlette.routing import Mount

from lightboard.asgi.body_limit import BodyLimit
from lightboard.asgi.errors import HANDLERS

APP = BodyLimit(Starlette(routes=[Mount("/", app=read_all)], exception_handlers=dict(HANDLERS)), most_bytes=10)


async def pieces() -> AsyncIterator[bytes]:
    """A body whose length nobody announces."""
    for _ in range(4):
        yield b"12345"


def test_a_body_up_to_the_limit_passes() -> None:
    """To the last byte."""
    assert ask(APP, "POST", "/api/x", content=b"1234567890").text == "10"


@pytest.mark.parametrize("announced", [True, False])
def test_a_longer_one_is_refused(announced: bool) -> None:
    """Whether its length was announced or not."""
    answer = ask(APP, "POST", "/api/x", content=b"12345678901" if announced else pieces())

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_some_addresses_take_more() -> None:
    """And no other does."""
    app = BodyLimit(APP.app, most_bytes=10, larger={"/api/long": 20})

    assert [ask(app, "POST", path, content=b"1" * 15).status_code for path in ("/api/long", "/api/x")] == [200, 413]
    assert ask(app, "POST", "/api/long", content=b"1" * 21).json()["error"]["code"] == "too_large"


@pytest.mark.parametrize("announced", [True, False])
def test_one_with_too_many_fields_is_refused(announced: bool) -> None:
    """Each could be wrong, and complaints take time; those of a body that comes in pieces are added up."""
    app = BodyLimit(APP.app, most_bytes=100, most_fields=5)

    async def in_pieces() -> AsyncIterator[bytes]:
        for _ in range(6):
            yield b'"a":1,'

    answer = ask(app, "POST", "/api/x", content=b'"a":1,' * 6 if announced else in_pieces())

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert ask(app, "POST", "/api/x", content=b'"a":1,' * 5).status_code == 200
