"""SDK and CLI create TensorBoards with the same request."""

import os
import pathlib

from lightboard import Session, TensorBoard
from support.board_process import TIMEOUT_SECS
from support.fork_server import run_lightboard
from support.hub_process import HubProcess

SAID = ("name", "display_name", "labels", "tags", "life_span_secs", "idle_timeout_secs", "access", "http_auth")
WORDS = ("--name", "mine", "--display-name", "Mine", "--label", "a=b", "--tag", "t", "--life-span", "1h", "--idle", "0",
         "--access", "project", "--no-http-auth", "--no-wait")  # fmt: skip


def test_sdk_and_cli_send_the_same_request(tmp_path: pathlib.Path) -> None:
    """Only the origin differs."""
    logs = tmp_path / "logs"
    logs.mkdir()
    with HubProcess(tmp_path / "home", roots=[logs]) as hub, Session(hub.url, hub.token) as session:
        env = {**os.environ, "LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": hub.token, "LIGHTBOARD_HOME": str(tmp_path)}
        run_lightboard(["tb", "create", str(logs), *WORDS], TIMEOUT_SECS, env=env).check_returncode()
        made = TensorBoard.get("mine", session)
        typed = made.info()
        made.delete()
        called = TensorBoard.create(
            str(logs), wait=False, display_name="Mine", session=session, name="mine", life_span=3_600,
            idle_timeout=0, access="project", http_auth=False, labels={"a": "b"}, tags=["t"],
        ).info()  # fmt: skip

    assert [typed[name] for name in SAID] == ["mine", "Mine", {"a": "b"}, ["t"], 3_600, 0, "project", False]
    assert [called[name] for name in SAID] == [typed[name] for name in SAID]
    assert (typed["origin"], called["origin"]) == ("cli", "sdk")
