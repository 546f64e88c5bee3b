"""Fifty jobs on two slots, while everything that runs them is killed at random moments.

What is checked holds whenever something is killed, so the moments need not be the same in each run.
"""

import os
import pathlib
import random
import re
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from lightboard.hub.resources.jobs import ENDED
from support.hub_process import HubProcess, wait_for

JOBS = 50
COMMAND = """
exec 2>/dev/null 9>"$PAI_OUTPUT_MODEL/lock"
flock -n 9 || { echo twice; exit 9; }
echo begin
sleep %.2f || exit 1
echo end
"""
SUPERVISED = re.compile(rb"lightboard\.hub\.runners\.supervisor\0.*/(job-[a-z0-9]+)/(\d+)/\d+\0")
PAUSES = (0.05, 2.0)
"""Seconds between two kills."""


class Disturber:
    """Kills at random moments until it is ended. `hit` are the attempts of jobs that it has killed something of."""

    def __init__(self, hub: HubProcess, rng: random.Random) -> None:
        self._hub = hub
        self._rng = rng
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.hit: set[tuple[str, int]] = set()
        self.counts: dict[str, int] = {}

    def __enter__(self) -> "Disturber":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        kinds: list[Callable[[], None]] = [self.kill_hub, self.kill_supervisor, self.kill_command, self.restart_machine]
        while not self._ended.wait(self._rng.uniform(*PAUSES)):
            kind = self._rng.choices(kinds, weights=(2, 3, 3, 1))[0]
            self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
            kind()

    def kill_hub(self) -> None:
        """It is started again over what it has left."""
        self._hub.kill()
        self._hub.restart()

    def kill_supervisor(self) -> None:
        """Of one replica."""
        if found := list(supervisors(self._hub.home)):
            self._kill(*self._rng.choice(found))

    def kill_command(self) -> None:
        """One process of a job, below its supervisor."""
        below = [(pid, attempt) for parent, attempt in supervisors(self._hub.home) for pid in descendants(parent)]
        if below:
            self._kill(*self._rng.choice(below))

    def restart_machine(self) -> None:
        """All processes are gone at once, and with them all locks."""
        self._hub.kill()
        for pid, attempt in supervisors(self._hub.home):
            for each in (*descendants(pid), pid):
                self._kill(each, attempt)
        self._hub.restart()

    def _kill(self, pid: int, attempt: tuple[str, int]) -> None:
        self.hit.add(attempt)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def supervisors(home: pathlib.Path) -> Iterator[tuple[int, tuple[str, int]]]:
    """The supervisors of a hub: the process, and the job and attempt that it runs."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found = SUPERVISED.search(line := (folder / "cmdline").read_bytes())
            if found and os.fsencode(home) in line:
                yield int(folder.name), (found[1].decode(), int(found[2]))


def descendants(pid: int) -> list[int]:
    """All processes below one, those that were started last first."""
    found: list[int] = []
    with suppress(OSError):
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [*descendants(int(child)), int(child)]
    return found


def persistent(hub: HubProcess, method: str, path: str, body: Any = None, **options: Any) -> Any:
    """The JSON of a response, asked for again while the hub is down. The request may have been carried out before."""

    def answer() -> httpx.Response | None:
        try:
            return hub.request(method, path, body, **options)
        except (httpx.TransportError, RuntimeError):  # killed, or the client of the one before is closed
            return None

    found = wait_for(answer, lambda told: told is not None and told.status_code < 500, f"an answer to {path}")
    assert found is not None
    assert found.is_success, found.text
    return found.json()


def every_job(hub: HubProcess) -> list[dict[str, Any]]:
    """All jobs."""
    found: list[dict[str, Any]] = persistent(hub, "GET", "/api/v1/jobs?page_size=100")["items"]
    return found


def logs_of(hub: HubProcess, job: dict[str, Any]) -> list[list[str]]:
    """What each attempt of a job has printed."""
    return [
        [line["text"] for line in persistent(hub, "GET", f"/api/v1/jobs/{job['id']}/logs?attempt={attempt}")["lines"]]
        for attempt in range(1, job["attempt"] + 1)
    ]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("isolation", ["auto", "none"])
def test_every_job_ends_in_a_true_status_with_its_log(tmp_path: pathlib.Path, isolation: str) -> None:
    """Whatever is killed: no acknowledged job is lost, none runs twice at once, and none succeeds that was killed."""
    seed = secrets.randbits(32)
    print("seed", seed)
    rng = random.Random(seed)
    with HubProcess(tmp_path / "home", "--job-slots", "2", "--job-isolation", isolation) as hub:
        with Disturber(hub, rng) as disturber:
            ids = []
            for number in range(JOBS):
                body = {"command": ["sh", "-c", COMMAND % rng.uniform(0.0, 1.0)], "max_retries": number % 3}
                headers = {"Idempotency-Key": f"job {number}"}
                ids.append(persistent(hub, "POST", "/api/v1/jobs", body, headers=headers)["id"])
            while not all(job["status"] in ENDED for job in every_job(hub)):
                time.sleep(0.5)
        jobs = every_job(hub)
        logs = {job["id"]: logs_of(hub, job) for job in jobs}
    print(disturber.counts, len(disturber.hit), [job["status"] for job in jobs].count("Failed"))

    hit = disturber.hit
    assert sorted(job["id"] for job in jobs) == sorted(set(ids))
    assert len(ids) == JOBS
    assert [job["id"] for job in jobs if job["status"] not in ("Succeeded", "Failed")] == []
    assert [text for each in logs.values() for text in each if text not in ([], ["begin"], ["begin", "end"])] == []
    assert [job for job in jobs if job["status"] == "Succeeded" and logs[job["id"]][-1] != ["begin", "end"]] == []
    assert [job for job in jobs if job["status"] == "Failed" and (job["id"], job["attempt"]) not in hit] == []
    assert [
        (id, attempt) for id, each in logs.items() for attempt in range(1, len(each)) if (id, attempt) not in hit
    ] == []
    assert [job for job in jobs if job["status"] == "Failed" and job["attempt"] <= job["max_retries"]] == []
    assert list(supervisors(hub.home)) == []
