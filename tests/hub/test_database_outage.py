"""A hub whose database is unreachable waits, reports it, and recovers."""

import contextlib
import pathlib
import threading
from collections.abc import Iterator

import httpx
import pytest

from lightboard.testing.event_files import scalar_record, write_events
from support.board_process import TIMEOUT_SECS
from support.databases import Postgres
from support.hub_process import TOKEN, HubProcess, wait_for
from support.tcp_proxy import TcpProxy

AWAY = "the database does not respond"


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with one run."""
    write_events(tmp_path / "logs" / "train" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    return tmp_path / "logs"


@pytest.fixture
def proxy(postgres: Postgres) -> Iterator[TcpProxy]:
    """The way to a new database, closed."""
    address = postgres.ready()
    with TcpProxy(address) as made:
        yield made
    postgres.drop(address)


@contextlib.contextmanager
def watched_hub(home: pathlib.Path, proxy: TcpProxy, logs: pathlib.Path) -> Iterator[tuple[HubProcess, list[str]]]:
    """A hub whose database is reached by the proxy, and the lines that one stream of changes brings."""
    seen: list[str] = []

    def listen() -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with (
            contextlib.suppress(httpx.TransportError),  # the end of the hub may cut the stream
            httpx.stream("GET", f"{hub.url}/api/v1/watch", headers=headers, timeout=TIMEOUT_SECS) as stream,
        ):
            for line in stream.iter_lines():
                seen.append(line)

    proxy.open()
    with HubProcess(home, database=proxy.proxy_address, roots=[logs]) as hub:
        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        yield hub, seen
        hub.close()  # ends the stream
        listener.join(TIMEOUT_SECS)


def test_a_replica_waits_for_its_database(tmp_path: pathlib.Path, logs: pathlib.Path, proxy: TcpProxy) -> None:
    """It logs that once and starts when the database is up."""

    def open_when_asked_for() -> None:
        wait_for(lambda: list(starting), bool, "the hub to wait")
        proxy.open()

    starting: list[str] = []
    opener = threading.Thread(target=open_when_asked_for, daemon=True)
    opener.start()
    with HubProcess(tmp_path / "home", database=proxy.proxy_address, roots=[logs], lines=starting) as hub:
        board = hub.create_board(logs)

        waited = [line for line in hub.lines if line.startswith("waiting: the database cannot be reached: ")]
        assert (len(waited), board["status"]) == (1, "Running")
    opener.join(TIMEOUT_SECS)


@pytest.mark.parametrize(
    "statement",
    [b"pg_advisory_xact_lock", b"INSERT INTO settings", b"INSERT INTO accounts", b"bindings.adopt"],
    ids=["tables", "key", "first account", "upgrade"],
)
def test_the_database_may_fail_during_the_start(
    tmp_path: pathlib.Path, logs: pathlib.Path, proxy: TcpProxy, statement: bytes
) -> None:
    """At any statement: the hub waits, logs it once, and continues."""

    def open_again() -> None:
        wait_for(lambda: list(starting), bool, "the hub to wait")
        proxy.open()

    proxy.open()
    proxy.cut_at = statement
    starting: list[str] = []
    opener = threading.Thread(target=open_again, daemon=True)
    opener.start()
    with HubProcess(tmp_path / "home", database=proxy.proxy_address, roots=[logs], lines=starting) as hub:
        board = hub.create_board(logs)

        waited = [line for line in hub.lines if line.startswith("waiting: the database cannot be reached: ")]
        assert (proxy.cut_at, len(waited), board["status"]) == (b"", 1, "Running")
        assert [line for line in hub.lines if "Traceback" in line] == []
    opener.join(TIMEOUT_SECS)


def test_a_replica_reconnects(tmp_path: pathlib.Path, logs: pathlib.Path, proxy: TcpProxy) -> None:
    """It is not ready meanwhile; then requests, reconciler and streams continue without a traceback."""
    with watched_hub(tmp_path / "home", proxy, logs) as (hub, seen):
        first = hub.create_board(logs)
        proxy.cut()
        # What was under way at the cut may have failed in another way, and a worker may need longer than usual.
        wait_for(lambda: hub.request("GET", "/readyz").text, lambda told: AWAY in told.splitlines(), "not ready")
        refused = hub.request("GET", "/api/v1/tensorboards").status_code
        proxy.open()
        wait_for(lambda: hub.request("GET", "/readyz"), lambda answer: answer.is_success, "ready again")
        second = hub.create_board(logs)

        assert refused == 503
        assert hub.wait_for_status(first["id"], "Running")["app_uri"] == first["app_uri"]
        wait_for(lambda: " ".join(seen), lambda told: second["id"] in told, "news of the second board")
        assert [line for line in hub.lines if "Traceback" in line] == []


def test_a_stream_outlives_a_query_that_fails(tmp_path: pathlib.Path, logs: pathlib.Path, proxy: TcpProxy) -> None:
    """Its watcher learns what happened meanwhile, without having to connect again."""
    with watched_hub(tmp_path / "home", proxy, logs) as (hub, seen):
        wait_for(lambda: list(seen), bool, "the stream")
        proxy.cut_at = b"ORDER BY changes.id"  # the query for news
        hub.request("POST", "/api/v1/tensorboards", {"sources": [{"uri": str(logs)}]})  # may be cut as well
        wait_for(lambda: proxy.cut_at, lambda left: left == b"", "the query for news")
        proxy.open()
        wait_for(lambda: hub.request("GET", "/readyz"), lambda answer: answer.is_success, "ready again")
        board = hub.create_board(logs)

        wait_for(lambda: " ".join(seen), lambda told: board["id"] in told, "news of the board")
        assert [line for line in hub.lines if "Traceback" in line] == []
