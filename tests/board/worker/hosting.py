"""A worker without its process: everything behind its sockets, asked in process."""

import asyncio
import pathlib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx

from lightboard.asgi.guard import Guard
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.app import create_shared
from lightboard.board.worker.auth import WorkerAuth
from lightboard.board.worker.boards import Boards
from lightboard.board.worker.control import Control, create_control
from lightboard.board.worker.engines import Engines
from lightboard.ingest.thread_pool import ThreadPool
from lightboard.schema.worker import BoardBody, SourceBody
from lightboard.testing.event_files import scalar_record, write_events
from lightboard.testing.stories import played

T = TypeVar("T")
PATIENCE_SECS = 60
SECRET = "a secret that only the hub and the worker know"
HUB = {"x-lightboard-hub": SECRET}
BEARER = {"authorization": f"Bearer {SECRET}"}


class Worker:
    """One worker; `boards` is what it hosts, `ask` sends a request as anybody might."""

    def __init__(self) -> None:
        self.thread_pool, self.slow, self.shared = ThreadPool(2), AsyncThreadPool(2), create_shared()
        self.engines = Engines(self.slow, self.thread_pool)
        self.boards = Boards(self.engines, self.shared)
        self.app = Guard(WorkerAuth(create_control(Control("w-1", self.boards, self.slow)), self.boards, SECRET), None)

    async def ask(self, method: str, url: str, **arguments: Any) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://anything.example") as client:
            return await client.request(method, url, **arguments)

    async def show(self, url: str, **headers: str) -> httpx.Response:
        """GET, as the hub passes it on."""
        return await self.ask("GET", url, headers=HUB | headers)

    async def put(self, body: BoardBody) -> httpx.Response:
        """Has a board as `body` says."""
        return await self.ask("PUT", f"/control/boards/{body.id}", content=body.model_dump_json(), headers=BEARER)

    async def run(self, body: BoardBody) -> None:
        """Has a board, and waits until its logs are read."""
        await self.put(body)
        await until(lambda: self.boards.by_id[body.id].engine is not None)
        await until(lambda: not self.boards.by_id[body.id].engine.catalog.loading)

    async def state(self) -> dict[str, Any]:
        """What the worker tells the hub."""
        return (await self.ask("GET", "/control/state", headers=BEARER)).json()

    async def names(self, id: str) -> list[str]:
        """Names of the runs that a board shows."""
        return sorted(run["name"] for run in (await self.show(f"/tb/{id}/api/v1/runs")).json()["runs"])

    def close(self) -> None:
        self.boards.close()
        for id in list(self.boards.by_id):
            self.boards.remove(id)
        self.shared.pool.close()
        self.slow.close()
        self.thread_pool.stop()


@asynccontextmanager
async def working() -> AsyncIterator[Worker]:
    """A worker for the length of a story."""
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()


def tell(story: Callable[[Worker], Coroutine[Any, Any, T]]) -> T:
    """Plays a story with a worker to its end; one that hangs fails."""

    async def bounded() -> T:
        async with asyncio.timeout(PATIENCE_SECS), working() as worker:
            return await story(worker)

    return played(bounded())


async def until(holds: Callable[[], bool]) -> None:
    """Returns when it holds; the story's own limit ends a wait that is too long."""
    while not holds():
        await asyncio.sleep(0.01)


def written(folder: pathlib.Path, *runs: str) -> SourceBody:
    """A folder with these runs of one point each."""
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        write_events(folder / run / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
    return SourceBody(url=str(folder))


def body(id: str, *sources: SourceBody, version: int = 1, **fields: Any) -> BoardBody:
    """A board at /tb/<id>."""
    return BoardBody(**{"id": id, "version": version, "sources": list(sources), "prefix": f"/tb/{id}"} | fields)
