"""Queries of any length: in the URL, or as the body of a POST that means GET."""

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lightboard.asgi.long_query import MAX_BYTES, MAX_FIELDS, LongQuery
from lightboard.testing.async_runner import run_async

MEANS_GET = {"x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded"}


async def tell(request: Request) -> Response:
    body = (await request.body()).decode()
    return JSONResponse([request.method, dict(request.query_params), body, request.headers.get("content-length")])


def ask(method: str, url: str, **arguments: object) -> httpx.Response:
    app = LongQuery(Starlette(routes=[Route("/read", tell), Route("/write", tell, methods=["POST"])]))

    async def exchange() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://localhost") as client:
            return await client.request(method, url, **arguments)

    return run_async(exchange())


def test_method_override_turns_a_post_into_a_get() -> None:
    """Its body becomes the query."""
    tag = "t&=é" * 20_000

    assert ask("POST", "/read", data={"tag": tag}, headers=MEANS_GET).json() == ["GET", {"tag": tag}, "", None]


def test_the_body_replaces_the_query() -> None:
    """The body is all of it."""
    assert ask("POST", "/read?tag=other", data={"run": "a"}, headers=MEANS_GET).json()[1] == {"run": "a"}


def test_write_routes_refuse_the_override() -> None:
    """Their GET is not allowed."""
    assert ask("POST", "/write", data={"run": "a"}, headers=MEANS_GET).status_code == 405


def test_other_posts_stay_posts() -> None:
    """Without the header, or with another method in it."""
    for headers in ({}, {"x-http-method-override": "DELETE"}):
        assert ask("POST", "/write", content=b"body", headers=headers).json() == ["POST", {}, "body", "4"]


def test_oversized_queries_are_refused() -> None:
    """They are parsed in the event loop; two names of 64 KiB fit."""
    names = {"run": "%" * 65_536, "tag": "é" * 32_768}
    bodies = [b"a=" + b"%41" * (MAX_BYTES // 3 + 1), b"a&" * MAX_FIELDS]

    assert ask("POST", "/read", data=names, headers=MEANS_GET).json()[1] == names
    assert [ask("POST", "/read", content=body, headers=MEANS_GET).status_code for body in bodies] == [413, 413]
