"""What an ordinary account needs to attack a hub: a token, a folder that may be shown, and what must not be."""

import itertools
import pathlib
from dataclasses import dataclass
from typing import Any

import httpx

from lightboard.testing.event_files import scalar_record, write_events
from running_hub import RunningHub, until

NUMBERS_OF_BOARDS = itertools.count(1)
"""So that tests which share a hub name things differently."""


@dataclass
class Attacker:
    """An account that may make boards in the project `default`, and writes to `folder`, which the hub may show.

    `outside` is a folder of this machine that the hub may not show; `home` is the hub's own.
    """

    hub: RunningHub
    token: str
    folder: pathlib.Path
    outside: pathlib.Path
    home: pathlib.Path

    def board(self, folder: pathlib.Path) -> dict[str, Any]:
        """A board over a folder, once it is Running."""
        return self.hub.board(folder, self.token)

    def get(self, board: dict[str, Any], path: str) -> httpx.Response:
        """An answer of a board, through the front door."""
        return self.hub.ask("GET", f"/tb/{board['id']}/{path}", token=self.token)

    def runs(self, board: dict[str, Any]) -> set[str]:
        """Names of the runs of a board after every file was looked at."""
        self.hub.ask("POST", f"/tb/{board['id']}/api/v1/reload", token=self.token)
        answer = self.get(board, "api/v1/runs")
        assert answer.is_success, answer.text
        return {run["name"] for run in answer.json()["runs"]}

    def settled(self, board: dict[str, Any], *names: str) -> set[str]:
        """The same once all of `names` are there."""
        return until(lambda: self.runs(board), lambda found: found.issuperset(names), f"the runs {names}")


def write_run(folder: pathlib.Path, name: str) -> None:
    """A run with one point."""
    write_events(folder / name / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
