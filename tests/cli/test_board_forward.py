"""`lightboard port-forward` of a TensorBoard: its page at a port of this machine, with the rights of who typed it."""

import contextlib
import pathlib
import signal
import socket
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from lightboard.cli.board_forward import is_below_root, local_path, request_headers, response_headers
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.errors import PermissionDenied
from support.board_process import TIMEOUT_SECS
from support.hub_cli import LOGS, PROJECT, HubCli, delete_boards, fetch_json
from support.hub_process import HubProcess

PAGE = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """With logs to show."""
    with HubProcess(tmp_path_factory.mktemp("hub"), roots=[LOGS]) as running:
        yield running


@pytest.fixture
def board(hub: HubProcess) -> Iterator[TensorBoard]:
    """A private one, running."""
    with Session(hub.url, hub.token, PROJECT) as session:
        yield TensorBoard.create(str(LOGS / "torch"), name="curves", session=session)
        delete_boards(session)


@pytest.fixture
def cli(hub: HubProcess, board: TensorBoard, tmp_path: pathlib.Path) -> HubCli:
    """Somebody who types."""
    return HubCli(hub, tmp_path)


@contextlib.contextmanager
def forwarded(cli: HubCli, *words: str) -> Iterator[tuple["subprocess.Popen[str]", httpx.Client]]:
    """A command that forwards the page of the TensorBoard, and a browser without any login at its local address."""
    with cli.start(*words) as process:
        assert process.stdout is not None
        leading = next(line for line in process.stdout if line.startswith("http://127.0.0.1:"))
        address, _, rest = leading.partition(" ")
        assert rest == "shows curves\n"
        try:
            with httpx.Client(base_url=address, timeout=TIMEOUT_SECS, trust_env=False) as browser:
                yield process, browser
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=TIMEOUT_SECS)


def test_the_paths_of_the_board_are_at_the_root(cli: HubCli, board: TensorBoard, hub: HubProcess) -> None:
    """Its page, what it loads, requests with a body, compressed responses, and streams without end."""
    with forwarded(cli, "port-forward", "curves", "0:6006") as (process, browser):
        page = browser.get("/", headers=PAGE)
        script = browser.get(page.text.partition('src="./')[2].partition('"')[0])
        posted = browser.post("/api/v1/reload").status_code
        runs = browser.get("/data/runs", headers={"Accept-Encoding": "gzip"})
        with browser.stream("GET", "/api/v1/events", headers={"Accept": "text/event-stream"}) as events:
            first = next(events.iter_lines())
        refused = browser.get("/nothing/there").status_code
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_SECS)

    assert ("<title>" in page.text, page.headers.get("set-cookie"), script.status_code) == (True, None, 200)
    assert (posted, runs.json()) == (200, fetch_json(hub, board, "data/runs"))
    assert (bool(first), refused, process.returncode) == (True, 404, 0)


def test_pages_of_other_sites_get_nothing_done(cli: HubCli, hub: HubProcess) -> None:
    """Nor do paths that lead out of the board, to what else the token may do; a login of the browser is not needed."""
    with forwarded(cli, "port-forward", "curves", "0:6006") as (_, browser):
        codes = {
            "posted by another site": browser.post(
                "/api/v1/reload", headers={"Origin": "http://evil.test"}
            ).status_code,
            "by another name": browser.get("/data/runs", headers={"Host": "evil.test"}).status_code,
            "out of the board": raw_status(browser, "/../../api/v1/me"),
            "hidden": raw_status(browser, "/%2e%2e/%2e%2e/api/v1/me"),
            "with the cookie of another server": browser.get("/data/runs", headers={"Cookie": "a=b"}).status_code,
        }

    assert codes == {
        "posted by another site": 403, "by another name": 403, "out of the board": 404, "hidden": 404,
        "with the cookie of another server": 200,
    }  # fmt: skip


