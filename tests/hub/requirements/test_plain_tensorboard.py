"""Requirements of the plain TensorBoard document on the hub: E3 to E7."""

import json
import pathlib
import shutil
import urllib.parse

import httpx

from lightboard import TensorBoard
from lightboard.client.session import Session
from support.board_process import TIMEOUT_SECS
from support.hub_cli import LOGS, HubCli, fetch_json
from support.hub_process import HubProcess

RUN = LOGS / "torch" / "plain"


def test_e3_one_command_shows_a_relative_folder(hub: HubProcess, cli: HubCli) -> None:
    """`./tensorboard`; it prints the URL."""
    shutil.copytree(RUN, cli.folder / "tensorboard")

    link = cli("tb", "create", "./tensorboard").strip()

    answer = httpx.get(
        f"{link}data/runs", headers={"Authorization": f"Bearer {hub.token}"}, trust_env=False, timeout=TIMEOUT_SECS
    )
    assert answer.status_code == 200


def test_e4_other_kinds_are_shown(hub: HubProcess, session: Session) -> None:
    """Images, audio, text, histograms and more at the same link."""
    board = TensorBoard.create(str(LOGS / "torch_kinds"), session=session)

    active = {name for name, on in fetch_json(hub, board, "data/plugins_listing").items() if on["enabled"]}

    assert active >= {
        "scalars",
        "images",
        "audio",
        "text",
        "histograms",
        "distributions",
        "pr_curves",
        "hparams",
        "mesh",
    }


def test_e5_pages_refresh_every_30_seconds_by_default(session: Session) -> None:
    """The hub reads more often."""
    board = TensorBoard.create(str(RUN), session=session)

    assert board.info()["reload_secs"] <= 30


def test_e6_an_emptied_folder_needs_no_restart(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> None:
    """The next training appears in the same place."""
    shutil.copytree(RUN, tmp_path / "logs" / "first")
    board = TensorBoard.create(str(tmp_path / "logs"), session=session)
    before = fetch_json(hub, board, "data/runs")

    shutil.rmtree(tmp_path / "logs" / "first")
    emptied = fetch_json(hub, board, "data/runs")
    shutil.copytree(RUN, tmp_path / "logs" / "second")

    assert (before, emptied, fetch_json(hub, board, "data/runs")) == (["first"], [], ["second"])


def test_e6_a_running_board_can_switch_folders(
    hub: HubProcess, session: Session, cli: HubCli, tmp_path: pathlib.Path
) -> None:
    """The link stays."""
    shutil.copytree(RUN, tmp_path / "one" / "first")
    shutil.copytree(RUN, tmp_path / "two" / "second")
    board = TensorBoard.create(str(tmp_path / "one"), session=session)
    (source,) = board.info()["sources"]
    link = board.app_uri

    cli("tb", "sources", "add", board.id, str(tmp_path / "two"))
    cli("tb", "sources", "rm", board.id, source["id"])

    settled = board.wait()
    assert (fetch_json(hub, settled, "data/runs"), settled.app_uri) == (["second"], link)


def test_e7_paths_may_be_in_any_script(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> None:
    """Folders and runs."""
    shutil.copytree(RUN, tmp_path / "训练 日志" / "эксперимент №7")
    board = TensorBoard.create(str(tmp_path / "训练 日志"), session=session)
    tags = fetch_json(hub, board, "data/plugin/scalars/tags")["эксперимент №7"]
    query = urllib.parse.urlencode({"run": "эксперимент №7", "tag": sorted(tags)[0]})

    assert (board.display_name, json.dumps(fetch_json(hub, board, f"data/plugin/scalars/scalars?{query}")) != "[]") == (
        "训练 日志",
        True,
    )
