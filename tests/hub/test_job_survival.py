"""Fifty jobs on two slots, while everything that runs them is killed, and they are paused, at random moments.

What is checked holds whenever something is killed, so the moments need not be the same in each run.
"""

import glob
import os
import pathlib
import random
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
from lightboard.hub.runners.replica_folder import ReplicaFolder
from support.hub_process import HubProcess, wait_for
from support.rebooting_hub import RebootingHub

JOBS = 50
MEMORY_BYTES = 64 << 20
VOLUME = {"source": "storage:ledgers", "target": "/ledgers"}
LIST = "/api/v1/jobs?page_size=100"
COMMAND = """
exec 2>/dev/null 9>"$PAI_OUTPUT_MODEL/lock" 8>>"$LIGHTBOARD_VOLUME_1/%d"
flock -n 9 || { echo twice; echo "twice $LIGHTBOARD_JOB_ATTEMPT" >&8; exit 9; }
echo begin
echo "begin $LIGHTBOARD_JOB_ATTEMPT" >&8
sleep %.2f || exit 1
echo "end $LIGHTBOARD_JOB_ATTEMPT" >&8
echo end
"""
"""Its ledger, in a volume, has what it does whether or not anybody reads what it prints."""
PAUSES = (0.05, 2.0)
"""Seconds between two faults."""


class Disturber:
    """Kills, pauses and resumes at random moments until it is ended.

    `hit` are the attempts of jobs that it has killed something of, `paused` the jobs that the hub said to pause.
    """

    def __init__(self, hub: HubProcess, rng: random.Random) -> None:
        self._hub = hub
        self._rng = rng
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.hit: set[tuple[str, int]] = set()
        self.paused: set[str] = set()
        self.counts: dict[str, int] = {}

    def __enter__(self) -> "Disturber":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        kinds: dict[Callable[[], None], int] = {
            self.kill_hub: 2, self.kill_supervisor: 3, self.kill_command: 3, self.restart_machine: 1,
            self.pause: 3, self.resume: 2,
        }  # fmt: skip
        while not self._ended.wait(self._rng.uniform(*PAUSES)):
            kind = self._rng.choices([*kinds], [*kinds.values()])[0]
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

    def pause(self) -> None:
        """One job that waits or runs."""
        jobs = self._hub.json("GET", f"{LIST}&status=Queued,Starting,Running,Restarting")["items"]
        for job in self._rng.sample(jobs, min(1, len(jobs))):
            answer = self._hub.request("PUT", f"/api/v1/jobs/{job['id']}/pause")
            assert answer.status_code in (200, 409), answer.text  # it may have ended meanwhile
            if answer.is_success:
                self.paused.add(job["id"])

    def resume(self) -> None:
        """All jobs that are paused."""
        for job in self._hub.json("GET", f"{LIST}&status=Paused")["items"]:
            self._hub.json("PUT", f"/api/v1/jobs/{job['id']}/resume")

    def _kill(self, pid: int, attempt: tuple[str, int]) -> None:
        self.hit.add(attempt)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def supervisors(home: pathlib.Path) -> Iterator[tuple[int, tuple[str, int]]]:
    """The supervisors of a hub: the process, and the job and attempt that it runs."""
    for path in map(pathlib.Path, glob.iglob(f"{glob.escape(str(home))}/hub/runner/job-*/[0-9]/[0-9]")):
        with suppress(OSError):  # `glob` itself passes over folders that vanish, unlike `Path.glob`
            if pid := ReplicaFolder(path).supervisor():
                yield pid, (path.parts[-3], int(path.parts[-2]))


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
    found: list[dict[str, Any]] = persistent(hub, "GET", LIST)["items"]
    return found


def logs_of(hub: HubProcess, job: dict[str, Any]) -> list[list[str]]:
    """What each attempt of a job has printed."""
    return [
        [line["text"] for line in persistent(hub, "GET", f"/api/v1/jobs/{job['id']}/logs?attempt={attempt}")["lines"]]
        for attempt in range(1, job["attempt"] + 1)
    ]


