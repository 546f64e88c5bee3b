"""Names and arguments of jobs that are meant to mislead whoever sees them in a terminal."""

import pathlib
from collections.abc import Iterator

import pytest

from support.hub_cli import HubCli
from support.hub_process import HubProcess, wait_for

JOBS = "/api/v1/jobs"
MISLEADING = "evil \u202egnp.exe\u202c \x1b[2J\x1b]0;title\x07\r\u200b\n" + "x" * 150


@pytest.fixture
def process(tmp_path: pathlib.Path) -> Iterator[HubProcess]:
    """A hub that runs real jobs."""
    with HubProcess(tmp_path / "home", "--job-slots", "2") as hub:
        yield hub


def test_names_cannot_mislead_a_terminal(process: HubProcess, tmp_path: pathlib.Path) -> None:
    """Neither by escape sequences nor by marks that turn the direction of what follows."""
    cli = HubCli(process, tmp_path)
    fields = {"display_name": MISLEADING, "labels": {"a": MISLEADING[:60]}, "tags": [MISLEADING[:40]]}
    id = process.json("POST", JOBS, {"command": ["echo", MISLEADING], "name": "mnist", **fields})["id"]
    process.wait_for_job(id, "Succeeded")
    shown = "".join(cli(*words) for words in (("job", "ls"), ("job", "get", "mnist"), ("job", "lineage", "mnist")))
    process.json("DELETE", f"{JOBS}/{id}")
    wait_for(lambda: process.json("GET", JOBS)["total"], lambda total: total == 0, "the job to be gone")

    assert [each for each in ("\x1b", "\x07", "\u202e", "\u200b", "\r") if each in shown] == []
