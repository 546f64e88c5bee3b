"""Logs of jobs as server-sent events: what is streamed, from where, to whom, and to how many at once."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.types import Message

from lightboard.hub.runners.memory import Program
from support.hub_client import HubClient

pytestmark = pytest.mark.databases("sqlite")
PATH = "/api/v1/jobs"
PRINT = ["print"]
TIMEOUT_SECS = 60


@pytest.fixture
def programs(hub: HubClient) -> HubClient:
    """A hub whose runner knows a command that prints three lines and ends; others run until they are stopped."""
    hub.runner.programs[tuple(PRINT)] = Program(exit_code=0, lines=("one", "two", "three"))
    return hub


def create(hub: HubClient, command: list[str] = PRINT) -> str:
    """A new job of the editor, after some passes."""
    id = str(hub.request("POST", PATH, "editor", {"command": command, "project": "vision"}).json()["id"])
    hub.reconcile()
    return id


async def ask(hub: HubClient, method: str, path: str, name: str) -> httpx.Response:
    """An answer to a persona, in the loop of the hub."""
    headers = {"Authorization": f"Bearer {hub.token(name)}"}
    return await hub.open_session().ask(method, path, headers=headers)


class Reader:
    """A client of a stream. `events` are those that it has received: id and data."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.news = asyncio.Condition()
        self.slow = asyncio.Event()
        self.slow.set()
        self.left = asyncio.Event()

    async def receive(self) -> Message:
        """The request, whose client stays."""
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """What the hub sends, unless the client is slow."""
        self.messages.append(message)
        lines = message.get("body", b"").decode().splitlines()
        ids = [line[4:] for line in lines if line.startswith("id: ")]
        parts = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
        self.events += zip(ids, parts, strict=True)
        async with self.news:
            self.news.notify_all()
        await self.slow.wait()

    @property
    def texts(self) -> list[str]:
        """All lines so far."""
        return [line["text"] for _, part in self.events for line in part["lines"]]

    async def wait_for(self, texts: list[str]) -> None:
        """Until it has exactly these lines."""
        async with asyncio.timeout(TIMEOUT_SECS), self.news:
            await self.news.wait_for(lambda: self.texts == texts)

    async def wait_for_events(self, number: int) -> None:
        """Until it has so many events."""
        async with asyncio.timeout(TIMEOUT_SECS), self.news:
            await self.news.wait_for(lambda: len(self.events) == number)


@asynccontextmanager
async def streamed(
    hub: HubClient, id: str, query: str = "", name: str = "viewer", last: str = ""
) -> AsyncIterator[tuple[Reader, "asyncio.Task[None]"]]:
    """A reader of the log of a job, and the response to it."""
    reader = Reader()
    scope = hub.scope(f"{PATH}/{id}/logs/stream", name)
    scope["query_string"] = query.encode()
    scope["headers"] = [*scope["headers"], (b"last-event-id", last.encode())]
    response = asyncio.create_task(hub.app(scope, reader.receive, reader.send))
    try:
        yield reader, response
    finally:
        reader.slow.set()
        reader.left.set()
        await asyncio.wait_for(response, TIMEOUT_SECS)


async def complete(hub: HubClient, id: str, query: str = "", last: str = "") -> Reader:
    """A reader that has received the whole stream, which ends by itself."""
    async with streamed(hub, id, query, last=last) as (reader, response):
        await asyncio.wait_for(asyncio.shield(response), TIMEOUT_SECS)
    return reader


def test_a_log_is_streamed_to_its_end(programs: HubClient) -> None:
    """The last event says that it is complete, and has the cursor of the end."""
    id = create(programs)
    reader = programs.run(complete(programs, id))
    end = programs.request("GET", f"{PATH}/{id}/logs", "viewer").json()["cursor"]

    assert (reader.texts, reader.events[-1]) == (
        ["one", "two", "three"],
        (f"1-{end}", {"attempt": 1, "lines": [], "cursor": end, "lost_bytes": 0, "complete": True}),
    )


def test_lines_are_streamed_while_the_job_runs(programs: HubClient) -> None:
    """Each soon after it was printed, and then the end."""
    id = create(programs, ["wait"])
    (handle,) = programs.runner.submitted

    async def story() -> list[str]:
        async with streamed(programs, id) as (reader, response):
            programs.runner.write(handle, "first")
            await reader.wait_for(["first"])
            programs.runner.write(handle, "second")
            await reader.wait_for(["first", "second"])
            programs.runner.end(handle)
            await asyncio.get_running_loop().run_in_executor(None, programs.reconcile)
            await asyncio.wait_for(asyncio.shield(response), TIMEOUT_SECS)
        return [part["complete"] for _, part in reader.events][-1:]

    assert programs.run(story()) == [True]


