"""The hub as a process with real workers and logs."""

import json
import os
import pathlib
import signal
from collections.abc import Iterator

import httpx
import pytest

from lightboard.testing.event_files import scalar_record, write_events
from support.hub_process import TOKEN, HubProcess, wait_for


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for tests that leave it as it was; what it says is JSON."""
    folder = tmp_path_factory.mktemp("shared")
    written(folder / "logs")
    with HubProcess(folder / "home", "--log", "json", roots=[folder / "logs"]) as hub:
        yield hub


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    return written(tmp_path / "logs")


def logs_of(hub: HubProcess) -> pathlib.Path:
    """The logs that the shared one may show."""
    return hub.home.parent / "logs"


def steps_of(hub: HubProcess, id: str) -> list[dict[str, str]]:
    """What the log says of the steps of a board."""
    lines = [json.loads(line) for line in hub.lines if line.startswith("{")]
    return [line for line in lines if line["event"] == "step" and line["id"] == id]


def written(logs: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    write_events(logs / "train" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    return logs


def runs_of(hub: HubProcess, board: dict[str, object]) -> list[str]:
    """Names of the runs that a board shows through the front door."""

    def look() -> list[str]:
        answer = hub.request("GET", f"/tb/{board['id']}/api/v1/runs")
        return [run["name"] for run in answer.json()["runs"]] if answer.is_success else []

    return wait_for(look, bool, "runs")


def test_a_board_is_created_and_opened(shared: HubProcess) -> None:
    """From the first start to runs behind the proxy."""
    board = shared.create_board(logs_of(shared))

    page = shared.request("GET", f"/tb/{board['id']}/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert runs_of(shared, board) == ["train"]


def test_acknowledged_boards_survive_a_kill(tmp_path: pathlib.Path, logs: pathlib.Path) -> None:
    """After `kill -9` and a restart they run again at the same link."""
    with HubProcess(tmp_path / "home", roots=[logs]) as hub:
        board = hub.create_board(logs)
        hub.kill()
        hub.restart()

        assert hub.wait_for_status(board["id"], "Running")["app_uri"] == board["app_uri"]
        assert runs_of(hub, board) == ["train"]


def test_the_log_records_every_transition(shared: HubProcess) -> None:
    """One line each, with board, statuses and reason."""
    id = shared.create_board(logs_of(shared))["id"]
    shared.request("PUT", f"/api/v1/tensorboards/{id}/stop")

    steps = wait_for(lambda: steps_of(shared, id), lambda steps: len(steps) == 5, "five steps")
    assert sorted((step["from"], step["to"], step["reason"]) for step in steps) == [
        ("", "Pending", "Creating"),
        ("Creating", "Running", "Ready"),
        ("Pending", "Creating", "ProcessStarting"),
        ("Running", "Stopping", "UserRequested"),
        ("Stopping", "Stopped", "UserRequested"),
    ]


def test_the_log_records_failures(shared: HubProcess) -> None:
    """In the words of the page."""
    wanted = {"sources": [{"uri": f"{logs_of(shared)}/nowhere"}]}
    id = shared.json("POST", "/api/v1/tensorboards", wanted)["id"]
    board = shared.wait_for_status(id, "Creating_Failed")

    last = wait_for(lambda: steps_of(shared, id), lambda steps: len(steps) >= 2, "both steps")[-1]
    assert (last["to"], last["reason"], last["message"]) == ("Creating_Failed", "SourceNotFound", board["message"])


def test_a_dead_worker_is_replaced(shared: HubProcess) -> None:
    """Its boards return at the same links."""
    board = shared.create_board(logs_of(shared))
    before = shared.worker_pids()
    for pid in before:
        os.kill(pid, signal.SIGKILL)

    wait_for(lambda: set(shared.worker_pids()) - set(before), bool, "another worker")
    assert runs_of(shared, board) == ["train"]


def test_sigterm_exits_cleanly(tmp_path: pathlib.Path, logs: pathlib.Path) -> None:
    """With open streams of the hub and of a board: exit code 0, no errors."""
    with HubProcess(tmp_path / "home", roots=[logs], fork=False) as hub:
        events = f"/tb/{hub.create_board(logs)['id']}/api/v1/events"
        workers = hub.worker_pids()
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with (
            hub.http.stream("GET", "/api/v1/watch", headers=headers) as stream,
            hub.http.stream("GET", events, headers=headers) as board_stream,
        ):
            next(stream.iter_raw())
            next(board_stream.iter_raw())
            hub.process.send_signal(signal.SIGTERM)
            code = hub.process.wait(60)

        assert code == 0
        assert [line for line in hub.lines if "Traceback" in line or "error" in line.split()] == []
        wait_for(
            lambda: [pid for pid in workers if pathlib.Path(f"/proc/{pid}").exists()], lambda left: not left, "the end"
        )


def test_the_setup_link_creates_the_first_account(tmp_path: pathlib.Path) -> None:
    """It has the key in its fragment and works once."""
    with HubProcess(tmp_path / "home", bootstrap=False) as hub:
        key = hub.setup_link.partition("#key=")[2]
        wanted = {"key": key, "name": "grace", "password": "long enough to be good"}
        assert hub.request("GET", "/api/v1/entry", token="").json()["setup"] is True

        first = httpx.post(f"{hub.url}/api/v1/setup", json=wanted)
        again = httpx.post(f"{hub.url}/api/v1/setup", json=wanted)

        assert (first.status_code, first.json()["account"]["administrator"]) == (200, True)
        assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")
        assert hub.request("GET", "/api/v1/entry", token="").json()["setup"] is False


def test_a_short_bootstrap_token_is_refused(tmp_path: pathlib.Path) -> None:
    """It could be guessed."""
    with pytest.raises(RuntimeError, match="shorter than 20 characters"):
        HubProcess(tmp_path / "home", env={"LIGHTBOARD_BOOTSTRAP_TOKEN": "short"})
