"""Boards in a worker: logs read once, sources changed under open pages, everything given back."""

import asyncio
import json
import pathlib
from collections.abc import AsyncIterator
from typing import Any

from hosting import HUB, Worker, body, tell, until, written

from lightboard.board.worker.engines import Engines
from lightboard.board.worker.log import MOST_LINES, Log
from lightboard.schema.worker import SourceBody


async def next_event(stream: AsyncIterator[bytes]) -> tuple[str, dict[str, Any]]:
    """Name and data of the next event."""
    head, data, _ = (await anext(stream)).decode().split("\n", 2)
    return head.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_boards_over_the_same_logs_share_one_engine(tmp_path: pathlib.Path) -> None:
    """Other patterns, names, credentials or reload times make other logs; the last board of an engine frees it."""
    logs = written(tmp_path / "logs", "x")
    others = [
        {"include": "x"},
        {"alias": "a"},
        {"options": {"access_key_id": "1"}},
        {"options": {"access_key_id": "2"}},
    ]

    async def story(worker: Worker) -> list[Any]:
        await worker.run(body("a", logs))
        await worker.run(body("b", logs.model_copy(update={"url": f"{logs.url}/"})))
        shared = worker.boards.by_id["a"].engine is worker.boards.by_id["b"].engine
        for number, change in enumerate(others):
            await worker.run(body(f"o{number}", logs.model_copy(update=change)))
        await worker.run(body("slow", logs, reload_secs=60))
        counts = [(await worker.state())["engines"]]
        for id in ("a", "b"):
            worker.boards.remove(id)
            counts.append(len(worker.engines))
        return [shared, counts]

    assert tell(story) == [True, [6, 6, 5]]


def test_not_more_logs_are_watched_than_the_system_has_ears(tmp_path: pathlib.Path) -> None:
    """Those that come last are looked at from time to time instead, and their boards say so."""

    async def story(worker: Worker) -> list[str]:
        worker.engines = worker.boards.engines = Engines(worker.slow, worker.thread_pool, most_watched=1)
        for id in ("a", "b"):
            await worker.run(body(id, written(tmp_path / id, "x")))
        engines = [worker.boards.by_id[id].engine for id in ("a", "b")]
        await until(lambda: engines[0].catalog.live == "watch")
        return [engine.catalog.live for engine in engines]

    assert tell(story) == ["watch", "poll"]


def test_runs_are_named_and_chosen_as_asked(tmp_path: pathlib.Path) -> None:
    """Each source by its alias and its patterns."""
    first = written(tmp_path / "one", "good", "bad").model_copy(update={"alias": "p", "exclude": "bad"})
    second = written(tmp_path / "two", "a", "b").model_copy(update={"alias": "q", "include": "b"})

    async def story(worker: Worker) -> list[str]:
        await worker.run(body("one", first, second))
        return await worker.names("one")

    assert tell(story) == ["p/good", "q/b"]


def test_sources_change_under_an_open_page(tmp_path: pathlib.Path) -> None:
    """The stream goes on: it tells the page to begin anew, and then of what comes to the new logs."""
    first, second = written(tmp_path / "one", "x"), written(tmp_path / "two", "y", "z")

    async def story(worker: Worker) -> list[Any]:
        await worker.run(body("one", first))
        changes = worker.boards.by_id["one"].board.changes
        stream = changes.stream()
        await next_event(stream)
        await worker.run(body("one", second, version=2))
        name, anew = await next_event(stream)
        names = await worker.names("one")
        written(tmp_path / "two", "late")
        while "late" not in await worker.names("one"):
            await next_event(stream)
        return [
            (name, anew["generation"], anew["structure"]),
            names,
            worker.boards.by_id["one"].board.changes is changes,
        ]

    assert tell(story) == [("change", 0, True), ["y", "z"], True]


def test_sources_that_cannot_be_read_change_nothing(tmp_path: pathlib.Path) -> None:
    """The board shows what it showed, and the same version may be asked for again."""
    first, second = written(tmp_path / "one", "x"), SourceBody(url=str(tmp_path / "later"))

    async def story(worker: Worker) -> list[Any]:
        await worker.run(body("one", first))
        await worker.put(body("one", second, version=2))
        await until(lambda: worker.boards.by_id["one"].opening is None)
        before = await worker.names("one")
        written(tmp_path / "later", "y")
        await worker.put(body("one", second, version=2))
        await until(lambda: worker.boards.by_id["one"].body.version == 2)
        await until(lambda: not worker.boards.by_id["one"].engine.catalog.loading)
        return [before, await worker.names("one"), len(worker.engines)]

    assert tell(story) == [["x"], ["y"], 1]


