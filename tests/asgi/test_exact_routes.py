"""Exact routing gives the same results as a full router."""

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.asgi.exact_routes import ExactRoutes
from lightboard.testing.async_runner import run_async


async def told(request: Request) -> Response:
    """Which route, and with what."""
    return PlainTextResponse(f"{request.scope['route'].path} {dict(request.path_params)} {request.method}")


def asked(app: ASGIApp, method: str, path: str) -> httpx.Response:
    """The answer to one request."""

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return await client.request(method, path)

    return run_async(ask())


async def below(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that answers all below a path."""
    await PlainTextResponse(f"below: {scope['path']}")(scope, receive, send)


ROUTES = [
    Route("/runs/{name}", told, methods=["GET"]),
    Route("/runs", told, methods=["GET"]),
    Route("/runs", told, methods=["PATCH"]),
    Route("/tags", told, methods=["GET", "POST"]),
]


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "HEAD"])
@pytest.mark.parametrize("path", ["/runs", "/runs/", "/runs/a", "/tags", "/none", "/"])
def test_responses_equal_those_of_a_router(method: str, path: str) -> None:
    """Status, body and allowed methods."""
    plain = asked(Router(ROUTES, redirect_slashes=False), method, path)
    exact = asked(ExactRoutes(ROUTES), method, path)

    assert (exact.status_code, exact.text) == (plain.status_code, plain.text)
    assert exact.headers.get("allow") == plain.headers.get("allow")


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/kind", "below: /kind"),
        ("/kind/of/magic", "below: /kind/of/magic"),
        ("/kind/own", "/kind/own {} GET"),
        ("/kinds", "Not Found"),
    ],
)
def test_mounted_apps_serve_all_paths_below(path: str, answer: str) -> None:
    """Except those with an exact route."""
    app = ExactRoutes([Route("/kind/own", told, methods=["GET"])], below={"/kind": below})

    assert asked(app, "GET", path).text == answer
