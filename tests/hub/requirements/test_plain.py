"""The document of plain TensorBoard, on the hub: E3 to E7 (platforms, 1.5)."""

import json
import pathlib
import shutil
import urllib.parse

import httpx
from stage import LOGS, Terminal, told

from lightboard import TensorBoard
from lightboard.client.session import Session
from running import PATIENCE_SECS
from running_hub import RunningHub

RUN = LOGS / "torch" / "plain"


def test_e3_a_folder_beside_the_code_is_shown_by_one_command(hub: RunningHub, terminal: Terminal) -> None:
    """`./tensorboard`, as it is typed; what is printed is the address."""
    shutil.copytree(RUN, terminal.folder / "tensorboard")

    link = terminal("tb", "create", "./tensorboard").strip()

    answer = httpx.get(
        f"{link}data/runs", headers={"Authorization": f"Bearer {hub.token}"}, trust_env=False, timeout=PATIENCE_SECS
    )
    assert answer.status_code == 200


def test_e4_other_kinds_are_there_too(hub: RunningHub, session: Session) -> None:
    """Images, audio, texts, histograms and more, behind the same link."""
    board = TensorBoard.create(str(LOGS / "torch_kinds"), session=session)

    active = {name for name, on in told(hub, board, "data/plugins_listing").items() if on["enabled"]}

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


def test_e5_a_page_is_refreshed_every_thirty_seconds_unless_told_otherwise(session: Session) -> None:
    """The hub itself looks more often."""
    board = TensorBoard.create(str(RUN), session=session)

    assert board.info()["reload_secs"] <= 30


def test_e6_a_folder_that_is_emptied_starts_anew_without_a_restart(
    hub: RunningHub, session: Session, tmp_path: pathlib.Path
) -> None:
    """And the next training shows in the same place."""
    shutil.copytree(RUN, tmp_path / "logs" / "first")
    board = TensorBoard.create(str(tmp_path / "logs"), session=session)
    before = told(hub, board, "data/runs")

    shutil.rmtree(tmp_path / "logs" / "first")
    emptied = told(hub, board, "data/runs")
    shutil.copytree(RUN, tmp_path / "logs" / "second")

    assert (before, emptied, told(hub, board, "data/runs")) == (["first"], [], ["second"])


def test_e6_or_a_new_folder_is_pointed_at_while_it_runs(
    hub: RunningHub, session: Session, terminal: Terminal, tmp_path: pathlib.Path
) -> None:
    """The link stays."""
    shutil.copytree(RUN, tmp_path / "one" / "first")
    shutil.copytree(RUN, tmp_path / "two" / "second")
    board = TensorBoard.create(str(tmp_path / "one"), session=session)
    (source,) = board.info()["sources"]
    link = board.app_uri

    terminal("tb", "sources", "add", board.id, str(tmp_path / "two"))
    terminal("tb", "sources", "rm", board.id, source["id"])

    settled = board.wait()
    assert (told(hub, settled, "data/runs"), settled.app_uri) == (["second"], link)


def test_e7_paths_need_not_be_english(hub: RunningHub, session: Session, tmp_path: pathlib.Path) -> None:
    """Folders and runs in any script."""
    shutil.copytree(RUN, tmp_path / "训练 日志" / "эксперимент №7")
    board = TensorBoard.create(str(tmp_path / "训练 日志"), session=session)
    tags = told(hub, board, "data/plugin/scalars/tags")["эксперимент №7"]
    query = urllib.parse.urlencode({"run": "эксперимент №7", "tag": sorted(tags)[0]})

    assert (board.display_name, json.dumps(told(hub, board, f"data/plugin/scalars/scalars?{query}")) != "[]") == (
        "训练 日志",
        True,
    )
