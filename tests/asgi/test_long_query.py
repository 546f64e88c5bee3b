"""A query of any length reaches a read: in the address, or as the body of a POST that means GET."""

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lightboard.asgi.long_query import MOST_BYTES, MOST_FIELDS, LongQuery
from lightboard.testing.stories import played

MEANS_GET = {"x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded"}


async def tell(request: Request) -> Response:
    body = (await request.body()).decode()
    return JSONResponse([request.method, dict(request.query_params), body, request.headers.get("content-length")])


def ask(method: str, url: str, **arguments: object) -> httpx.Response:
    app = LongQuery(Starlette(routes=[Route("/read", tell), Route("/write", tell, methods=["POST"])]))

    async def exchange() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://localhost") as client:
            return await client.request(method, url, **arguments)

    return played(exchange())


def test_a_post_that_means_get_is_one() -> None:
    """With its body as the query, and no body."""
    tag = "t&=é" * 20_000

    assert ask("POST", "/read", data={"tag": tag}, headers=MEANS_GET).json() == ["GET", {"tag": tag}, "", None]


def test_its_address_has_no_query_of_its_own() -> None:
    """The body is all of it."""
    assert ask("POST", "/read?tag=other", data={"run": "a"}, headers=MEANS_GET).json()[1] == {"run": "a"}


def test_what_only_writes_is_not_reached_so() -> None:
    """A GET of it is refused."""
    assert ask("POST", "/write", data={"run": "a"}, headers=MEANS_GET).status_code == 405


def test_any_other_post_stays_one() -> None:
    """Without the header, or with another method in it."""
    for headers in ({}, {"x-http-method-override": "DELETE"}):
        assert ask("POST", "/write", content=b"body", headers=headers).json() == ["POST", {}, "body", "4"]


def test_a_query_longer_than_names_can_be_is_refused() -> None:
    """It would be read on the event loop. Two names of 64 KiB are not too long, whatever is in them."""
    names = {"run": "%" * 65_536, "tag": "é" * 32_768}
    bodies = [b"a=" + b"%41" * (MOST_BYTES // 3 + 1), b"a&" * MOST_FIELDS]

    assert ask("POST", "/read", data=names, headers=MEANS_GET).json()[1] == names
    assert [ask("POST", "/read", content=body, headers=MEANS_GET).status_code for body in bodies] == [413, 413]
