"""Boards in a worker: shared engines, changing sources, cleanup."""

import asyncio
import json
import pathlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.worker import engines
from lightboard.board.worker.engines import Engine, Engines
from lightboard.board.worker.log import MAX_LINES, Log
from lightboard.schema.worker import SourceBody
from lightboard.testing.event_files import scalar_record
from support.worker_client import HUB, WorkerClient, board_body, run_with_worker, wait_until, write_runs


async def next_event(stream: AsyncIterator[bytes]) -> tuple[str, dict[str, Any]]:
    """Name and data of the next event."""
    head, data, _ = (await anext(stream)).decode().split("\n", 2)
    return head.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_boards_over_the_same_logs_share_one_engine(tmp_path: pathlib.Path) -> None:
    """Other patterns, names, credentials or intervals need another; the last board frees it."""
    logs = write_runs(tmp_path / "logs", "x")
    others = [
        {"include": "x"},
        {"alias": "a"},
        {"options": {"access_key_id": "1"}},
        {"options": {"access_key_id": "2"}},
    ]

    async def story(worker: WorkerClient) -> list[Any]:
        await worker.start_board(board_body("a", logs))
        await worker.start_board(board_body("b", logs.model_copy(update={"url": f"{logs.url}/"})))
        shared = worker.boards.by_id["a"].engine is worker.boards.by_id["b"].engine
        for number, change in enumerate(others):
            await worker.start_board(board_body(f"o{number}", logs.model_copy(update=change)))
        await worker.start_board(board_body("slow", logs, reload_secs=60))
        counts = [(await worker.state())["engines"]]
        for id in ("a", "b"):
            worker.boards.remove(id)
            counts.append(len(worker.engines))
        return [shared, counts]

    assert run_with_worker(story) == [True, [6, 6, 5]]


def test_watches_are_limited_by_the_system(tmp_path: pathlib.Path) -> None:
    """Further logs are polled, and their boards say so."""

    async def story(worker: WorkerClient) -> list[str]:
        worker.engines = worker.boards.engines = Engines(worker.slow, worker.thread_pool, most_watched=1)
        for id in ("a", "b"):
            await worker.start_board(board_body(id, write_runs(tmp_path / id, "x")))
        engines = [worker.boards.by_id[id].engine for id in ("a", "b")]
        await wait_until(lambda: engines[0].catalog.live == "watch")
        return [engine.catalog.live for engine in engines]

    assert run_with_worker(story) == ["watch", "poll"]


def test_runs_follow_aliases_and_patterns(tmp_path: pathlib.Path) -> None:
    """Each source by its alias and its patterns."""
    first = write_runs(tmp_path / "one", "good", "bad").model_copy(update={"alias": "p", "exclude": "bad"})
    second = write_runs(tmp_path / "two", "a", "b").model_copy(update={"alias": "q", "include": "b"})

    async def story(worker: WorkerClient) -> list[str]:
        await worker.start_board(board_body("one", first, second))
        return await worker.run_names("one")

    assert run_with_worker(story) == ["p/good", "q/b"]


def test_sources_can_change_while_streaming(tmp_path: pathlib.Path) -> None:
    """The stream resets the page and continues with the new logs."""
    first, second = write_runs(tmp_path / "one", "x"), write_runs(tmp_path / "two", "y", "z")

    async def story(worker: WorkerClient) -> list[Any]:
        await worker.start_board(board_body("one", first))
        changes = worker.boards.by_id["one"].board.changes
        stream = changes.stream()
        await next_event(stream)
        await worker.start_board(board_body("one", second, version=2))
        name, anew = await next_event(stream)
        names = await worker.run_names("one")
        write_runs(tmp_path / "two", "late")
        while "late" not in await worker.run_names("one"):
            await next_event(stream)
        return [
            (name, anew["generation"], anew["structure"]),
            names,
            worker.boards.by_id["one"].board.changes is changes,
        ]

    assert run_with_worker(story) == [("change", 0, True), ["y", "z"], True]


def test_unreadable_sources_are_refused(tmp_path: pathlib.Path) -> None:
    """The board keeps its sources, and the version can be retried."""
    first, second = write_runs(tmp_path / "one", "x"), SourceBody(url=str(tmp_path / "later"))

    async def story(worker: WorkerClient) -> list[Any]:
        await worker.start_board(board_body("one", first))
        await worker.put_board(board_body("one", second, version=2))
        await wait_until(lambda: worker.boards.by_id["one"].opening is None)
        before = await worker.run_names("one")
        write_runs(tmp_path / "later", "y")
        await worker.put_board(board_body("one", second, version=2))
        await wait_until(lambda: worker.boards.by_id["one"].body.version == 2)
        await wait_until(lambda: not worker.boards.by_id["one"].engine.catalog.loading)
        return [before, await worker.run_names("one"), len(worker.engines)]

    assert run_with_worker(story) == [["x"], ["y"], 1]


def test_old_versions_and_used_prefixes_are_refused(tmp_path: pathlib.Path) -> None:
    """Also that of the control routes."""
    logs = write_runs(tmp_path / "logs", "x")

    async def story(worker: WorkerClient) -> list[int]:
        await worker.start_board(board_body("one", logs, version=5))
        asked = [
            board_body("one", logs, version=5),
            board_body("one", logs, version=4),
            board_body("two", logs, prefix="/tb/one"),
            board_body("two", logs, prefix="/control"),
            board_body("two", logs, prefix="/control/boards"),
            board_body("one", logs, version=6, prefix="/tb/moved"),
        ]
        return [(await worker.put_board(each)).status_code for each in asked]

    assert run_with_worker(story) == [200, 409, 409, 409, 409, 409]


