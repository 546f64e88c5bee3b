"""Access to a worker: the hub, and users as described by the hub."""

import pathlib
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lightboard.board.board import BOARD
from lightboard.board.lanes import schedule
from lightboard.schema.worker import BoardBody
from support.worker_client import BEARER, HUB, SECRET, WorkerClient, board_body, run_with_worker, write_runs

OVERLAY = "/tb/one/api/v1/overlay"
NOTE = {"runs": {"x": {"note": "mine"}}}


@pytest.fixture
def one(tmp_path: pathlib.Path) -> BoardBody:
    return board_body("one", write_runs(tmp_path / "logs", "x"))


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": SECRET}, {"authorization": "Bearer wrong"}, {"authorization": "Bearer "}, HUB, {"x": "ж"}],
)
@pytest.mark.parametrize("path", ["/control/state", "/control/boards/one", "/control", "/control/nonsense"])
def test_control_requests_need_the_secret(one: BoardBody, path: str, headers: dict[str, str]) -> None:
    """Errors reveal nothing."""

    async def story(worker: WorkerClient) -> list[int]:
        await worker.start_board(one)
        sent = {name: value.encode() for name, value in headers.items()}
        return [(await worker.request(method, path, headers=sent)).status_code for method in ("GET", "PUT", "DELETE")]

    assert run_with_worker(story) == [403, 403, 403]


@pytest.mark.parametrize(
    "headers", [[], [("x-lightboard-hub", "wrong")], [("authorization", f"Bearer {SECRET}")], [*HUB.items()] * 2]
)
def test_boards_are_reachable_through_the_hub_only(one: BoardBody, headers: list[tuple[str, str]]) -> None:
    """Others get the 404 of a missing board."""

    async def story(worker: WorkerClient) -> list[tuple[int, str]]:
        await worker.start_board(one)
        answers = [await worker.request("GET", path, headers=headers) for path in ("/tb/one/", "/tb/nonsense/")]
        return [(answer.status_code, answer.text) for answer in answers]

    assert run_with_worker(story) == [(404, "Not found")] * 2


def test_boards_are_routed_by_prefix(one: BoardBody, tmp_path: pathlib.Path) -> None:
    """The longest one, on segment boundaries, for any host name."""
    inner = board_body("inner", write_runs(tmp_path / "inner", "y"), prefix="/tb/one/inner")

    async def story(worker: WorkerClient) -> list[Any]:
        await worker.start_board(one)
        await worker.start_board(inner)
        paths = ["/tb/one/data/runs", "/tb/one/inner/data/runs", "/tb/onepage", "/tb", "/", "/tb//one/data/runs"]
        answers = [await worker.get(path, host="evil.example", origin="http://evil.example") for path in paths]
        moved = await worker.get("/tb/one")
        return [[answer.json() if answer.status_code == 200 else answer.status_code for answer in answers], moved]

    answers, moved = run_with_worker(story)

    assert answers == [["x"], ["y"], 404, 404, 404, 404]
    assert (moved.status_code, moved.headers["location"]) == (301, "one/")


def test_overlong_paths_are_404(one: BoardBody) -> None:
    """It cannot be a board's."""

    async def story(worker: WorkerClient) -> int:
        await worker.start_board(one)
        return (await worker.get("/" + "a/" * 10_000)).status_code

    assert run_with_worker(story) == 404


@pytest.mark.parametrize(
    ("roles", "may_add"),
    [
        ([], False),
        (["read"], False),
        (["write"], True),
        (["write", "read"], False),
        (["WRITE"], False),
        (["", ""], False),
    ],
)
def test_only_writers_may_edit(one: BoardBody, roles: list[str], may_add: bool) -> None:
    """Everyone else is a reader, which the page is told."""
    headers = [*HUB.items(), *(("x-lightboard-role", role) for role in roles)]

    async def story(worker: WorkerClient) -> tuple[bool, int]:
        await worker.start_board(one)
        told = (await worker.request("GET", OVERLAY, headers=headers)).json()["writable"]
        return told, (await worker.request("PATCH", OVERLAY, headers=headers, json=NOTE)).status_code

    assert run_with_worker(story) == (may_add, 200 if may_add else 403)


def test_scheduling_uses_the_hubs_client_key(one: BoardBody) -> None:
    """A local board uses addresses."""

    async def story(worker: WorkerClient) -> list[tuple[str, ...]]:
        await worker.start_board(one)
        clients = []

        async def note(scope: Scope, receive: Receive, send: Send) -> None:
            inner = {**scope, BOARD: worker.boards.by_id["one"].board, "path": "/api/v1/status"}
            assert "x-lightboard-client" not in Headers(scope=scope)
            clients.append(schedule(inner).client)
            await Response()(scope, receive, send)

        worker.boards.by_id["one"].app = note
        for client in ("account:1", "account:2"):
            await worker.get("/tb/one/", **{"x-lightboard-client": client})
        await worker.get("/tb/one/")
        return clients

    assert run_with_worker(story) == [("/tb/one", "account:1"), ("/tb/one", "account:2"), ("/tb/one", "127.0.0.1")]


def test_refused_edits_have_a_reason(one: BoardBody) -> None:
    """In the usual error shape."""

    async def story(worker: WorkerClient) -> Any:
        await worker.start_board(one)
        return (await worker.request("PATCH", OVERLAY, headers=HUB | {"x-lightboard-role": "read"}, json=NOTE)).json()

    assert run_with_worker(story)["error"]["code"] == "permission_denied"


def test_invalid_control_requests_are_refused(one: BoardBody) -> None:
    """As JSON."""

    async def story(worker: WorkerClient) -> list[tuple[int, str]]:
        await worker.start_board(one)
        asked = [
            ("PUT", "/control/boards/two", one.model_dump_json()),
            ("PUT", "/control/boards/one", "{}"),
            ("POST", "/control/probe", "[]"),
            ("GET", "/control/boards/one/log?lines=many", ""),
            ("GET", "/control/boards/two/log", ""),
            ("GET", "/control/nonsense", ""),
        ]
        answers = [await worker.request(method, path, content=text, headers=BEARER) for method, path, text in asked]
        return [(answer.status_code, answer.json()["error"]["code"]) for answer in answers]

    assert run_with_worker(story) == [
        (400, "bad_request"),
        (400, "bad_request"),
        (400, "bad_request"),
        (400, "bad_request"),
        (404, "not_found"),
        (404, "http"),
    ]