def ledger_of(hub: HubProcess, number: int) -> list[tuple[str, int]]:
    """What each attempt of a job has done, in order; nothing for one that never came so far."""
    file = hub.home / "hub" / "storage" / "default" / "ledgers" / str(number)
    lines = file.read_text().splitlines() if file.exists() else []
    return [(word, int(attempt)) for word, attempt in map(str.split, lines)]


def statuses(job: dict[str, Any]) -> list[str]:
    """The history of a job."""
    return [transition["status"] for transition in job["transitions"]]


def control_groups_of(jobs: list[dict[str, Any]]) -> list[pathlib.Path]:
    """The control groups that are left of jobs."""
    ids = {job["id"] for job in jobs}
    return [
        pathlib.Path(folder)
        for folder, _, _ in os.walk("/sys/fs/cgroup")
        if any(id in pathlib.Path(folder).name for id in ids)
    ]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("isolation", ["auto", "none"])
@pytest.mark.parametrize("limits", ["auto", "watching"])
def test_every_job_ends_in_a_true_status_with_its_log(tmp_path: pathlib.Path, isolation: str, limits: str) -> None:
    """Whatever is killed: no acknowledged job is lost, none runs twice at once, and none succeeds that was killed."""
    seed = secrets.randbits(32)
    print("seed", seed)
    rng = random.Random(seed)
    flags = ("--job-slots", "2", "--job-isolation", isolation, "--job-limits", limits)
    with HubProcess(tmp_path / "home", *flags) as hub:
        with Disturber(hub, rng) as disturber:
            ids = []
            for number in range(JOBS):
                body = {
                    "command": ["sh", "-c", COMMAND % (number, rng.uniform(0.0, 1.0))], "max_retries": number % 3,
                    "volumes": [VOLUME], "memory_bytes": MEMORY_BYTES if number % 2 else None,
                }  # fmt: skip
                headers = {"Idempotency-Key": f"job {number}"}
                ids.append(persistent(hub, "POST", "/api/v1/jobs", body, headers=headers)["id"])
            while not all(job["status"] in ENDED for job in every_job(hub)):
                time.sleep(0.5)
        listed = [job["id"] for job in every_job(hub)]
        jobs = [persistent(hub, "GET", f"/api/v1/jobs/{id}") for id in ids]
        logs = {job["id"]: logs_of(hub, job) for job in jobs}
        ready = hub.request("GET", "/readyz").text.splitlines()[-1]
    ledgers = {id: ledger_of(hub, number) for number, id in enumerate(ids)}
    counts = {status: [job["status"] for job in jobs].count(status) for status in ENDED}
    print(ready, disturber.counts, len(disturber.hit), len(disturber.paused), counts)

    ended_by = disturber.hit | {
        (job["id"], each["attempt"]) for job in jobs for each in job["transitions"] if each["status"] == "Paused"
    }
    assert sorted(listed) == sorted(set(ids))
    assert len(ids) == JOBS
    assert [job["id"] for job in jobs if job["status"] not in ("Succeeded", "Failed")] == []
    assert [id for id in disturber.paused if not {"Pausing", "Paused"} & set(statuses(jobs[ids.index(id)]))] == []
    check_logs(jobs, logs, ledgers)
    assert [job for job in jobs if job["status"] == "Failed" and (job["id"], job["attempt"]) not in disturber.hit] == []
    assert [
        (id, attempt) for id, each in logs.items() for attempt in range(1, len(each)) if (id, attempt) not in ended_by
    ] == []
    assert [job for job in jobs if job["status"] == "Failed" and job["retries"] < job["max_retries"]] == []
    assert list(supervisors(hub.home)) == []
    assert control_groups_of(jobs) == []


