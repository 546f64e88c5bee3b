"""Passes over jobs, on a scripted runner and on real processes, with hubs that are killed at bad moments."""

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from lightboard.errors import DatabaseBusy, LaunchError
from lightboard.hub.access import HUB
from lightboard.hub.db import accounts, jobs, retention
from lightboard.hub.job_lifecycle import (
    DeleteRequested,
    PauseRequested,
    RestartRequested,
    ResumeRequested,
    StopRequested,
)
from lightboard.hub.job_policy import JobPolicy
from lightboard.hub.job_reconcile import JobReconciler
from lightboard.hub.resources.jobs import ENDED
from lightboard.hub.resources.presets import Capacity, Preset
from lightboard.hub.resources.replicas import Isolation, ReplicaPhase
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.replica_folder import ReplicaFolder
from support.job_reconciler_harness import FALSE, TRUE, WAIT, JobReconcilerHarness, PlainWorkloads
from support.personas import START_TIME, Personas


@pytest.fixture
def hub(personas: Personas) -> Iterator[JobReconcilerHarness]:
    """Without any job."""
    made = JobReconcilerHarness(personas)
    yield made
    made.reconciler.close()


def test_a_job_runs_to_its_end(hub: JobReconcilerHarness) -> None:
    """With an entry in its history for every status."""
    id = hub.add(WAIT)
    hub.step(2)
    hub.runner.end(hub.get(id).runner_ref)
    hub.step()

    assert hub.history(id) == [
        ("Queued", ""), ("Starting", "ProcessStarting"), ("Running", ""), ("Succeeded", "Completed"),
    ]  # fmt: skip
    assert (hub.get(id).exit_code, hub.get(id).attempt) == (0, 1)


def test_only_as_many_jobs_run_as_there_are_slots(hub: JobReconcilerHarness) -> None:
    """The next one starts when one has ended."""
    ids = [hub.add(WAIT) for _ in range(3)]
    hub.step(2)
    before = hub.statuses(*ids)
    hub.runner.end(hub.get(ids[0]).runner_ref)
    hub.step(3)

    assert (before, hub.statuses(*ids)) == (["Running", "Running", "Queued"], ["Succeeded", "Running", "Running"])


def test_a_failed_job_is_retried_and_fails(hub: JobReconcilerHarness) -> None:
    """After a back-off, as a new workload."""
    id = hub.add(FALSE, max_retries=1)
    hub.step(8, secs=1.0)

    assert [status for status, _ in hub.history(id)] == ["Queued", "Starting", "Restarting", "Starting", "Failed"]
    assert (hub.get(id).message, len(hub.runner.submitted)) == ("the command exited with code 1", 2)


def test_jobs_of_a_disabled_account_end(hub: JobReconcilerHarness) -> None:
    """Those that run, and those that wait."""
    ids = [hub.add(WAIT) for _ in range(3)]
    hub.step(2)
    with hub.database.write() as session:
        accounts.change(session, HUB, hub.personas.editor.account, {"disabled": True}, hub.now)
    hub.step(3)

    assert [hub.history(id)[-1] for id in ids] == [("Stopped", "AccountDisabled")] * 3


@pytest.mark.parametrize("resumed", [False, True], ids=["ended", "waiting"])
def test_what_another_runner_does_not_run_is_deleted(hub: JobReconcilerHarness, *, resumed: bool) -> None:
    """Whether it has ended there, or waits for it after an attempt. The hub has the folders of all its runners."""
    id = hub.add(WAIT, runner="memory")
    hub.step(2)
    if resumed:
        hub.apply(id, PauseRequested())
        hub.step(2)
        hub.apply(id, ResumeRequested())
    else:
        hub.runner.end(hub.get(id).runner_ref)
        hub.step()
    hub.runner.name = "elsewhere"
    hub.apply(id, DeleteRequested())
    hub.restart().step(hub.now)

    assert hub.statuses(id) == ["Deleted"]


