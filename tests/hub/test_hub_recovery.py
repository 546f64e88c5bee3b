"""Hubs that are killed, share a database, or run out of space keep everything acknowledged."""

import contextlib
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from lightboard.hub.db.engine import open_database
from lightboard.hub.db.tables import TensorboardRow
from lightboard.hub.launchers.handle import parse, secret_of
from lightboard.hub.launchers.worker_client import WorkerClient, WorkerLost
from lightboard.hub.serve import key_of
from lightboard.testing.event_files import scalar_record, write_events
from support.board_process import TIMEOUT_SECS
from support.databases import Postgres
from support.hub_process import TOKEN, HubProcess, wait_for

SETTLED = ("Running", "Stopped", "Deleted")
BECOMES = {"create": "Running", "start": "Running", "stop": "Stopped", "delete": "Deleted"}
KILLS = 2
HANDS = 3


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    return written(tmp_path / "logs")


def written(logs: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    write_events(logs / "train" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    return logs


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One over SQLite, for tests that leave it running; `logs_of` has a run that it may show."""
    folder = tmp_path_factory.mktemp("single")
    with HubProcess(folder / "home", roots=[written(folder / "logs")]) as hub:
        hub.json("PATCH", "/api/v1/accounts/admin", {"own_limit": 1_000})
        yield hub


def logs_of(hub: HubProcess) -> pathlib.Path:
    """The logs beside its home."""
    return hub.home.parent / "logs"


def runs_of(hub: HubProcess, id: str) -> list[str]:
    """Names of the runs that a board shows through the front door, once it does."""

    def look() -> list[str]:
        answer = hub.request("GET", f"/tb/{id}/api/v1/runs")
        return [run["name"] for run in answer.json()["runs"]] if answer.is_success else []

    return wait_for(look, bool, f"runs of {id}")


def held(hub: HubProcess, address: str) -> list[str]:
    """Ids of the boards in all workers that the database knows of; one that is in two comes twice.

    A worker that died with its hub has none, even where nobody has noticed yet.
    """
    database = open_database(address)
    try:
        key = key_of(database, hub.home / "hub")
        with database.read() as session:
            handles = [parse(text) for text in session.scalars(select(TensorboardRow.executor_ref)) if text]
    finally:
        database.close()
    workers = {(handle.worker, handle.url) for handle in handles if handle is not None}
    found: list[str] = []
    for worker, url in workers:
        with contextlib.suppress(WorkerLost):
            found += [board.id for board in WorkerClient(url, secret_of(key, worker)).state().boards]
    return sorted(found)


def complaints(hub: HubProcess) -> list[str]:
    """What the hub said that no administrator should have to read."""
    return [line for line in hub.lines if "Traceback" in line]


# Killed in the middle


class Hand(threading.Thread):
    """Asks for one thing after another until the hub is gone; `boards` says what was acknowledged last of each.

    `open` is what was asked and not acknowledged: a board and a word, or for a new board the key to ask again with.
    """

    def __init__(self, hub: HubProcess, logs: pathlib.Path, seed: int, told: Callable[[], None]) -> None:
        super().__init__(name=f"hand {seed}", daemon=True)
        self.boards: dict[str, str] = {}
        self.open: tuple[str, str] | None = None
        self.failure: Exception | None = None
        self._hub = hub
        self._logs = logs
        self._seed = seed
        self._random = random.Random(seed)
        self._told = told

    def run(self) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        try:
            with httpx.Client(base_url=self._hub.url, timeout=TIMEOUT_SECS, trust_env=False, headers=headers) as http:
                for number in range(1_000):
                    self._do(http, number)
        except httpx.TransportError:
            return
        except Exception as error:
            self.failure = error

    def _do(self, http: httpx.Client, number: int) -> None:
        live = sorted(id for id, word in self.boards.items() if word != "delete")
        word = self._random.choice(["create", "stop", "start", "delete"]) if len(live) > 1 else "create"
        target = f"{self._seed}-{number}" if word == "create" else self._random.choice(live)
        self.open = (target, word)
        if word == "create":
            answer = create(http, self._logs, target)
        else:
            method, path = {"delete": ("DELETE", "")}.get(word, ("PUT", f"/{word}"))
            answer = http.request(method, f"/api/v1/tensorboards/{target}{path}")
        told = answer.raise_for_status().json()
        self.open = None
        if word != "start" or told["status"] != "Stopping":  # what is being stopped is not started by that
            self.boards[told["id"]] = word
        self._told()

    def finish(self, http: httpx.Client) -> None:
        """Asks once more for the board whose answer never came."""
        if self.open and self.open[1] == "create":
            told = create(http, self._logs, self.open[0]).raise_for_status().json()
            self.boards[told["id"]] = "create"
            self.open = None

    def allowed(self, id: str) -> set[str]:
        """The statuses that a board may come to: what was acknowledged, or what was asked for last."""
        pending = {BECOMES[self.open[1]]} if self.open and self.open[0] == id else set()
        return {BECOMES[self.boards[id]], *pending}


def create(http: httpx.Client, logs: pathlib.Path, key: str) -> httpx.Response:
    """Asks for a board, again for the same one where the key is the same."""
    body = {"sources": [{"uri": str(logs)}], "display_name": key}
    headers = {"Idempotency-Key": key, "Authorization": f"Bearer {TOKEN}"}
    return http.post("/api/v1/tensorboards", json=body, headers=headers)


class Countdown:
    """Is over when it was told so often."""

    def __init__(self, count: int) -> None:
        self.over = threading.Event()
        self._left = count
        self._lock = threading.Lock()

    def __call__(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left <= 0:
                self.over.set()


def killed_in_the_middle(hub: HubProcess, logs: pathlib.Path, seed: int) -> list[Hand]:
    """Several people at work, and `kill -9` when so many things were acknowledged; the hub is up again afterwards."""
    countdown = Countdown(random.Random(seed).randrange(4, 16))
    hands = [Hand(hub, logs, seed * 100 + number, countdown) for number in range(HANDS)]
    for hand in hands:
        hand.start()
    assert countdown.over.wait(TIMEOUT_SECS)
    workers = hub.worker_pids()
    hub.kill()
    for hand in hands:
        hand.join(TIMEOUT_SECS)
    assert [hand.failure for hand in hands if hand.failure] == []
    gone = lambda: [pid for pid in workers if alive(pid)]  # noqa: E731
    wait_for(gone, lambda left: not left, "the workers of the dead hub to end")
    hub.restart()
    return hands


def alive(pid: int) -> bool:
    """Is the process there, and more than a corpse that nobody has buried?"""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_acknowledged_requests_survive_a_kill(tmp_path: pathlib.Path, logs: pathlib.Path, database_url: str) -> None:
    """Every board reaches its requested status, its link works, and there are no others."""
    boards: dict[str, str] = {}
    with HubProcess(tmp_path / "home", roots=[logs], database=database_url) as hub:
        hub.json("PATCH", "/api/v1/accounts/admin", {"own_limit": 1_000})
        for seed in range(1, KILLS + 1):
            for hand in killed_in_the_middle(hub, logs, seed):
                hand.finish(hub.http)
                for id in hand.boards:
                    boards[id] = settled(hub, id)
                    assert boards[id] in hand.allowed(id), f"{id} is {boards[id]}"
            assert {id: settled(hub, id) for id in boards} == boards
        running = sorted(id for id, status in boards.items() if status == "Running")

        assert {id: runs_of(hub, id) for id in running} == {id: ["train"] for id in running}
        assert {
            id: hub.request("GET", f"/tb/{id}/").status_code for id, status in boards.items() if status == "Deleted"
        } == {id: 410 for id, status in boards.items() if status == "Deleted"}
        listed = hub.json("GET", "/api/v1/tensorboards?page_size=100")
        assert {item["id"]: item["status"] for item in listed["items"]} == {
            id: status for id, status in boards.items() if status != "Deleted"
        }
        assert held(hub, database_url) == running
        assert complaints(hub) == []


def settled(hub: HubProcess, id: str) -> str:
    """The status of a board once nothing is under way."""
    look: Callable[[], str] = lambda: hub.json("GET", f"/api/v1/tensorboards/{id}")["status"]  # noqa: E731
    return wait_for(look, lambda status: status in SETTLED, f"{id} to settle")


# A worker that dies


def test_boards_survive_a_dead_worker(single: HubProcess) -> None:
    """They run again at the same links; open streams end and can be reopened."""
    hub, logs = single, logs_of(single)
    boards = [hub.create_board(logs)["app_uri"] for _ in range(3)]
    events = f"{boards[0]}api/v1/events"
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/event-stream"}
    with hub.http.stream("GET", events, headers=headers) as stream:
        pieces = stream.iter_raw()
        next(pieces)
        before = hub.worker_pids()
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        ended(pieces)

    wait_for(lambda: set(hub.worker_pids()) - set(before), bool, "another worker")
    shown = {uri: runs_of(hub, uri.rstrip("/").rpartition("/")[2]) for uri in boards}
    with hub.http.stream("GET", events, headers=headers) as stream:
        assert (stream.status_code, next(stream.iter_raw()) != b"") == (200, True)

    listed = hub.json("GET", "/api/v1/tensorboards?page_size=100")["items"]
    statuses = {item["app_uri"]: item["status"] for item in listed}
    assert {uri: statuses.get(uri) for uri in boards} == dict.fromkeys(boards, "Running")
    assert shown == {uri: ["train"] for uri in boards}
    assert complaints(hub) == []


def ended(pieces: Iterator[bytes]) -> None:
    """Reads a stream to its end, which is cut off."""
    with pytest.raises(httpx.RemoteProtocolError):
        for _ in pieces:
            pass


# Two replicas


@pytest.fixture(scope="module")
def shared(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Replicas"]:
    """Two hubs over one database that was empty when both started, each in its own home."""
    address = postgres.empty()
    home = tmp_path_factory.mktemp("replicas")
    logs = written(home / "logs")
    start = lambda name: HubProcess(home / name, roots=[logs], database=address)  # noqa: E731
    with ThreadPoolExecutor(2) as threads:
        started = [threads.submit(start, name) for name in ("one", "other")]
    one, other = (each.result() for each in started)
    with one, other:
        one.json("PATCH", "/api/v1/accounts/admin", {"own_limit": 1_000})
        yield Replicas(one, other, address, logs)
    postgres.drop(address)


class Replicas:
    """`one` and `other`, whose database is at `address`."""

    def __init__(self, one: HubProcess, other: HubProcess, address: str, logs: pathlib.Path) -> None:
        self.one, self.other, self.address, self.logs = one, other, address, logs

    def boards(self, count: int) -> list[str]:
        """New boards, Running, asked for at both in turn; their ids."""
        body = {"sources": [{"uri": str(self.logs)}]}
        hubs = (self.one, self.other)
        made = [hubs[number % 2].json("POST", "/api/v1/tensorboards", body)["id"] for number in range(count)]
        return [self.one.wait_for_status(id, "Running")["id"] for id in made]


def test_concurrent_replicas_create_one_first_account(shared: Replicas) -> None:
    """One migrates and creates it, both know it."""
    names = [
        [item["name"] for item in hub.json("GET", "/api/v1/accounts")["items"] if item["administrator"]]
        for hub in (shared.one, shared.other)
    ]

    assert names == [["admin"], ["admin"]]


def test_boards_open_at_every_replica(shared: Replicas) -> None:
    """Whichever started them."""
    boards = shared.boards(2)

    assert [runs_of(hub, id) for id in boards for hub in (shared.one, shared.other)] == [["train"]] * 4


def test_boards_are_started_once(shared: Replicas) -> None:
    """However many are created at both replicas."""
    wanted = {"sources": [{"uri": str(shared.logs)}]}
    with ThreadPoolExecutor(8) as threads:
        hubs = [shared.one, shared.other] * 8
        made = list(threads.map(lambda hub: hub.json("POST", "/api/v1/tensorboards", wanted)["id"], hubs))
    for id in made:
        shared.other.wait_for_status(id, "Running")

    found = held(shared.one, shared.address)
    assert [found.count(id) for id in made] == [1] * len(made)


def test_concurrent_updates_of_one_version_conflict(shared: Replicas) -> None:
    """No update is lost."""
    (id,) = shared.boards(1)
    version = shared.one.request("GET", f"/api/v1/tensorboards/{id}").headers["etag"]

    def change(hub: HubProcess) -> tuple[int, str]:
        name = f"at {hub.port}"
        asked = {"headers": {"If-Match": version}}
        return hub.request("PATCH", f"/api/v1/tensorboards/{id}", {"display_name": name}, **asked).status_code, name

    with ThreadPoolExecutor(2) as threads:
        told = dict(threads.map(change, (shared.one, shared.other)))

    assert sorted(told) == [200, 409]
    assert shared.one.json("GET", f"/api/v1/tensorboards/{id}")["display_name"] == told[200]


def test_the_limit_holds_across_replicas(shared: Replicas) -> None:
    """Of twenty concurrent creates, five succeed."""
    token = shared.one.create_account("grace", "editor")
    body = {"sources": [{"uri": str(shared.logs)}]}

    def ask(number: int) -> int:
        hub = (shared.one, shared.other)[number % 2]
        return hub.request("POST", "/api/v1/tensorboards", body, token).status_code

    with ThreadPoolExecutor(20) as threads:
        codes = list(threads.map(ask, range(20)))

    assert sorted(codes) == [201] * 5 + [409] * 15


def test_boards_of_a_killed_replica_move(shared: Replicas) -> None:
    """With the same links; the killed one can rejoin."""
    home = shared.one.home.with_name("third")
    with HubProcess(home, roots=[shared.logs], database=shared.address) as third:
        boards = Replicas(third, shared.other, shared.address, shared.logs).boards(4)
        third.kill()

        there = {id: runs_of(shared.other, id) for id in boards}
        third.restart()

        assert there == {id: ["train"] for id in boards}
        assert {id: runs_of(third, id) for id in boards} == there
    found = held(shared.one, shared.address)
    assert found == sorted(set(found))


# No room


def start_without_room(home: pathlib.Path, most_bytes: int) -> tuple[int, list[str]]:
    """Starts a hub that cannot write files longer than this; its exit code and what it said."""
    program = (
        "import resource, sys; from lightboard.cli.main import main; "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes}, {most_bytes})); sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "hub", "--port", "0", "--home", str(home)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECS)
    return ran.returncode, ran.stderr.splitlines()


def test_a_full_disk_at_start_is_one_error(tmp_path: pathlib.Path) -> None:
    """With a hint."""
    code, lines = start_without_room(tmp_path / "home", 0)

    assert code == 1
    assert [line.partition(":")[0] for line in lines] == ["lightboard", "hint"]
    assert "cannot be written" in lines[0]


def test_an_uncreatable_home_is_one_error(tmp_path: pathlib.Path) -> None:
    """It names the folder."""
    (tmp_path / "file").touch()
    code, lines = start_without_room(tmp_path / "file" / "home", resource.RLIM_INFINITY)

    assert (code, lines) == (
        2,
        [
            f"lightboard: the hub cannot store its data in {tmp_path}/file/home/hub: Not a directory",
            "hint: use another folder with --home DIR",
        ],
    )


def test_a_temporarily_full_disk(single: HubProcess) -> None:
    """Writes are refused, reads work, and everything continues once there is space."""
    hub, logs = single, logs_of(single)
    board = hub.create_board(logs)
    wanted: dict[str, Any] = {"sources": [{"uri": str(logs)}], "display_name": "one more"}
    hard = resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE, (0, hard))
    refused = hub.request("POST", "/api/v1/tensorboards", wanted)
    looked = runs_of(hub, board["id"])
    ready = [
        wait_for(lambda: hub.request("GET", "/readyz"), lambda answer: answer.status_code == 503, "not ready").text
    ]
    resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
    made = hub.json("POST", "/api/v1/tensorboards", wanted)
    ready += [wait_for(lambda: hub.request("GET", "/readyz"), lambda answer: answer.is_success, "ready again").text]

    assert [text.partition("jobs: ")[0] for text in ready] == [
        "the database is not writable, or has other tables\nthe hub's folder is not writable\n",
        "ready\n",
    ]
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "database")
    assert looked == ["train"]
    assert hub.wait_for_status(made["id"], "Running")["display_name"] == "one more"
    assert complaints(hub) == []
