"""A hub whose database is not there yet, or goes away for a while: it waits, says so, and needs nobody's help."""

import json
import pathlib
import threading
from collections.abc import Iterator

import httpx
import pytest

from databases import Postgres
from lightboard.testing.event_files import scalar_record, write_events
from running import PATIENCE_SECS
from running_hub import TOKEN, RunningHub, until
from tcp_gate import TcpGate


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    write_events(tmp_path / "logs" / "train" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    return tmp_path / "logs"


@pytest.fixture
def gate(postgres: Postgres) -> Iterator[TcpGate]:
    """The way to a new database, closed."""
    address = postgres.ready()
    with TcpGate(address) as made:
        yield made
    postgres.drop(address)


def watched(hub: RunningHub, seen: list[str]) -> threading.Thread:
    """Notes the status of every board that a watcher is told of, until the stream ends."""

    def listen() -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx.stream("GET", f"{hub.url}/api/v1/watch", headers=headers, timeout=PATIENCE_SECS) as stream:
            for line in stream.iter_lines():
                told = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
                if told:
                    seen.append(json.dumps(told))

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    return thread


def test_a_replica_waits_for_its_database(tmp_path: pathlib.Path, logs: pathlib.Path, gate: TcpGate) -> None:
    """It says once what it waits for, and comes up when the database does."""

    def open_when_asked_for() -> None:
        until(lambda: list(starting), bool, "the hub to wait")
        gate.open()

    starting: list[str] = []
    opener = threading.Thread(target=open_when_asked_for, daemon=True)
    opener.start()
    with RunningHub(tmp_path / "home", database=gate.through, roots=[logs], lines=starting) as hub:
        board = hub.board(logs)

        waited = [line for line in hub.lines if line.startswith("waiting: the database cannot be reached: ")]
        assert (len(waited), board["status"]) == (1, "Running")
    opener.join(PATIENCE_SECS)


@pytest.mark.parametrize(
    "statement",
    [b"pg_advisory_xact_lock", b"INSERT INTO settings", b"INSERT INTO accounts", b"bindings.adopt"],
    ids=["tables", "key", "first account", "upgrade"],
)
def test_a_database_that_is_lost_while_the_hub_starts(
    tmp_path: pathlib.Path, logs: pathlib.Path, gate: TcpGate, statement: bytes
) -> None:
    """Whatever the hub asked last: it waits, says so once, and comes up when the database is back."""

    def open_again() -> None:
        until(lambda: list(starting), bool, "the hub to wait")
        gate.open()

    gate.open()
    gate.cut_at = statement
    starting: list[str] = []
    opener = threading.Thread(target=open_again, daemon=True)
    opener.start()
    with RunningHub(tmp_path / "home", database=gate.through, roots=[logs], lines=starting) as hub:
        board = hub.board(logs)

        waited = [line for line in hub.lines if line.startswith("waiting: the database cannot be reached: ")]
        assert (gate.cut_at, len(waited), board["status"]) == (b"", 1, "Running")
        assert [line for line in hub.lines if "Traceback" in line] == []
    opener.join(PATIENCE_SECS)


def test_a_replica_finds_its_database_again(tmp_path: pathlib.Path, logs: pathlib.Path, gate: TcpGate) -> None:
    """Not ready meanwhile; then requests, the loop and those who watch go on by themselves, without a traceback."""
    gate.open()
    seen: list[str] = []
    with RunningHub(tmp_path / "home", database=gate.through, roots=[logs]) as hub:
        watcher = watched(hub, seen)
        first = hub.board(logs)
        gate.cut()
        away = until(lambda: hub.ask("GET", "/readyz"), lambda answer: answer.status_code == 503, "not ready").text
        refused = hub.ask("GET", "/api/v1/tensorboards").status_code
        gate.open()
        until(lambda: hub.ask("GET", "/readyz"), lambda answer: answer.is_success, "ready again")
        second = hub.board(logs)

        assert (away, refused) == ("the database does not answer\n", 503)
        assert hub.becomes(first["id"], "Running")["app_uri"] == first["app_uri"]
        until(lambda: " ".join(seen), lambda told: second["id"] in told, "news of the second board")
        assert [line for line in hub.lines if "Traceback" in line] == []
    watcher.join(PATIENCE_SECS)