def test_what_another_runner_may_run_waits_for_it(hub: JobReconcilerHarness) -> None:
    """Its deletion was requested when the hub still had that runner, which alone can end its processes."""
    id = hub.add(WAIT, runner="memory")
    hub.step(2)
    hub.apply(id, DeleteRequested())
    hub.runner.name = "elsewhere"
    hub.restart().step(hub.now)
    before = hub.statuses(id)
    hub.runner.name = "memory"
    hub.restart().step(hub.now)
    hub.step()

    assert (before, hub.statuses(id)) == (["Deleting"], ["Deleted"])


def test_waiting_jobs_fail_where_no_job_may_start(hub: JobReconcilerHarness) -> None:
    """With the reason."""
    hub.add(WAIT)
    waiting = hub.add(WAIT, replicas=2)
    hub.step(2)
    hub.refusal = LaunchError("nobody is trusted", reason="JobsNotTrusted", hint="trust somebody")
    hub.step(4)

    assert (hub.history(waiting), hub.get(waiting).message) == (
        [("Queued", ""), ("Failed", "JobsNotTrusted")], "nobody is trusted; trust somebody",
    )  # fmt: skip


def test_jobs_that_may_not_go_on_are_stopped(hub: JobReconcilerHarness) -> None:
    """With the reason, and no retry. Isolated ones go on."""
    strengths = (Isolation.NONE, Isolation.KERNEL)
    ids = [hub.add(WAIT, max_retries=3) for _ in strengths]
    hub.step()
    for id, isolation in zip(ids, strengths, strict=True):
        (replica,) = hub.runner.replicas[hub.get(id).runner_ref]
        replica.state = replace(replica.state, isolation=isolation)
    hub.step()
    hub.refusal = LaunchError("nobody is trusted", reason="JobsNotTrusted", hint="trust somebody")
    hub.step(3)

    assert hub.history(ids[0]) == [
        ("Queued", ""), ("Starting", "ProcessStarting"), ("Running", ""),
        ("Stopping", "JobsNotTrusted"), ("Stopped", "JobsNotTrusted"),
    ]  # fmt: skip
    assert hub.get(ids[0]).message == "nobody is trusted; trust somebody"
    assert hub.statuses(ids[1]) == ["Running"]


def test_a_job_starts_when_its_image_is_built(hub: JobReconcilerHarness) -> None:
    """With the environment of that moment, which its retries have as well, whatever the image has by then."""
    hub.images.digests["torch"], hub.images.unfinished = "1", frozenset({"torch"})
    id = hub.add(FALSE, image="torch", max_retries=1)
    hub.step(2)
    waiting = hub.get(id)
    hub.images.unfinished = frozenset()
    hub.step(3)
    hub.images.digests["torch"], hub.images.unfinished = "2", frozenset({"torch"})
    hub.step(5, secs=1.0)
    with hub.database.read() as session:
        used = jobs.image_digests(session)

    assert (waiting.status, waiting.message) == ("Queued", "waiting for the image torch, which is being built")
    assert [status for status, _ in hub.history(id)] == ["Queued", "Starting", "Restarting", "Starting", "Failed"]
    assert (hub.get(id).image_digest, used) == ("1", set())


def test_jobs_of_an_image_that_failed_fail(hub: JobReconcilerHarness) -> None:
    """Those that waited for it, at once, also if there is no slot; others go on."""
    others = [hub.add(WAIT) for _ in range(2)]
    hub.step()
    hub.images.unfinished = frozenset({"torch"})
    id = hub.add(WAIT, image="torch")
    hub.step()
    hub.images.unfinished, hub.images.failures["torch"] = frozenset(), LaunchError("no torch", reason="ImageNotBuilt")
    hub.step(2)

    assert (hub.history(id), hub.get(id).message) == ([("Queued", ""), ("Failed", "ImageNotBuilt")], "no torch")
    assert hub.statuses(*others) == ["Running", "Running"]


