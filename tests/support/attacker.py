"""An ordinary account that attacks a hub."""

import itertools
import pathlib
from dataclasses import dataclass
from typing import Any

import httpx

from lightboard.testing.event_files import scalar_record, write_events
from support.hub_process import HubProcess, wait_for

BOARD_NUMBERS = itertools.count(1)
"""So that tests which share a hub name things differently."""


@dataclass
class Attacker:
    """An account that may make boards in the project `default`, and writes to `folder`, which the hub may show.

    `outside` is a folder of this machine that the hub may not show; `home` is the hub's own.
    """

    hub: HubProcess
    token: str
    folder: pathlib.Path
    outside: pathlib.Path
    home: pathlib.Path

    def create_board(self, folder: pathlib.Path) -> dict[str, Any]:
        """A running board over a folder."""
        return self.hub.create_board(folder, self.token)

    def get(self, board: dict[str, Any], path: str) -> httpx.Response:
        """A response of a board through the proxy."""
        return self.hub.request("GET", f"/tb/{board['id']}/{path}", token=self.token)

    def runs(self, board: dict[str, Any]) -> set[str]:
        """Names of the runs of a board after a reload."""
        self.hub.request("POST", f"/tb/{board['id']}/api/v1/reload", token=self.token)
        answer = self.get(board, "api/v1/runs")
        assert answer.is_success, answer.text
        return {run["name"] for run in answer.json()["runs"]}

    def wait_for_runs(self, board: dict[str, Any], *names: str) -> set[str]:
        """The runs once all `names` are among them."""
        return wait_for(lambda: self.runs(board), lambda found: found.issuperset(names), f"the runs {names}")


ACCOUNT_NUMBERS = itertools.count(1)


def create_attacker(hub: HubProcess) -> Attacker:
    """A new account with folders of its own; the hub shows `logs` beside its home."""
    name = f"mallory{next(ACCOUNT_NUMBERS)}"
    top = hub.home.parent
    folder, outside = top / "logs" / name, top / "outside" / name
    folder.mkdir(parents=True)
    outside.mkdir(parents=True)
    return Attacker(hub, hub.create_account(name, "editor"), folder, outside, hub.home / "hub")


def write_run(folder: pathlib.Path, name: str) -> None:
    """A run with one point."""
    write_events(folder / name / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
