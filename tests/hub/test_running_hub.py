"""A hub as a process, from its first start to its end, with real workers and real logs."""

import json
import os
import pathlib
import signal
from collections.abc import Iterator

import httpx
import pytest

from lightboard.testing.event_files import scalar_record, write_events
from running_hub import TOKEN, RunningHub, until


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    """One for tests that leave it as it was; what it says is JSON."""
    folder = tmp_path_factory.mktemp("shared")
    written(folder / "logs")
    with RunningHub(folder / "home", "--log", "json", roots=[folder / "logs"]) as hub:
        yield hub


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    return written(tmp_path / "logs")


def logs_of(hub: RunningHub) -> pathlib.Path:
    """The logs that the shared one may show."""
    return hub.home.parent / "logs"


def steps_of(hub: RunningHub, id: str) -> list[dict[str, str]]:
    """What the log says of the steps of a board."""
    lines = [json.loads(line) for line in hub.lines if line.startswith("{")]
    return [line for line in lines if line["event"] == "step" and line["id"] == id]


def written(logs: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    write_events(logs / "train" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    return logs


def runs_of(hub: RunningHub, board: dict[str, object]) -> list[str]:
    """Names of the runs that a board shows through the front door."""

    def look() -> list[str]:
        answer = hub.ask("GET", f"/tb/{board['id']}/api/v1/runs")
        return [run["name"] for run in answer.json()["runs"]] if answer.is_success else []

    return until(look, bool, "runs")


def test_a_board_is_made_and_looked_at(shared: RunningHub) -> None:
    """From the first start to the runs behind the front door."""
    board = shared.board(logs_of(shared))

    page = shared.ask("GET", f"/tb/{board['id']}/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert runs_of(shared, board) == ["train"]


def test_what_was_acknowledged_outlives_a_kill(tmp_path: pathlib.Path, logs: pathlib.Path) -> None:
    """After `kill -9` and a restart the board is there, comes up by itself, and its link works."""
    with RunningHub(tmp_path / "home", roots=[logs]) as hub:
        board = hub.board(logs)
        hub.kill()
        hub.restart()

        assert hub.becomes(board["id"], "Running")["app_uri"] == board["app_uri"]
        assert runs_of(hub, board) == ["train"]


def test_the_log_tells_every_step(shared: RunningHub) -> None:
    """One line for each: which board, from where to where, and why."""
    id = shared.board(logs_of(shared))["id"]
    shared.ask("PUT", f"/api/v1/tensorboards/{id}/stop")

    steps = until(lambda: steps_of(shared, id), lambda steps: len(steps) == 5, "five steps")
    assert sorted((step["from"], step["to"], step["reason"]) for step in steps) == [
        ("", "Pending", "Creating"),
        ("Creating", "Running", "Ready"),
        ("Pending", "Creating", "ProcessStarting"),
        ("Running", "Stopping", "UserRequested"),
        ("Stopping", "Stopped", "UserRequested"),
    ]


def test_the_log_says_why_a_board_failed(shared: RunningHub) -> None:
    """In the words that its page has."""
    wanted = {"sources": [{"uri": f"{logs_of(shared)}/nowhere"}]}
    id = shared.json("POST", "/api/v1/tensorboards", wanted)["id"]
    board = shared.becomes(id, "Creating_Failed")

    last = until(lambda: steps_of(shared, id), lambda steps: len(steps) >= 2, "both steps")[-1]
    assert (last["to"], last["reason"], last["message"]) == ("Creating_Failed", "SourceNotFound", board["message"])


def test_a_worker_that_dies_is_replaced(tmp_path: pathlib.Path, logs: pathlib.Path) -> None:
    """Boards come back by themselves at the same link."""
    with RunningHub(tmp_path / "home", roots=[logs]) as hub:
        board = hub.board(logs)
        before = hub.workers()
        for pid in before:
            os.kill(pid, signal.SIGKILL)

        until(lambda: set(hub.workers()) - set(before), bool, "another worker")
        assert runs_of(hub, board) == ["train"]


def test_a_polite_end_is_clean(tmp_path: pathlib.Path, logs: pathlib.Path) -> None:
    """TERM ends hub and workers, even while somebody watches; the code is 0 and nothing is complained of."""
    with RunningHub(tmp_path / "home", roots=[logs]) as hub:
        hub.board(logs)
        workers = hub.workers()
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with hub.http.stream("GET", "/api/v1/watch", headers=headers) as stream:
            next(stream.iter_raw())
            hub.process.send_signal(signal.SIGTERM)
            code = hub.process.wait(60)

        assert code == 0
        assert [line for line in hub.lines if "Traceback" in line or "error" in line.split()] == []
        until(
            lambda: [pid for pid in workers if pathlib.Path(f"/proc/{pid}").exists()], lambda left: not left, "the end"
        )


def test_the_first_account_is_made_by_the_link(tmp_path: pathlib.Path) -> None:
    """A person who starts it gets a link whose key is in the fragment, and which works once."""
    with RunningHub(tmp_path / "home", bootstrap=False) as hub:
        key = hub.setup_link.partition("#key=")[2]
        wanted = {"key": key, "name": "grace", "password": "long enough to be good"}
        assert hub.ask("GET", "/api/v1/entry", token="").json()["setup"] is True

        first = httpx.post(f"{hub.url}/api/v1/setup", json=wanted)
        again = httpx.post(f"{hub.url}/api/v1/setup", json=wanted)

        assert (first.status_code, first.json()["account"]["administrator"]) == (200, True)
        assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")
        assert hub.ask("GET", "/api/v1/entry", token="").json()["setup"] is False


def test_a_short_bootstrap_token_is_refused(tmp_path: pathlib.Path) -> None:
    """What can be guessed opens nothing."""
    with pytest.raises(RuntimeError, match="shorter than 20 characters"):
        RunningHub(tmp_path / "home", env={"LIGHTBOARD_BOOTSTRAP_TOKEN": "short"})