def test_environments_of_living_jobs_are_used(hub: JobReconcilerHarness) -> None:
    """Until the job has ended."""
    hub.images.digests["torch"] = "1"
    id = hub.add(WAIT, image="torch")
    hub.step(2)
    with hub.database.read() as session:
        running = jobs.image_digests(session)
    hub.runner.end(hub.get(id).runner_ref)
    hub.step()
    with hub.database.read() as session:
        ended = jobs.image_digests(session)

    assert (running, ended, hub.get(id).image_digest) == ({"1"}, set(), "1")


GONE_DISK = LaunchError("the disk does not respond", reason="Unreachable")


@pytest.mark.parametrize("failure", [DatabaseBusy("busy"), GONE_DISK, RuntimeError("a fault")], ids=repr)
def test_a_start_that_fails_for_now_is_repeated_later(hub: JobReconcilerHarness, failure: Exception) -> None:
    """Not at once, which would fill the log."""
    id = hub.add(WAIT)
    hub.workloads.failures = [failure] * 2
    hub.step(7, secs=1.0)
    later = [hub.get(id).status.value, len(hub.workloads.failures)]
    hub.step(5, secs=1.0)

    assert (later, hub.statuses(id), hub.workloads.failures) == (["Starting", 0], ["Running"], [])


def test_a_start_is_repeated_although_the_clock_was_set_back(hub: JobReconcilerHarness) -> None:
    """By an hour, which nobody waits for."""
    id = hub.add(WAIT)
    hub.workloads.failures = [GONE_DISK]
    hub.step(2)
    before = [hub.get(id).status.value, len(hub.workloads.failures)]
    hub.now -= 3600
    hub.step(3, secs=1.0)

    assert (before, hub.statuses(id)) == (["Starting", 0], ["Running"])


@pytest.mark.parametrize("command", [WAIT, FALSE], ids=["new", "retried"])
def test_a_job_does_not_wait_for_a_clock_that_was_set_back(hub: JobReconcilerHarness, command: tuple[str, ...]) -> None:
    """Neither a new one nor one that is retried."""
    id = hub.add(command, max_retries=1)
    if command == FALSE:
        hub.step(3)
        assert hub.statuses(id) == ["Restarting"]
    hub.now -= 3600
    hub.step(3)

    assert hub.statuses(id) == ["Running" if command == WAIT else "Failed"]


def test_a_disk_that_does_not_come_back_fails_the_job(hub: JobReconcilerHarness) -> None:
    """After five minutes."""
    id = hub.add(WAIT)
    hub.workloads.failures = [GONE_DISK] * 200
    hub.step(32, secs=10.0)

    assert hub.history(id)[-1] == ("Failed", "Unreachable")


def test_a_removal_that_fails_is_repeated_later(hub: JobReconcilerHarness) -> None:
    """As on a full disk."""
    id = hub.add(TRUE)
    hub.step(2)
    hub.apply(id, DeleteRequested())
    hub.workloads.failures = [OSError(28, "no space left")]
    hub.step(4, secs=1.0)
    before = hub.statuses(id)
    hub.step(3, secs=1.0)

    assert (before, hub.statuses(id)) == (["Deleting"], ["Deleted"])


def test_a_restarted_job_has_no_result_of_before(hub: JobReconcilerHarness) -> None:
    """Also if it never runs again."""
    id = hub.add(FALSE)
    hub.step(2)
    hub.now += 100.0
    hub.apply(id, RestartRequested())
    hub.apply(id, StopRequested())
    job = hub.get(id)

    assert (job.exit_code, job.started_at, job.ended_at, job.status.value) == (None, None, hub.now, "Stopped")


def test_a_job_stopped_between_attempts_ended_with_its_last(hub: JobReconcilerHarness) -> None:
    """Not when it was stopped."""
    id = hub.add(FALSE, max_retries=1)
    hub.step(2)
    ended_at = hub.get(id).ended_at
    hub.now += 1.0
    hub.apply(id, StopRequested())

    assert (hub.get(id).status.value, hub.get(id).exit_code, hub.get(id).ended_at) == ("Stopped", 1, ended_at)


