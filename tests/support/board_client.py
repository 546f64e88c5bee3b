"""A whole board over runs in memory, and requests to it in process."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
from starlette.types import ASGIApp

from lightboard.annotations.store import AnnotationStore
from lightboard.asgi.hosts import AllowedHosts
from lightboard.asgi.scheduler import Scheduler
from lightboard.board.app import Shared, create_app, create_board, create_shared
from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider, Provider
from lightboard.testing.async_runner import run_async
from lightboard.testing.event_files import scalar_record, version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.provider import Runs, memory_board
from support.asgi_client import InProcess

RUNS: Runs = {
    "train": {
        "loss": [(0, 100.0, 2.0), (1, 101.5, 0.10000000149011612), (2, 103.0, float("nan"))],
        "lr": [(0, 100.0, 0.5)],
    },
    "eval/каша": {"loss": [(0, 90.0, 3.0), (1, 95.0, float("inf"))]},
}


EVENTS = "events.out.tfevents.1"

_open: list["BoardClient"] = []


@contextmanager
def closing_boards() -> Iterator[None]:
    """At the end, all clients that were made meanwhile are closed."""
    before = len(_open)
    try:
        yield
    finally:
        while len(_open) > before:
            _open.pop().close()


def start_threads(pool: Scheduler) -> None:
    """Start all threads of all lanes now, for a pool that several tests use: a test leaves no new ones behind."""
    for executor in (pool._executor, *(queue._executor for queue in pool._lanes.values())):
        together = threading.Barrier(executor._max_workers)
        for started in [executor.submit(together.wait) for _ in range(executor._max_workers)]:
            started.result()


class BoardClient:
    """`BoardClient(runs).get("/data/runs")`; `memory` has the files, `app` is the application.

    A test does not close it: `closing_boards` does.
    """

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
        self._owns_shared = shared is None
        self.board = create_board(self.provider, chosen, overlay, shared=self.shared)
        self.app: ASGIApp = create_app(self.board, AllowedHosts([]))
        _open.append(self)

    def close(self) -> None:
        """End its threads and processes."""
        self.board.changes.close()
        self.board.projector.close()
        if self._owns_shared:
            self.shared.pool.close()

    def request(self, method: str, url: str, **arguments: Any) -> httpx.Response:
        """Send a request. Redirects are not followed; exceptions become error responses."""

        async def exchange() -> httpx.Response:
            transport = InProcess(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost:6006") as client:
                return await client.request(method, url, **arguments)

        return run_async(exchange())

    def get(self, url: str, **arguments: Any) -> httpx.Response:
        """GET."""
        return self.request("GET", url, **arguments)

    def post(self, url: str, **arguments: Any) -> httpx.Response:
        """POST."""
        return self.request("POST", url, **arguments)


def board_with_records(runs: Mapping[str, bytes], **settings: Any) -> BoardClient:
    """A board over an event file for each run, with these records after that of the version."""
    client = BoardClient({}, **settings)
    for run, records in runs.items():
        client.memory.storage.write(f"{run}/{EVENTS}", version_record() + records)
    client.memory.refresh()
    return client


def board_with_files(files: Mapping[str, bytes]) -> BoardClient:
    """A board over a run `a` with one point, and these files, by their paths."""
    client = board_with_records({"a": scalar_record("loss", 0, 1.0)})
    for path, data in files.items():
        client.memory.storage.write(path, data)
    client.memory.refresh()
    return client
