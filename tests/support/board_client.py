"""A whole board over runs in memory, and requests to it in process."""

from typing import Any

import httpx
from starlette.types import ASGIApp

from lightboard.annotations.store import AnnotationStore
from lightboard.asgi.hosts import AllowedHosts
from lightboard.board.app import Shared, create_app, create_board, create_shared
from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider, Provider
from lightboard.testing.async_runner import run_async
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.provider import Runs, memory_board

RUNS: Runs = {
    "train": {
        "loss": [(0, 100.0, 2.0), (1, 101.5, 0.10000000149011612), (2, 103.0, float("nan"))],
        "lr": [(0, 100.0, 0.5)],
    },
    "eval/каша": {"loss": [(0, 90.0, 3.0), (1, 95.0, float("inf"))]},
}


class BoardClient:
    """`BoardClient(runs).get("/data/runs")`; `memory` has the files, `app` is the application."""

    def __init__(
        self,
        runs: Runs | None = None,
        *,
        provider: Provider | None = None,
        overlay: AnnotationStore | None = None,
        shared: Shared | None = None,
        **settings: Any,
    ) -> None:
        chosen = BoardSettings(**{"logdir": "somewhere"} | settings)
        self.memory: MemoryBoard = memory_board(RUNS if runs is None else runs)
        self.provider = provider or CatalogProvider(self.memory.catalog, chosen)
        self.shared = shared or create_shared()
        self.board = create_board(self.provider, chosen, overlay, shared=self.shared)
        self.app: ASGIApp = create_app(self.board, AllowedHosts([]))

    def request(self, method: str, url: str, **arguments: Any) -> httpx.Response:
        """Send a request. Redirects are not followed; exceptions become error responses."""

        async def exchange() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost:6006") as client:
                return await client.request(method, url, **arguments)

        return run_async(exchange())

    def get(self, url: str, **arguments: Any) -> httpx.Response:
        """GET."""
        return self.request("GET", url, **arguments)

    def post(self, url: str, **arguments: Any) -> httpx.Response:
        """POST."""
        return self.request("POST", url, **arguments)