def test_a_deleted_job_keeps_no_variables(hub: JobReconcilerHarness) -> None:
    """They may be secrets."""
    id = hub.add(TRUE, environment={"TOKEN": "hush"})
    hub.step(2)
    hub.apply(id, DeleteRequested())
    hub.step(2)

    assert hub.get(id).environment == {}


def test_deleted_jobs_are_kept_for_half_a_year(hub: JobReconcilerHarness) -> None:
    """Ended ones until they are deleted."""
    deleted, ended = hub.add(TRUE), hub.add(TRUE)
    hub.step(2)
    hub.apply(deleted, DeleteRequested())
    hub.step(2)
    kept = []
    for days in (179, 181):
        with hub.database.write() as session:
            retention.delete_expired(session, START_TIME + days * 86_400)
            kept.append([jobs.get_unchecked(session, id) is not None for id in (deleted, ended)])

    assert kept == [[True, True], [False, True]]


def test_a_job_is_stopped(hub: JobReconcilerHarness) -> None:
    """Its processes end first."""
    id = hub.add(WAIT)
    hub.step(2)
    hub.apply(id, StopRequested())
    hub.step(2)

    assert hub.history(id)[-2:] == [("Stopping", "UserRequested"), ("Stopped", "UserRequested")]
    assert hub.runner.observe([hub.get(id).runner_ref])[0].replicas[0].phase is ReplicaPhase.ENDED


def test_a_job_stopped_before_its_start_never_runs(hub: JobReconcilerHarness) -> None:
    """Although it had a slot already."""
    hub.runner.fail_next(LaunchError("the disk is full"))
    id = hub.add(WAIT)
    hub.reconciler._place(hub.now, [hub.get(id)], set())
    hub.apply(id, StopRequested())
    hub.step(2)

    assert (hub.statuses(id), hub.runner.submitted) == (["Stopped"], [])


def test_a_job_that_cannot_be_started_has_failed(hub: JobReconcilerHarness) -> None:
    """With the reason and hint of the runner."""
    hub.runner.fail_next(LaunchError("the disk is full", reason="ContainerCannotRun", hint="free some space"))
    id = hub.add(WAIT)
    hub.step(2)

    job = hub.get(id)
    assert (job.status.value, job.reason, job.message) == (
        "Failed", "ContainerCannotRun", "the disk is full; free some space",
    )  # fmt: skip


def test_a_job_that_the_runner_refuses_has_failed(hub: JobReconcilerHarness) -> None:
    """It takes no slot."""
    id = hub.add(())
    hub.step()

    assert (hub.get(id).status.value, hub.get(id).message, hub.get(id).attempt) == ("Failed", "there is no command", 0)


def test_a_failed_replica_ends_the_others(hub: JobReconcilerHarness) -> None:
    """The job ends as the replica that failed by itself."""
    id = hub.add(WAIT, replicas=2)
    hub.step(2)
    hub.runner.end(hub.get(id).runner_ref, 7, rank=1)
    hub.step(2)

    assert (hub.get(id).status.value, hub.get(id).exit_code) == ("Failed", 7)


def test_a_deleted_job_leaves_nothing_on_the_runner(hub: JobReconcilerHarness) -> None:
    """All its attempts are deleted, also while it runs."""
    id = hub.add(FALSE)
    hub.step(3)
    hub.apply(id, RestartRequested())
    hub.step(3)
    handles = list(hub.runner.submitted)
    hub.apply(id, DeleteRequested())
    hub.step(2)

    assert (hub.statuses(id), len(handles), hub.runner.replicas) == (["Deleted"], 2, {})


def test_a_job_waits_for_a_limited_time(hub: JobReconcilerHarness) -> None:
    """With a reason."""
    for _ in range(2):
        hub.add(WAIT)
    id = hub.add(WAIT, queue_timeout_secs=5.0)
    hub.step(8, secs=1.0)

    assert (hub.statuses(id), hub.get(id).reason) == (["Failed"], "ScheduleTimeout")