def test_a_stream_resumes_after_the_event_that_was_seen_last(programs: HubClient) -> None:
    """Whatever its address says: browsers repeat the first one."""
    id = create(programs)
    first = programs.request("GET", f"{PATH}/{id}/logs?max_bytes=4", "viewer").json()
    reader = programs.run(complete(programs, id, "attempt=0&cursor=0", last=f"1-{first['cursor']}"))

    assert (len(first["lines"]), reader.texts) == (1, ["two", "three"])


def test_a_stream_stays_at_its_attempt(programs: HubClient) -> None:
    """It resumes there, also after the job was run again."""
    id = create(programs)
    programs.runner.programs[tuple(PRINT)] = Program(exit_code=0, lines=("again",))
    programs.request("PUT", f"{PATH}/{id}/restart", "editor")
    programs.reconcile()

    assert programs.run(complete(programs, id, last="1-0")).texts == ["one", "two", "three"]


@pytest.mark.parametrize("last", ["", "1", "x-y", "1-", "-1", "9999999999-0", "1-99999999999999999999", "\u00b2-0"])
def test_what_is_no_id_of_an_event_is_ignored(programs: HubClient, last: str) -> None:
    """The stream begins where its address says."""
    id = create(programs)

    assert programs.run(complete(programs, id, last=last)).texts == ["one", "two", "three"]


def test_a_waiting_job_is_streamed_when_it_starts(programs: HubClient) -> None:
    """Its first event says that there is no attempt yet."""
    id = str(programs.request("POST", PATH, "editor", {"command": PRINT, "project": "vision"}).json()["id"])

    async def story() -> Reader:
        async with streamed(programs, id) as (reader, response):
            await reader.wait_for_events(1)
            await asyncio.get_running_loop().run_in_executor(None, programs.reconcile)
            await asyncio.wait_for(asyncio.shield(response), TIMEOUT_SECS)
        return reader

    assert programs.run(story()).texts == ["one", "two", "three"]


def test_nothing_is_read_for_a_client_that_does_not_receive(
    programs: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is printed; afterwards it gets all of it."""
    id = create(programs, ["wait"])
    (handle,) = programs.runner.submitted
    read: list[int] = []
    read_log = programs.runner.read_log

    def counting(handle: str, rank: int, cursor: int = 0, max_bytes: int = 0) -> Any:
        read.append(cursor)
        return read_log(handle, rank, cursor, max_bytes)

    monkeypatch.setattr(programs.runner, "read_log", counting)
    lines = [f"line {number}" for number in range(100)]

    async def story() -> int:
        async with streamed(programs, id, "max_bytes=100") as (reader, _):
            await reader.wait_for_events(1)
            reader.slow.clear()
            for line in lines:
                programs.runner.write(handle, line)
            await reader.wait_for_events(2)
            before = len(read)
            for _ in range(20):  # other requests are answered meanwhile
                await asyncio.get_running_loop().run_in_executor(
                    None, lambda: programs.request("GET", f"{PATH}/{id}", "viewer").raise_for_status()
                )
            after = len(read)
            reader.slow.set()
            await reader.wait_for(lines)
        return after - before

    assert programs.run(story()) == 0


def test_a_deleted_job_ends_its_stream(programs: HubClient) -> None:
    """A normal end, after which the client is told that there is no job."""
    id = create(programs, ["wait"])

    async def story() -> Message:
        async with streamed(programs, id) as (reader, response):
            await reader.wait_for_events(1)
            await ask(programs, "DELETE", f"{PATH}/{id}", "editor")
            await asyncio.get_running_loop().run_in_executor(None, programs.reconcile)
            await asyncio.wait_for(asyncio.shield(response), TIMEOUT_SECS)
        return reader.messages[-1]

    assert programs.run(story()) == {"type": "http.response.body", "body": b"", "more_body": False}


def test_an_account_follows_a_limited_number_of_logs(programs: HubClient) -> None:
    """Others are not affected; one that has ended makes room."""
    id = create(programs, ["wait"])

    async def status(name: str) -> int:
        return (await ask(programs, "GET", f"{PATH}/{id}/logs/stream", name)).status_code

    async def story() -> list[tuple[str, int]]:
        async with AsyncExitStack() as opened:
            for _ in range(20):
                reader, _ = await opened.enter_async_context(streamed(programs, id))
                await reader.wait_for_events(1)
            statuses = [(name, await status(name)) for name in ("viewer", "editor")]
        return [*statuses, ("viewer", await status("viewer"))]

    assert programs.run(story()) == [("viewer", 429), ("editor", 200), ("viewer", 200)]


@pytest.mark.parametrize(
    ("query", "name", "status"),
    [("", "stranger", 404), ("attempt=2", "viewer", 404), ("rank=1", "viewer", 404), ("max_bytes=0", "viewer", 422)],
)
def test_what_cannot_be_read_is_refused_before_the_stream(
    programs: HubClient, query: str, name: str, status: int
) -> None:
    """As a part of a log is."""
    id = create(programs)
    answers = [programs.request("GET", f"{PATH}/{id}/{path}?{query}", name) for path in ("logs", "logs/stream")]

    assert [answer.status_code for answer in answers] == [status, status]
