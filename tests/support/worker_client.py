"""A board worker in process, and requests to it."""

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
from lightboard.testing.async_runner import run_async
from lightboard.testing.event_files import scalar_record, write_events
from support.asgi_client import InProcess

T = TypeVar("T")
TIMEOUT_SECS = 60
SECRET = "a secret that only the hub and the worker know"
HUB = {"x-lightboard-hub": SECRET}
BEARER = {"authorization": f"Bearer {SECRET}"}


class WorkerClient:
    """One worker; `boards` are those it hosts, `request` sends a request as an anonymous client."""

    def __init__(self) -> None:
        self.thread_pool, self.slow, self.shared = ThreadPool(2), AsyncThreadPool(2), create_shared()
        self.engines = Engines(self.slow, self.thread_pool)
        self.boards = Boards(self.engines, self.shared)
        self.app = Guard(WorkerAuth(create_control(Control("w-1", self.boards, self.slow)), self.boards, SECRET), None)

    async def request(self, method: str, url: str, **arguments: Any) -> httpx.Response:
        transport = InProcess(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://anything.example") as client:
            return await client.request(method, url, **arguments)

    async def get(self, url: str, **headers: str) -> httpx.Response:
        """GET, as forwarded by the hub."""
        return await self.request("GET", url, headers=HUB | headers)

    async def put_board(self, body: BoardBody) -> httpx.Response:
        """Create or update a board."""
        return await self.request("PUT", f"/control/boards/{body.id}", content=body.model_dump_json(), headers=BEARER)

    async def start_board(self, body: BoardBody) -> None:
        """Create a board and wait until its logs are read."""
        answer = await self.put_board(body)
        assert answer.is_success, answer.text
        await wait_until(lambda: self.boards.by_id[body.id].engine is not None)
        await wait_until(lambda: not self.boards.by_id[body.id].engine.catalog.loading)

    async def state(self) -> dict[str, Any]:
        """The state that the worker reports to the hub."""
        return (await self.request("GET", "/control/state", headers=BEARER)).json()

    async def run_names(self, id: str) -> list[str]:
        """Names of the runs of a board."""
        return sorted(run["name"] for run in (await self.get(f"/tb/{id}/api/v1/runs")).json()["runs"])

    async def close(self) -> None:
        """Remove all boards and end all threads."""
        self.boards.close()
        for id in list(self.boards.by_id):
            self.boards.remove(id)
        await asyncio.sleep(0)
        await self.slow.call(lambda: None)  # the engines of the boards are closed before this
        self.shared.pool.close(wait=True)
        self.slow.close(wait=True)
        self.thread_pool.stop()


@asynccontextmanager
async def open_worker() -> AsyncIterator[WorkerClient]:
    """A worker that is closed at the end."""
    worker = WorkerClient()
    try:
        yield worker
    finally:
        await worker.close()


def run_with_worker(story: Callable[[WorkerClient], Coroutine[Any, Any, T]]) -> T:
    """Run a test with a worker, with a timeout."""

    async def bounded() -> T:
        async with asyncio.timeout(TIMEOUT_SECS), open_worker() as worker:
            return await story(worker)

    return run_async(bounded())


async def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for a condition; the timeout of the test limits it."""
    while not holds():
        await asyncio.sleep(0.01)


def write_runs(folder: pathlib.Path, *runs: str) -> SourceBody:
    """A source with these runs of one point each."""
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        write_events(folder / run / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
    return SourceBody(url=str(folder))


def board_body(id: str, *sources: SourceBody, version: int = 1, **fields: Any) -> BoardBody:
    """A board at /tb/<id>."""
    return BoardBody(**{"id": id, "version": version, "sources": list(sources), "prefix": f"/tb/{id}"} | fields)
