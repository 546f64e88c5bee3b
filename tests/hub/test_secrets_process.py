"""Secrets on a real hub: the value reaches the command, and is nowhere else in clear."""

import hashlib
import pathlib
from collections.abc import Iterator

import pytest

from support.hub_process import HubProcess, wait_for

MARKER = "s3cret-e1f7a0-marker"
PLAIN = "plain-9b2c44-marker"
PRINT = 'printf %s "$HF_TOKEN" | sha256sum | cut -c1-64; while [ ! -e {gate} ]; do sleep 0.05; done; env > /dev/null'
SECRET = "/api/v1/projects/default/secrets/hf"


@pytest.fixture(params=["none", "auto"])
def hub(tmp_path: pathlib.Path, request: pytest.FixtureRequest) -> Iterator[HubProcess]:
    """A hub whose jobs run without a sandbox, or in one where that works here."""
    with HubProcess(tmp_path / "home", "--job-slots", "4", "--job-isolation", request.param) as running:
        yield running
        for job in running.json("GET", "/api/v1/jobs")["items"]:
            running.json("DELETE", f"/api/v1/jobs/{job['id']}")
        wait_for(lambda: running.json("GET", "/api/v1/jobs")["total"], lambda total: total == 0, "all jobs to be gone")


def lines(hub: HubProcess, id: str) -> list[str]:
    """What a job has printed."""
    return [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs")["lines"]]


def files_with(folder: pathlib.Path, *texts: str) -> list[str]:
    """The files below a folder that have a text in clear, by name."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and any(text.encode() in path.read_bytes() for text in texts):
            found.append(path.name)
    return found


def command_lines() -> bytes:
    """Those of all processes of this machine."""
    found = b""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += path.read_bytes()
        except OSError:
            continue
    return found


def test_the_value_is_in_no_file_log_list_or_command_line(hub: HubProcess) -> None:
    """While the job waits, runs and has ended, and after the hub was killed and started again."""
    gate = hub.home / "hub" / "storage" / "default" / "gate"
    hub.json("PUT", SECRET, {"value": MARKER})
    body = {
        "command": ["sh", "-c", PRINT.format(gate=gate)],
        "environment": {"HF_TOKEN": {"secret": "hf"}, "MODE": PLAIN},
        "replicas": 2,
    }
    id = hub.json("POST", "/api/v1/jobs", body)["id"]
    wait_for(lambda: lines(hub, id), len, "the first line")
    during, commands = files_with(hub.home, MARKER), command_lines()
    stored_plainly = files_with(hub.home / "hub" / "runner", PLAIN)
    hub.kill()
    hub.restart()
    gate.touch()
    hub.wait_for_job(id, "Succeeded")
    listed = [
        hub.request("GET", path).text
        for path in (
            "/api/v1/jobs",
            f"/api/v1/jobs/{id}",
            f"/api/v1/jobs/{id}/lineage",
            f"/api/v1/jobs/{id}/logs",
            "/api/v1/projects/default/secrets",
            "/api/v1/audit",
            "/api/v1/queue",
            "/metrics",
            "/readyz",
        )
    ]

    assert lines(hub, id) == [hashlib.sha256(MARKER.encode()).hexdigest()]
    assert (during, files_with(hub.home, MARKER), stored_plainly) == ([], [], [])
    assert MARKER.encode() not in commands
    assert PLAIN.encode() not in commands
    assert [text for text in (*listed, *hub.lines) if MARKER in text] == []


def test_a_secret_outlives_the_hub_and_not_its_key(hub: HubProcess) -> None:
    """A lost key is told as the reason of a job that cannot start."""
    hub.json("PUT", SECRET, {"value": MARKER})
    body = {"command": ["sh", "-c", 'test "$HF_TOKEN" != ""'], "environment": {"HF_TOKEN": {"secret": "hf"}}}
    hub.restart()
    first = hub.json("POST", "/api/v1/jobs", body)["id"]
    hub.wait_for_job(first, "Succeeded")
    hub.kill()
    (hub.home / "hub" / "key").unlink()
    hub.restart()
    second = hub.json("POST", "/api/v1/jobs", body)["id"]

    assert hub.wait_for_job(second, "Failed")["reason"] == "SecretUnreadable"