def test_a_lost_job_has_failed(hub: JobReconcilerHarness) -> None:
    """As after a restart of the machine."""
    id = hub.add(WAIT)
    hub.step(2)
    hub.runner.lose(hub.get(id).runner_ref)
    hub.restart()
    hub.step()

    assert (hub.statuses(id), hub.get(id).reason) == (["Failed"], "NodeLost")


def test_a_hub_killed_before_it_started_a_job_starts_it_later(hub: JobReconcilerHarness) -> None:
    """The handle was stored, and nothing had been started."""
    id = hub.add(TRUE)
    hub.reconciler._place(hub.now, [hub.get(id)], set())
    before = hub.statuses(id), list(hub.runner.submitted)
    hub.restart()
    hub.step(2)

    assert before == (["Starting"], [])
    assert (hub.statuses(id), len(hub.runner.submitted)) == (["Succeeded"], 1)


def test_a_hub_killed_after_it_started_a_job_finds_it(hub: JobReconcilerHarness) -> None:
    """It is not started again."""
    id = hub.add(TRUE)
    hub.reconciler._place(hub.now, [hub.get(id)], set())
    hub.runner.submit(PlainWorkloads().outline(hub.get(id)))
    hub.restart()
    hub.step(2)

    assert (hub.statuses(id), len(hub.runner.submitted)) == (["Succeeded"], 1)


def test_two_hubs_work_on_the_same_jobs(hub: JobReconcilerHarness) -> None:
    """Slots are not exceeded, and each job is started once."""
    ids = [hub.add(TRUE) for _ in range(6)]
    other = hub.new_reconciler()
    for _ in range(12):
        hub.reconciler.step(hub.now)
        other.step(hub.now)
    other.close()

    assert hub.statuses(*ids) == ["Succeeded"] * 6
    assert sorted(hub.runner.submitted) == sorted(set(hub.runner.submitted))


def test_a_killed_hub_gives_no_gpu_twice(hub: JobReconcilerHarness) -> None:
    """They are stored before anything is started, and belong to the job until it has ended."""
    hub.capacity = Capacity(slots=8, gpu_ids=(0, 1))
    hub.restart()
    first, second, third = (hub.add(WAIT, preset="gpu", gpus=1) for _ in range(3))
    hub.reconciler._place(hub.now, [hub.get(id) for id in (first, second, third)], set())
    hub.restart()
    hub.step(2)
    before = [hub.get(id).gpu_ids for id in (first, second, third)], hub.get(third).message
    hub.runner.end(hub.get(first).runner_ref)
    hub.step(3)

    assert before == ([(0,), (1,), ()], "waiting for 1 GPU")
    assert [(hub.get(id).status.value, hub.get(id).gpu_ids) for id in (first, second, third)] == [
        ("Succeeded", (0,)), ("Running", (1,)), ("Running", (0,)),
    ]  # fmt: skip
    assert hub.get(third).message == ""


def test_what_a_job_waits_for_is_no_change_of_the_job(hub: JobReconcilerHarness) -> None:
    """Its version and history stay, so that clients that have read it can change it."""
    hub.add(WAIT)
    id = hub.add(WAIT, preset="small", replicas=2)
    hub.step(2)

    assert (hub.get(id).message, hub.get(id).version, hub.history(id)) == ("waiting for 2 CPUs", 1, [("Queued", "")])


def test_a_retry_keeps_the_reason_of_the_failure_while_it_waits(hub: JobReconcilerHarness) -> None:
    """Although slots are taken."""
    id = hub.add(FALSE, max_retries=1)
    hub.step(2)
    for _ in range(2):
        hub.add(WAIT)
    hub.step(3, secs=10.0)

    assert (hub.statuses(id), hub.get(id).message) == (["Restarting"], "the command exited with code 1")