def check_logs(
    jobs: list[dict[str, Any]], logs: dict[str, list[list[str]]], ledgers: dict[str, list[tuple[str, int]]]
) -> None:
    """What jobs have printed and done is what their statuses say, and each attempt did it once, after all before it."""
    assert [text for each in logs.values() for text in each if text not in ([], ["begin"], ["begin", "end"])] == []
    assert [job for job in jobs if job["status"] == "Succeeded" and logs[job["id"]][-1] != ["begin", "end"]] == []
    assert [
        (id, ledger) for id, ledger in ledgers.items()
        if ledger != sorted(set(ledger), key=lambda line: (line[1], line[0])) or "twice" in dict(ledger)
    ] == []  # fmt: skip
    assert [
        (id, attempt) for id, each in logs.items() for attempt, text in enumerate(each, 1)
        if "end" in text and ("end", attempt) not in ledgers[id]
    ] == []  # fmt: skip
    assert [
        job for job in jobs if job["status"] == "Succeeded" and ledgers[job["id"]][-1] != ("end", job["attempt"])
    ] == []


REBOOT_COMMAND = f"""
cat /proc/sys/kernel/random/boot_id >>"$LIGHTBOARD_VOLUME_1/boots"
{COMMAND}"""
TWO_BOOTS = 'while [ "$(sort -u "$LIGHTBOARD_VOLUME_1/boots" | wc -l)" -lt 2 ]; do sleep 0.1; done'
UPTIMES = (0.2, 4.0)
"""Seconds from the start of the hub until the machine is switched off."""
SWITCHED_OFF = {("NodeLost", None), ("Error", int(signal.SIGKILL))}
"""Reason and signal of what ran then: the supervisor may be killed before the command, or after it."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("count", "reboots"), [(6, 1), pytest.param(JOBS, 12, marks=pytest.mark.long)])
def test_every_job_survives_that_the_machine_is_switched_off(tmp_path: pathlib.Path, count: int, reboots: int) -> None:
    """At random moments: each job ends in a true status with its log, and none runs that was not started again.

    At most the attempts on both slots are cut off each time. The last job ends in the second boot at the earliest.
    """
    seed = secrets.randbits(32)
    print("seed", seed)
    rng = random.Random(seed)
    waiting = threading.Event()
    with RebootingHub(tmp_path / "home", "--job-slots", "2", "--job-isolation", "none") as hub:
        ids, file = [], hub.home / "hub" / "storage" / "default" / "ledgers" / "boots"
        for number in range(count):
            is_last = number == count - 1
            line = REBOOT_COMMAND % (number, rng.uniform(0.2, 1.0))
            body = {
                "command": ["sh", "-c", line.replace("sleep", f"{TWO_BOOTS}; sleep", 1) if is_last else line],
                "max_retries": reboots if is_last else number % 3,
                "volumes": [VOLUME], "memory_bytes": MEMORY_BYTES if number % 2 else None,
            }  # fmt: skip
            ids.append(hub.json("POST", "/api/v1/jobs", body)["id"])
        wait_for(file.exists, bool, "an attempt")
        done = 0
        while done < reboots and not all(job["status"] in ENDED for job in every_job(hub)):
            waiting.wait(rng.uniform(*UPTIMES))
            hub.restart()
            done += 1
        wait_for(lambda: {job["status"] for job in every_job(hub)} - set(ENDED), lambda left: not left, "the end")
        jobs = [hub.json("GET", f"/api/v1/jobs/{id}") for id in ids]
        logs = {job["id"]: logs_of(hub, job) for job in jobs}
    ledgers = {id: ledger_of(hub, number) for number, id in enumerate(ids)}
    boots = file.read_text().split()
    cut = [(id, attempt) for id, each in logs.items() for attempt, text in enumerate(each, 1) if "end" not in text]
    counts = {status: [job["status"] for job in jobs].count(status) for status in ENDED}
    print(done, "reboots,", len(boots), "attempts in", len(set(boots)), "boots,", len(cut), "cut off,", counts)

    assert {job["status"] for job in jobs} <= {"Succeeded", "Failed"}
    check_logs(jobs, logs, ledgers)
    # One may have printed all of its log when the machine was switched off, and not yet have ended.
    assert {(job["reason"], job["signal"]) for job in jobs if job["status"] == "Failed"} <= SWITCHED_OFF
    assert [job for job in jobs if job["status"] == "Failed" and job["retries"] < job["max_retries"]] == []
    assert len(cut) <= 2 * done
    assert set(boots) <= set(hub.boot_ids)
    assert len(set(boots)) > 1
    assert list(supervisors(hub.home)) == []
