"""The document of Neu.ro, line by line: C2, C3, C12 to C14, C18, C19, C22, C23 (platforms, 1.3)."""

import csv
import http.client
import io
import json
import pathlib
import shutil
import socket
import urllib.parse

import httpx
import pytest
from stage import LOGS, Terminal, read, told

from lightboard import TensorBoard
from lightboard.client.session import Session
from running import PATIENCE_SECS
from running_hub import RunningHub, until

TRAIN = "keras/keras2-fit/train"


def free_port() -> int:
    """One that nobody has now: a hub that must know its address beforehand takes it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@pytest.fixture
def board(session: Session) -> TensorBoard:
    """Over everything that Keras wrote."""
    return TensorBoard.create(str(LOGS / "keras_kinds"), session=session)


def test_c2_a_viewer_may_be_killed_and_another_shows_the_same(hub: RunningHub, session: Session) -> None:
    """Logs live elsewhere than whoever shows them."""
    first = TensorBoard.create(str(LOGS / "keras_kinds"), session=session)
    before = told(hub, first, "data/plugin/scalars/tags")
    first.delete()

    second = TensorBoard.create(str(LOGS / "keras_kinds"), session=session)

    assert (before != {}, told(hub, second, "data/plugin/scalars/tags")) == (True, before)


def test_c3_stopping_is_one_command(terminal: Terminal, board: TensorBoard) -> None:
    """By the name that people gave it."""
    terminal("tb", "stop", board.info()["name"])

    assert board.status == "Stopped"


def test_c3_a_viewer_takes_no_gpu(hub: RunningHub, board: TensorBoard) -> None:
    """No library that would is even loaded."""
    maps = "".join(pathlib.Path(f"/proc/{pid}/maps").read_text() for pid in hub.workers())

    assert [word for word in ("libcuda", "libnvidia", "libtorch", "tensorflow") if word in maps] == []


def test_c12_a_login_stands_before_the_port(hub: RunningHub, board: TensorBoard) -> None:
    """A browser is sent to it, a program is refused, the owner is let in."""
    with httpx.Client(trust_env=False, timeout=PATIENCE_SECS) as anybody:
        browser = anybody.get(board.app_uri, headers={"Accept": "text/html"})
        program = anybody.get(board.app_uri + "data/runs")
        owner = anybody.get(board.app_uri + "data/runs", headers={"Authorization": f"Bearer {hub.token}"})

    place = urllib.parse.urlsplit(browser.headers["location"])
    assert (browser.status_code, place.path, program.status_code, owner.status_code) == (302, "/login", 401, 200)


def test_c13_browse_opens_the_browser_when_it_is_up(terminal: Terminal) -> None:
    """The default browser is what BROWSER says."""
    opened = terminal.folder / "opened"
    browser = terminal.folder / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)

    said = terminal("tb", "create", str(LOGS / "torch"), "--browse", BROWSER=f"{browser} %s")

    until(opened.exists, bool, "the browser to be opened")
    assert until(opened.read_text, bool, "its address") == said.strip()


def test_c14_after_its_life_span_it_ends(terminal: Terminal, session: Session) -> None:
    """And says that this was why."""
    said = terminal("tb", "create", str(LOGS / "torch"), "--life-span", "1s", "--json", "--no-wait")
    board = TensorBoard(json.loads(said)["id"], session)

    info = until(board.info, lambda info: info["status"] == "Stopped", "its end")

    assert info["reason"] == "LifeSpanEnded"


def test_c18_each_has_a_host_of_its_own(database: str, tmp_path: pathlib.Path) -> None:
    """`<name>--<owner>.<domain>`, where a domain was set."""
    port = str(free_port())
    words = ["--port", port, "--public-url", f"http://127.0.0.1:{port}", "--domain", "boards.test"]
    with (
        RunningHub(tmp_path / "home", *words, database=database, roots=[LOGS]) as hub,
        Session(hub.url, hub.token, "default") as session,
    ):
        board = TensorBoard.create(str(LOGS / "torch"), display_name="Image", session=session)
        host = urllib.parse.urlsplit(board.app_uri).hostname
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=PATIENCE_SECS)
        connection.request("GET", "/data/runs", headers={"Host": str(host), "Authorization": f"Bearer {hub.token}"})
        answer = connection.getresponse()

        assert (host, answer.status, "plain" in json.loads(answer.read())) == ("image--admin.boards.test", 200, True)
        connection.close()


def test_c19_it_looks_for_what_is_new_by_itself_and_by_hand(
    hub: RunningHub, session: Session, tmp_path: pathlib.Path
) -> None:
    """Every thirty seconds at the latest on the page; what the button asks works at once."""
    board = TensorBoard.create(str(tmp_path), session=session)
    assert told(hub, board, "data/runs") == []

    shutil.copytree(LOGS / "torch" / "plain", tmp_path / "plain")

    assert (told(hub, board, "data/runs"), board.info()["reload_secs"] <= 30) == (["plain"], True)


def test_c22_scalars_can_be_downloaded_as_csv_or_json(hub: RunningHub, board: TensorBoard) -> None:
    """Both hold what is shown."""
    run, tags = next(iter(told(hub, board, "data/plugin/scalars/tags").items()))
    query = urllib.parse.urlencode({"run": run, "tag": sorted(tags)[0]})
    points = json.loads(read(hub, board, f"data/plugin/scalars/scalars?{query}"))

    rows = list(csv.reader(io.StringIO(read(hub, board, f"data/plugin/scalars/scalars?{query}&format=csv").decode())))

    assert (rows[0], [[float(cell) for cell in row] for row in rows[1:]]) == (["Wall time", "Step", "Value"], points)


def test_c23_images_are_there_for_each_epoch(hub: RunningHub, session: Session) -> None:
    """As the confusion matrix of the document."""
    board = TensorBoard.create(str(LOGS / "tensorflow_kinds"), session=session)
    run, tags = next((run, tags) for run, tags in told(hub, board, "data/plugin/images/tags").items() if tags)
    query = urllib.parse.urlencode({"run": run, "tag": sorted(tags)[0], "sample": 0})
    values = json.loads(read(hub, board, f"data/plugin/images/images?{query}"))

    first = read(hub, board, f"data/plugin/images/individualImage?{values[0]['query']}")

    assert (len(values) > 1, first[:4]) == (True, b"\x89PNG")