def raw_status(browser: httpx.Client, path: str) -> int:
    """The status of a response for a path that is sent as it is."""
    with socket.create_connection((browser.base_url.host, browser.base_url.port or 80), TIMEOUT_SECS) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_it_ends_with_the_board(cli: HubCli, board: TensorBoard) -> None:
    """As for a job; a stopped one is told before anything listens."""
    with forwarded(cli, "port-forward", "curves", "0:6006") as (process, _):
        board.stop(wait=True)
        rest, _ = process.communicate(timeout=TIMEOUT_SECS)
    after = cli.command("port-forward", "curves", "0:6006", code=1).stderr.splitlines()

    assert (rest.splitlines()[-1] in ("curves is Stopping", "curves is Stopped"), process.returncode) == (True, 0)
    assert after == ["lightboard: curves is cancelled UserRequested", "hint: lightboard tb start curves"]


def test_run_forwards_while_it_is_attached(cli: HubCli, board: TensorBoard) -> None:
    """The page says what the board waits for, until it runs."""
    board.delete()
    words = ("--name", "curves", "-v", f"{LOGS}/torch:/logs", "", "tensorboard --logdir=/logs")
    with forwarded(cli, "run", "--port-forward", "0:6006", *words) as (process, browser):
        assert process.stdout is not None
        waiting = browser.get("/", headers=PAGE)
        next(line for line in process.stdout if line.startswith("TensorBoard "))
        page = browser.get("/", headers=PAGE)

    assert waiting.status_code in (200, 503)
    assert (page.status_code, "<title>" in page.text) == (200, True)


def test_only_what_a_tensorboard_has_is_forwarded(cli: HubCli) -> None:
    """One port, at a free one of this machine. It has no replicas, for other commands neither."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        local = taken.getsockname()[1]
        errors = [
            cli.command(*words, code=2).stderr.splitlines()
            for words in (
                ("port-forward", "curves", "2222:22"),
                ("port-forward", "curves", "6006", "--rank", "1"),
                ("exec", "--rank", "1", "curves", "true"),
                ("port-forward", "curves", f"{local}:6006"),
            )
        ]

    no_replicas = ["lightboard: the TensorBoard curves has no replicas", "hint: leave out --rank"]
    assert errors == [
        ["lightboard: a TensorBoard has no port 22", "hint: 2222:6006 leads to its page"],
        no_replicas,
        no_replicas,
        [
            f"lightboard: port {local} of this machine cannot be used: Address already in use",
            f"hint: choose another, for example {local + 1}:6006, or 0:6006 for any free one",
        ],
    ]


def test_headers_about_either_server_stay_there() -> None:
    """Cookies, origins and logins of the browser, and what the hub says about its own address."""
    sent = request_headers(
        [("Host", "localhost"), ("Cookie", "a=b"), ("Origin", "http://localhost"), ("X-Lightboard-Poll", "visible"),
         ("Sec-Fetch-Site", "same-origin"), ("Authorization", "Basic x"), ("Accept", "*/*")],
        "secret",
    )  # fmt: skip
    shown = response_headers(
        [("content-type", "text/html"), ("set-cookie", "a=b"), ("strict-transport-security", "max-age=1"),
         ("location", "https://hub.test/boards/tb/tb-1/?a=b")],
        "/boards/tb/tb-1",
    )  # fmt: skip

    assert sent == [
        ("X-Lightboard-Poll", "visible"), ("Accept", "*/*"), ("Accept-Encoding", "identity"),
        ("Authorization", "Bearer secret"),
    ]  # fmt: skip
    assert shown == [("content-type", "text/html"), ("location", "/?a=b")]
    with pytest.raises(PermissionDenied, match="the hub shows another page instead"):
        local_path("/login?next=/tb/tb-1/", "/tb/tb-1")


def test_paths_lead_nowhere_but_to_the_board() -> None:
    """However they are written; dots in names and queries are no steps."""
    paths = [
        "/",
        "/data/a..b?x=../..",
        "/../x",
        "/a/%2E%2e/x",
        "/a/..",
        "/a\\..\\x",
        "//..%2f",
        "http://hub.test/x",
        "*",
    ]

    assert [path for path in paths if is_below_root(path)] == ["/", "/data/a..b?x=../.."]
