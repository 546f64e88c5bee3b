"""Runs the command line against a hub, and reads boards as their owner."""

import json
import os
import pathlib
import subprocess
import sys
import urllib.request
from typing import Any

from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard, list_tensorboards
from lightboard.client.training_jobs import TrainingJob
from support.board_process import TIMEOUT_SECS
from support.fork_server import LightboardPopen, run_lightboard
from support.hub_process import HubProcess

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
PROJECT = "default"
IMAGE = "registry.cn-hangzhou.aliyuncs.com/pai-dlc/pytorch-training:2.0-cpu"
"""A name of an image, as in the document of PAI."""


def delete_boards(session: Session) -> None:
    """Delete all TensorBoards of the account."""
    for item in list(list_tensorboards(session, owner="me")):
        TensorBoard(item["id"], session).delete()


def delete_all(session: Session) -> None:
    """Delete all jobs and TensorBoards that the account sees."""
    for job in TrainingJob.list(session):
        job.delete()
    for board in TensorBoard.list(session):
        board.delete()


def fetch(hub: HubProcess, board: TensorBoard, path: str, *, body: bytes | None = None) -> bytes:
    """The response of a board to its owner."""
    request = urllib.request.Request(board.app_uri + path, body, {"Authorization": f"Bearer {hub.token}"})
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECS) as answer:
        return bytes(answer.read())


def fetch_json(hub: HubProcess, board: TensorBoard, path: str) -> Any:
    """A JSON response of a board after it has read all logs."""
    fetch(hub, board, "api/v1/reload", body=b"")
    return json.loads(fetch(hub, board, path))


class HubCli:
    """Runs `lightboard` in a folder of its own, logged in by environment variables."""

    def __init__(self, hub: HubProcess, folder: pathlib.Path) -> None:
        self.folder = folder
        self.env = {
            **os.environ,
            "LIGHTBOARD_URL": hub.url,
            "LIGHTBOARD_TOKEN": hub.token,
            "LIGHTBOARD_PROJECT": PROJECT,
            "LIGHTBOARD_HOME": str(folder / "home"),
        }

    def __call__(self, *words: str, code: int = 0, **env: str) -> str:
        """Run `lightboard` and return its stdout; it must exit with `code`."""
        return self.command(*words, code=code, **env).stdout

    def command(self, *words: str, code: int = 0, **env: str) -> "subprocess.CompletedProcess[str]":
        """Run `lightboard`."""
        done = run_lightboard(words, 2 * TIMEOUT_SECS, env={**self.env, **env}, cwd=self.folder)
        assert done.returncode == code, done.stderr
        return done

    def run(self, *words: str, code: int = 0, **env: str) -> "subprocess.CompletedProcess[str]":
        """Run Python with these arguments."""
        done = subprocess.run(
            [sys.executable, *words],
            env={**self.env, **env},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=2 * TIMEOUT_SECS,
        )
        assert done.returncode == code, done.stderr
        return done

    def start(self, *words: str, **env: str) -> "subprocess.Popen[str]":
        """Start `lightboard`, which can be interrupted, with stdout and stderr in one pipe, as on a terminal."""
        return LightboardPopen(
            words, env={**self.env, **env}, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
