"""Requirements of the Neu.ro document: C2, C3, C12 to C14, C18, C19, C22, C23."""

import csv
import http.client
import io
import json
import pathlib
import shutil
import urllib.parse

import httpx
import pytest

from lightboard import TensorBoard
from lightboard.client.session import Session
from support.board_process import TIMEOUT_SECS
from support.hub_cli import LOGS, HubCli, fetch, fetch_json
from support.hub_process import HubProcess, wait_for
from support.ports import free_ports

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

TRAIN = "keras/keras2-fit/train"


@pytest.fixture
def board(session: Session) -> TensorBoard:
    """Over everything that Keras wrote."""
    return TensorBoard.create(str(LOGS / "keras_kinds"), session=session)


def test_c2_a_killed_viewer_is_replaced(hub: HubProcess, session: Session) -> None:
    """Logs are stored elsewhere."""
    first = TensorBoard.create(str(LOGS / "keras_kinds"), session=session)
    before = fetch_json(hub, first, "data/plugin/scalars/tags")
    first.delete()

    second = TensorBoard.create(str(LOGS / "keras_kinds"), session=session)

    assert (before != {}, fetch_json(hub, second, "data/plugin/scalars/tags")) == (True, before)


@pytest.mark.databases("sqlite", "postgres")
def test_c3_stopping_is_one_command(cli: HubCli, board: TensorBoard) -> None:
    """By name."""
    cli("tb", "stop", board.info()["name"])

    assert board.status == "Stopped"


def test_c3_a_viewer_uses_no_gpu(hub: HubProcess, board: TensorBoard) -> None:
    """No GPU library is loaded."""
    maps = "".join(pathlib.Path(f"/proc/{pid}/maps").read_text() for pid in hub.worker_pids())

    assert [word for word in ("libcuda", "libnvidia", "libtorch", "tensorflow") if word in maps] == []


def test_c12_boards_need_a_login(hub: HubProcess, board: TensorBoard) -> None:
    """Browsers are redirected, programs refused, the owner admitted."""
    with httpx.Client(trust_env=False, timeout=TIMEOUT_SECS) as anybody:
        browser = anybody.get(board.app_uri, headers={"Accept": "text/html"})
        program = anybody.get(board.app_uri + "data/runs")
        owner = anybody.get(board.app_uri + "data/runs", headers={"Authorization": f"Bearer {hub.token}"})

    place = urllib.parse.urlsplit(browser.headers["location"])
    assert (browser.status_code, place.path, program.status_code, owner.status_code) == (302, "/login", 401, 200)


def test_c13_browse_waits_and_opens_the_browser(cli: HubCli) -> None:
    """The one in BROWSER."""
    opened = cli.folder / "opened"
    browser = cli.folder / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)

    said = cli("tb", "create", str(LOGS / "torch"), "--browse", BROWSER=f"{browser} %s")

    wait_for(opened.exists, bool, "the browser to be opened")
    assert wait_for(opened.read_text, bool, "its address") == said.strip()


@pytest.mark.databases("sqlite", "postgres")
def test_c14_a_board_ends_after_its_life_span(cli: HubCli, session: Session) -> None:
    """With that reason."""
    said = cli("tb", "create", str(LOGS / "torch"), "--life-span", "1s", "--json", "--no-wait")
    board = TensorBoard(json.loads(said)["id"], session)

    info = wait_for(board.info, lambda info: info["status"] == "Stopped", "its end")

    assert info["reason"] == "LifeSpanEnded"


def test_c18_each_board_has_a_subdomain(database: str, tmp_path: pathlib.Path) -> None:
    """`<name>--<owner>.<domain>`, if a domain is configured."""
    port = str(free_ports(1)[0])
    words = ["--port", port, "--public-url", f"http://127.0.0.1:{port}", "--domain", "boards.test"]
    with (
        HubProcess(tmp_path / "home", *words, database=database, roots=[LOGS]) as hub,
        Session(hub.url, hub.token, "default") as session,
    ):
        board = TensorBoard.create(str(LOGS / "torch"), display_name="Image", session=session)
        host = urllib.parse.urlsplit(board.app_uri).netloc
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=TIMEOUT_SECS)
        connection.request("GET", "/data/runs", headers={"Host": host, "Authorization": f"Bearer {hub.token}"})
        answer = connection.getresponse()

        found = (host, answer.status, "plain" in json.loads(answer.read()))
        assert found == (f"image--admin.boards.test:{port}", 200, True)
        connection.close()


def test_c19_boards_reload_automatically_and_on_request(
    hub: HubProcess, session: Session, tmp_path: pathlib.Path
) -> None:
    """At least every 30 seconds on the page; the button reloads at once."""
    board = TensorBoard.create(str(tmp_path), session=session)
    assert fetch_json(hub, board, "data/runs") == []

    shutil.copytree(LOGS / "torch" / "plain", tmp_path / "plain")

    assert (fetch_json(hub, board, "data/runs"), board.info()["reload_secs"] <= 30) == (["plain"], True)


def test_c22_scalars_can_be_downloaded_as_csv_or_json(hub: HubProcess, board: TensorBoard) -> None:
    """With the displayed points."""
    run, tags = next(iter(fetch_json(hub, board, "data/plugin/scalars/tags").items()))
    query = urllib.parse.urlencode({"run": run, "tag": sorted(tags)[0]})
    points = json.loads(fetch(hub, board, f"data/plugin/scalars/scalars?{query}"))

    rows = list(csv.reader(io.StringIO(fetch(hub, board, f"data/plugin/scalars/scalars?{query}&format=csv").decode())))

    assert (rows[0], [[float(cell) for cell in row] for row in rows[1:]]) == (["Wall time", "Step", "Value"], points)


def test_c23_images_are_shown_for_each_epoch(hub: HubProcess, session: Session) -> None:
    """Such as the confusion matrix of the document."""
    board = TensorBoard.create(str(LOGS / "tensorflow_kinds"), session=session)
    run, tags = next((run, tags) for run, tags in fetch_json(hub, board, "data/plugin/images/tags").items() if tags)
    query = urllib.parse.urlencode({"run": run, "tag": sorted(tags)[0], "sample": 0})
    values = json.loads(fetch(hub, board, f"data/plugin/images/images?{query}"))

    first = fetch(hub, board, f"data/plugin/images/individualImage?{values[0]['query']}")

    assert (len(values) > 1, first[:4]) == (True, b"\x89PNG")
