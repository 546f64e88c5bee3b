"""Who comes into a worker: the hub, and people as the hub says who they are."""

import pathlib
from typing import Any

import pytest
from hosting import BEARER, HUB, SECRET, Worker, body, tell, written
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lightboard.board.board import BOARD
from lightboard.board.lanes import turn_of
from lightboard.schema.worker import BoardBody

OVERLAY = "/tb/one/api/v1/overlay"
NOTE = {"runs": {"x": {"note": "mine"}}}


@pytest.fixture
def one(tmp_path: pathlib.Path) -> BoardBody:
    return body("one", written(tmp_path / "logs", "x"))


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": SECRET}, {"authorization": "Bearer wrong"}, {"authorization": "Bearer "}, HUB, {"x": "ж"}],
)
@pytest.mark.parametrize("path", ["/control/state", "/control/boards/one", "/control", "/control/nonsense"])
def test_nobody_controls_without_the_secret(one: BoardBody, path: str, headers: dict[str, str]) -> None:
    """Not even what is there is told."""

    async def story(worker: Worker) -> list[int]:
        await worker.run(one)
        sent = {name: value.encode() for name, value in headers.items()}
        return [(await worker.ask(method, path, headers=sent)).status_code for method in ("GET", "PUT", "DELETE")]

    assert tell(story) == [403, 403, 403]


@pytest.mark.parametrize(
    "headers", [[], [("x-lightboard-hub", "wrong")], [("authorization", f"Bearer {SECRET}")], [*HUB.items()] * 2]
)
def test_nobody_sees_a_board_but_through_the_hub(one: BoardBody, headers: list[tuple[str, str]]) -> None:
    """For others there is nothing, as for a board that does not exist."""

    async def story(worker: Worker) -> list[tuple[int, str]]:
        await worker.run(one)
        answers = [await worker.ask("GET", path, headers=headers) for path in ("/tb/one/", "/tb/nonsense/")]
        return [(answer.status_code, answer.text) for answer in answers]

    assert tell(story) == [(404, "Not found")] * 2


def test_the_hub_reaches_boards_under_their_prefixes(one: BoardBody, tmp_path: pathlib.Path) -> None:
    """Whatever name the browser used; the longest prefix counts, and names that only begin alike lead nowhere."""
    inner = body("inner", written(tmp_path / "inner", "y"), prefix="/tb/one/inner")

    async def story(worker: Worker) -> list[Any]:
        await worker.run(one)
        await worker.run(inner)
        paths = ["/tb/one/data/runs", "/tb/one/inner/data/runs", "/tb/onepage", "/tb", "/", "/tb//one/data/runs"]
        answers = [await worker.show(path, host="evil.example", origin="http://evil.example") for path in paths]
        moved = await worker.show("/tb/one")
        return [[answer.json() if answer.status_code == 200 else answer.status_code for answer in answers], moved]

    answers, moved = tell(story)

    assert answers == [["x"], ["y"], 404, 404, 404, 404]
    assert (moved.status_code, moved.headers["location"]) == (301, "one/")


def test_a_long_path_is_not_looked_through(one: BoardBody) -> None:
    """It cannot be a board's."""

    async def story(worker: Worker) -> int:
        await worker.run(one)
        return (await worker.show("/" + "a/" * 10_000)).status_code

    assert tell(story) == 404


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
def test_only_the_role_of_a_writer_may_add(one: BoardBody, roles: list[str], may_add: bool) -> None:
    """Who is not said to be one is a reader: edits are refused, and the page is told not to offer them."""
    headers = [*HUB.items(), *(("x-lightboard-role", role) for role in roles)]

    async def story(worker: Worker) -> tuple[bool, int]:
        await worker.run(one)
        told = (await worker.ask("GET", OVERLAY, headers=headers)).json()["writable"]
        return told, (await worker.ask("PATCH", OVERLAY, headers=headers, json=NOTE)).status_code

    assert tell(story) == (may_add, 200 if may_add else 403)


def test_people_take_turns_though_all_come_through_the_hub(one: BoardBody) -> None:
    """The board goes by whom the hub names; on its own it goes by addresses."""

    async def story(worker: Worker) -> list[tuple[str, ...]]:
        await worker.run(one)
        turns = []

        async def note(scope: Scope, receive: Receive, send: Send) -> None:
            inner = {**scope, BOARD: worker.boards.by_id["one"].board, "path": "/api/v1/status"}
            assert "x-lightboard-client" not in Headers(scope=scope)
            turns.append(turn_of(inner).client)
            await Response()(scope, receive, send)

        worker.boards.by_id["one"].app = note
        for client in ("account:1", "account:2"):
            await worker.show("/tb/one/", **{"x-lightboard-client": client})
        await worker.show("/tb/one/")
        return turns

    assert tell(story) == [("/tb/one", "account:1"), ("/tb/one", "account:2"), ("/tb/one", "127.0.0.1")]


def test_a_refused_edit_says_why(one: BoardBody) -> None:
    """In the shape of every error of the board."""

    async def story(worker: Worker) -> Any:
        await worker.run(one)
        return (await worker.ask("PATCH", OVERLAY, headers=HUB | {"x-lightboard-role": "read"}, json=NOTE)).json()

    assert tell(story)["error"]["code"] == "permission_denied"


def test_what_is_no_question_is_refused_with_a_word(one: BoardBody) -> None:
    """Also for the hub, and in JSON."""

    async def story(worker: Worker) -> list[tuple[int, str]]:
        await worker.run(one)
        asked = [
            ("PUT", "/control/boards/two", one.model_dump_json()),
            ("PUT", "/control/boards/one", "{}"),
            ("POST", "/control/probe", "[]"),
            ("GET", "/control/boards/one/log?lines=many", ""),
            ("GET", "/control/boards/two/log", ""),
            ("GET", "/control/nonsense", ""),
        ]
        answers = [await worker.ask(method, path, content=text, headers=BEARER) for method, path, text in asked]
        return [(answer.status_code, answer.json()["error"]["code"]) for answer in answers]

    assert tell(story) == [
        (400, "bad_request"),
        (400, "bad_request"),
        (400, "bad_request"),
        (400, "bad_request"),
        (404, "not_found"),
        (404, "http"),
    ]