def test_a_restart_has_what_the_preset_has_by_now(hub: JobReconcilerHarness) -> None:
    """And none of the processors and GPUs of before."""
    hub.capacity = Capacity(slots=8, cpu_ids=(0, 1, 2, 3), gpu_ids=(0, 1))
    hub.restart()
    id = hub.add(FALSE, preset="gpu", gpus=1)
    hub.step(2)
    before = hub.get(id)
    hub.apply(id, RestartRequested(Preset(name="gpu", cpus=2, memory_bytes=1 << 30, gpus=2)))
    queued = hub.get(id)
    hub.step()
    placed = hub.get(id)

    assert (before.cpus, before.memory_limit_bytes, before.cpu_ids, before.gpu_ids) == (1, None, (0,), (0,))
    assert (queued.cpus, queued.memory_limit_bytes, queued.cpu_ids, queued.gpu_ids) == (2, 1 << 30, (), ())
    assert (placed.cpus, placed.memory_limit_bytes, placed.cpu_ids, placed.gpu_ids) == (2, 1 << 30, (0, 1), (0, 1))


LOCAL_JOB = """
import os, sys, time
with open("ledger", "a") as ledger:
    ledger.write(f"start {sys.argv[1]}\\n")
print("hello from", sys.argv[1])
time.sleep(0.05)
with open("ledger", "a") as ledger:
    ledger.write(f"end {sys.argv[1]}\\n")
"""


@pytest.fixture
def local_runner(tmp_path: Path) -> Iterator[LocalRunner]:
    """A runner of this machine."""
    with closing(LocalRunner(tmp_path / "work")) as runner:
        yield runner


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")
@pytest.mark.databases("sqlite")
def test_jobs_survive_kills_of_everything(personas: Personas, local_runner: LocalRunner, tmp_path: Path) -> None:
    """Hubs, supervisors and commands are killed at random. Each job ends in a true status, and none runs twice at
    once."""
    (tmp_path / "job.py").write_text(LOCAL_JOB)
    dice = random.Random(7)
    hub = JobReconcilerHarness(personas)

    def new_reconciler() -> JobReconciler:
        return JobReconciler(
            hub.database, local_runner, PlainWorkloads(str(tmp_path)), Capacity(slots=2), JobPolicy(trusted=True)
        )

    ids = [hub.add((sys.executable, "job.py", f"job-{number}")) for number in range(1, 13)]
    reconciler = new_reconciler()
    deadline = time.monotonic() + 120
    while any(hub.get(id).status not in ENDED for id in ids):
        assert time.monotonic() < deadline
        try:
            reconciler.run_pass(time.time())
        except DatabaseBusy:
            continue
        if dice.random() < 0.2:
            reconciler = new_reconciler()  # the old one is abandoned with its threads
        if dice.random() < 0.1:
            kill_something(tmp_path / "work", dice)
        time.sleep(0.02)

    for id in ids:
        check_ledger(hub, local_runner, tmp_path, id)


def kill_something(work: Path, dice: random.Random) -> None:
    """Kill the supervisor or the command of a running job, unless it has just ended."""
    supervisors = [pid for path in sorted(work.glob("*/*/0")) if (pid := ReplicaFolder(path).supervisor())]
    if supervisors:
        pid = dice.choice(supervisors)
        with suppress(FileNotFoundError, ProcessLookupError):
            commands = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            target = int(commands[0]) if commands and dice.random() < 0.5 else pid
            os.kill(target, signal.SIGKILL)


def check_ledger(hub: JobReconcilerHarness, runner: LocalRunner, folder: Path, id: str) -> None:
    """The status of a job agrees with what its command has written, and the log is there."""
    job = hub.get(id)
    written = [line.split()[0] for line in (folder / "ledger").read_text().splitlines() if line.split()[1] == id]
    log = [line.text for line in runner.read_log(job.runner_ref, 0).lines]

    assert written.count("start") <= job.attempt == 1
    if job.status.value == "Succeeded":
        assert (written, log) == (["start", "end"], [f"hello from {id}"])
    else:
        assert (job.reason, job.signal) in (("NodeLost", None), ("Error", signal.SIGKILL)), job.message