def test_an_edit_reaches_every_board_that_shares_the_file(tmp_path: pathlib.Path) -> None:
    """Open pages of both are told; the file holds it."""
    logs, file = write_runs(tmp_path / "logs", "x"), tmp_path / "home" / "kept.json"

    async def story(worker: WorkerClient) -> list[Any]:
        for id in ("a", "b"):
            await worker.start_board(board_body(id, logs, overlay=str(file)))
        stream = worker.boards.by_id["b"].board.changes.stream()
        await next_event(stream)
        edit = {"runs": {"x": {"note": "good"}}}
        await worker.request("PATCH", "/tb/a/api/v1/overlay", headers=HUB | {"x-lightboard-role": "write"}, json=edit)
        told = await next_event(stream)
        return [told, (await worker.get("/tb/b/api/v1/overlay")).json()["runs"]]

    told, runs = run_with_worker(story)

    assert (told, runs) == (("overlay", {"revision": 1}), {"x": {"note": "good"}})
    assert json.loads(file.read_text())["runs"] == runs


def test_what_was_added_without_a_file_outlives_a_change(tmp_path: pathlib.Path) -> None:
    """It lasts as long as the board."""
    logs = write_runs(tmp_path / "logs", "x")

    async def story(worker: WorkerClient) -> Any:
        await worker.start_board(board_body("a", logs))
        edit = {"runs": {"x": {"note": "good"}}}
        await worker.request("PATCH", "/tb/a/api/v1/overlay", headers=HUB | {"x-lightboard-role": "write"}, json=edit)
        await worker.start_board(board_body("a", logs, version=2, title="another"))
        await wait_until(lambda: worker.boards.by_id["a"].body.version == 2)
        return (await worker.get("/tb/a/api/v1/overlay")).json()["runs"]

    assert run_with_worker(story) == {"x": {"note": "good"}}


def test_a_removed_board_ends_its_streams(tmp_path: pathlib.Path) -> None:
    """And there is nothing at its address."""

    async def story(worker: WorkerClient) -> tuple[list[bytes], int]:
        await worker.start_board(board_body("a", write_runs(tmp_path / "logs", "x")))
        stream = worker.boards.by_id["a"].board.changes.stream()
        await next_event(stream)
        worker.boards.remove("a")
        async with asyncio.timeout(60):
            rest = [piece async for piece in stream]
        return rest, (await worker.get("/tb/a/")).status_code

    assert run_with_worker(story) == ([], 404)


def test_the_state_tells_of_process_and_boards(tmp_path: pathlib.Path) -> None:
    """As far as reading has come, what it takes, and what is missing."""

    async def story(worker: WorkerClient) -> dict[str, Any]:
        await worker.start_board(board_body("a", write_runs(tmp_path / "logs", "x", "y")))
        await worker.start_board(board_body("b", write_runs(tmp_path / "none")))
        return await worker.state()

    state = run_with_worker(story)
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
    for number in range(MAX_LINES + 5):
        log.say(f"line\n{number}")

    lines = log.last(10_000)

    assert (len(lines), lines[0], log.last(1)) == (
        MAX_LINES,
        "2023-11-14T22:13:20Z line 5",
        [f"2023-11-14T22:13:20Z line {MAX_LINES + 4}"],
    )


class LateWriter(AsyncThreadPool):
    """Logs of an engine are written, and read, right after its first report."""

    def __init__(self, file: pathlib.Path) -> None:
        super().__init__(2)
        self.file = file

    def run(self, function: Callable[[], object]) -> None:
        engine = getattr(function, "__self__", None)
        if not isinstance(engine, Engine) or self.file.exists():
            function()
        else:
            engine.loader.refresh()
            function()
            self.file.parent.mkdir(parents=True)
            self.file.write_bytes(b"\xff" * 40 + scalar_record("loss", 1, 2.0))
            engine.loader.refresh()
            engine.loader.stop()  # nothing is published later


def test_the_log_has_what_is_read_right_after_the_first_report(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "REPORT_SECS", 0.01)
    file = tmp_path / "logs" / "x" / "events.out.tfevents.1"
    line = f"{file}: no good record at byte 0; 40 bytes skipped so far"

    async def story(worker: WorkerClient) -> None:
        opening = LateWriter(file)
        worker.engines = worker.boards.engines = Engines(opening, worker.thread_pool)
        await worker.start_board(board_body("a", write_runs(tmp_path / "logs")))
        await wait_until(lambda: any(line in said for said in worker.boards.by_id["a"].log.last(10)))
        worker.boards.remove("a")
        await asyncio.sleep(0)
        opening.close(wait=True)

    run_with_worker(story)


def test_a_board_says_where_all_boards_are(tmp_path: pathlib.Path) -> None:
    """Relative to its own page, so that it holds behind every prefix."""

    async def story(worker: WorkerClient) -> Any:
        await worker.start_board(board_body("a", write_runs(tmp_path / "logs", "x")))
        return (await worker.get("/tb/a/api/v1/status")).json()["console"]

    assert run_with_worker(story) == "../../"