def test_old_versions_and_taken_places_are_refused(tmp_path: pathlib.Path) -> None:
    """Late news changes nothing, and no board takes another's address or that of the control."""
    logs = written(tmp_path / "logs", "x")

    async def story(worker: Worker) -> list[int]:
        await worker.run(body("one", logs, version=5))
        asked = [
            body("one", logs, version=5),
            body("one", logs, version=4),
            body("two", logs, prefix="/tb/one"),
            body("two", logs, prefix="/control"),
            body("two", logs, prefix="/control/boards"),
            body("one", logs, version=6, prefix="/tb/moved"),
        ]
        return [(await worker.put(each)).status_code for each in asked]

    assert tell(story) == [200, 409, 409, 409, 409, 409]


def test_an_edit_reaches_every_board_that_shares_the_file(tmp_path: pathlib.Path) -> None:
    """Open pages of both are told; the file holds it."""
    logs, file = written(tmp_path / "logs", "x"), tmp_path / "home" / "kept.json"

    async def story(worker: Worker) -> list[Any]:
        for id in ("a", "b"):
            await worker.run(body(id, logs, overlay=str(file)))
        stream = worker.boards.by_id["b"].board.changes.stream()
        await next_event(stream)
        edit = {"runs": {"x": {"note": "good"}}}
        await worker.ask("PATCH", "/tb/a/api/v1/overlay", headers=HUB | {"x-lightboard-role": "write"}, json=edit)
        told = await next_event(stream)
        return [told, (await worker.show("/tb/b/api/v1/overlay")).json()["runs"]]

    told, runs = tell(story)

    assert (told, runs) == (("overlay", {"revision": 1}), {"x": {"note": "good"}})
    assert json.loads(file.read_text())["runs"] == runs


def test_what_was_added_without_a_file_outlives_a_change(tmp_path: pathlib.Path) -> None:
    """It lasts as long as the board."""
    logs = written(tmp_path / "logs", "x")

    async def story(worker: Worker) -> Any:
        await worker.run(body("a", logs))
        edit = {"runs": {"x": {"note": "good"}}}
        await worker.ask("PATCH", "/tb/a/api/v1/overlay", headers=HUB | {"x-lightboard-role": "write"}, json=edit)
        await worker.run(body("a", logs, version=2, title="another"))
        await until(lambda: worker.boards.by_id["a"].body.version == 2)
        return (await worker.show("/tb/a/api/v1/overlay")).json()["runs"]

    assert tell(story) == {"x": {"note": "good"}}


def test_a_removed_board_ends_its_streams(tmp_path: pathlib.Path) -> None:
    """And there is nothing at its address."""

    async def story(worker: Worker) -> tuple[list[bytes], int]:
        await worker.run(body("a", written(tmp_path / "logs", "x")))
        stream = worker.boards.by_id["a"].board.changes.stream()
        await next_event(stream)
        worker.boards.remove("a")
        async with asyncio.timeout(60):
            rest = [piece async for piece in stream]
        return rest, (await worker.show("/tb/a/")).status_code

    assert tell(story) == ([], 404)


def test_the_state_tells_of_process_and_boards(tmp_path: pathlib.Path) -> None:
    """As far as reading has come, what it takes, and what is missing."""

    async def story(worker: Worker) -> dict[str, Any]:
        await worker.run(body("a", written(tmp_path / "logs", "x", "y")))
        await worker.run(body("b", written(tmp_path / "none")))
        return await worker.state()

    state = tell(story)
    a, b = state.pop("boards")

    assert (state["id"], state["engines"], state["memory_bytes"] > 0) == ("w-1", 2, True)
    assert [a[field] for field in ("id", "version", "state", "reason", "message")] == ["a", 1, "running", "", ""]
    progress = a["progress"]
    assert (progress["runs"], progress["files"], progress["points"], progress["loading"]) == (2, 2, 2, False)
    assert progress["bytes_read"] == progress["bytes_total"] > 0
    assert (a["memory_bytes"] > 0, b["memory_bytes"]) == (True, 0)
    assert (b["state"], b["message"]) == ("running", f"no event files under {tmp_path / 'none'}")


def test_a_log_keeps_the_last_lines_with_their_times() -> None:
    """One line each, whatever is in them."""
    log = Log(clock=lambda: 1_700_000_000.0)
    for number in range(MOST_LINES + 5):
        log.say(f"line\n{number}")

    lines = log.last(10_000)

    assert (len(lines), lines[0], log.last(1)) == (
        MOST_LINES,
        "2023-11-14T22:13:20Z line 5",
        [f"2023-11-14T22:13:20Z line {MOST_LINES + 4}"],
    )


def test_a_board_says_where_all_boards_are(tmp_path: pathlib.Path) -> None:
    """Relative to its own page, so that it holds behind every prefix."""

    async def story(worker: Worker) -> Any:
        await worker.run(body("a", written(tmp_path / "logs", "x")))
        return (await worker.show("/tb/a/api/v1/status")).json()["console"]

    assert tell(story) == "../../"
