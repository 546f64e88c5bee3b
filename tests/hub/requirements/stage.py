"""What the tests of requirements share: where real logs lie, and somebody at a terminal."""

import json
import os
import pathlib
import subprocess
import sys
import urllib.request
from typing import Any

from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard, list_tensorboards
from running import PATIENCE_SECS
from running_hub import RunningHub

LOGS = pathlib.Path(__file__).parents[2] / "data" / "logs"
PROJECT = "default"


def clear(session: Session) -> None:
    """No TensorBoard of the account is left."""
    for item in list(list_tensorboards(session, owner="me")):
        TensorBoard(item["id"], session).delete()


def read(hub: RunningHub, board: TensorBoard, path: str, *, body: bytes | None = None) -> bytes:
    """What a board answers to its owner."""
    request = urllib.request.Request(board.app_uri + path, body, {"Authorization": f"Bearer {hub.token}"})
    with urllib.request.urlopen(request, timeout=PATIENCE_SECS) as answer:
        return bytes(answer.read())


def told(hub: RunningHub, board: TensorBoard, path: str) -> Any:
    """The JSON of such an answer, once all logs are read."""
    read(hub, board, "api/v1/reload", body=b"")
    return json.loads(read(hub, board, path))


class Terminal:
    """Runs `lightboard` as somebody at a terminal does, logged in by the environment, in a folder of their own."""

    def __init__(self, hub: RunningHub, folder: pathlib.Path) -> None:
        self.folder = folder
        self.env = {
            **os.environ,
            "LIGHTBOARD_URL": hub.url,
            "LIGHTBOARD_TOKEN": hub.token,
            "LIGHTBOARD_PROJECT": PROJECT,
            "LIGHTBOARD_HOME": str(folder / "home"),
        }

    def __call__(self, *words: str, code: int = 0, **env: str) -> str:
        """What it said on stdout; it must end with `code`."""
        return self.run("-m", "lightboard", *words, code=code, **env).stdout

    def run(self, *words: str, code: int = 0, **env: str) -> "subprocess.CompletedProcess[str]":
        """Runs Python."""
        done = subprocess.run(
            [sys.executable, *words],
            env={**self.env, **env},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_SECS,
        )
        assert done.returncode == code, done.stderr
        return done
