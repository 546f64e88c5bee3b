"""The state machine of a job, for any sequence of events."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.hub import job_lifecycle
from lightboard.hub.job_lifecycle import (
    Action,
    Decision,
    DeleteRequested,
    Ended,
    Event,
    PauseRequested,
    Placed,
    Refused,
    Removed,
    RestartRequested,
    ResumeRequested,
    Started,
    StopRequested,
)
from lightboard.hub.resources.jobs import ENDED, ON_RUNNER, WAITING, Job, JobKind, JobStatus, JobTransition
from lightboard.hub.resources.replicas import Isolation, Limits, ReplicaPhase, ReplicaState

JOB = Job(id="job-1", name="job", display_name="Job", project="prj-1", owner="acc-1", command=("true",))

EVENTS: dict[str, Event] = {
    "placed": Placed("handle"),
    "started": Started(5.0),
    "succeeded": Ended(exit_code=0),
    "failed": Ended(exit_code=3),
    "refused": Refused("ImageNotFound"),
    "stop": StopRequested(),
    "pause": PauseRequested("paused by ann"),
    "resume": ResumeRequested(),
    "restart": RestartRequested(),
    "delete": DeleteRequested(),
    "removed": Removed(),
}

NEXT = {
    ("Queued", "placed"): "Starting",
    ("Queued", "refused"): "Failed",
    ("Queued", "stop"): "Stopped",
    ("Queued", "pause"): "Paused",
    ("Queued", "delete"): "Deleting",
    ("Starting", "started"): "Running",
    ("Starting", "succeeded"): "Succeeded",
    ("Starting", "failed"): "Failed",
    ("Starting", "refused"): "Failed",
    ("Starting", "stop"): "Stopping",
    ("Starting", "pause"): "Pausing",
    ("Starting", "delete"): "Deleting",
    ("Running", "succeeded"): "Succeeded",
    ("Running", "failed"): "Failed",
    ("Running", "stop"): "Stopping",
    ("Running", "pause"): "Pausing",
    ("Running", "delete"): "Deleting",
    ("Restarting", "placed"): "Starting",
    ("Restarting", "refused"): "Failed",
    ("Restarting", "stop"): "Stopped",
    ("Restarting", "pause"): "Paused",
    ("Restarting", "delete"): "Deleting",
    ("Pausing", "succeeded"): "Succeeded",
    ("Pausing", "failed"): "Paused",
    ("Pausing", "stop"): "Stopping",
    ("Pausing", "delete"): "Deleting",
    ("Paused", "resume"): "Queued",
    ("Paused", "stop"): "Stopped",
    ("Paused", "delete"): "Deleting",
    ("Stopping", "succeeded"): "Stopped",
    ("Stopping", "failed"): "Stopped",
    ("Stopping", "delete"): "Deleting",
    ("Succeeded", "restart"): "Queued",
    ("Succeeded", "delete"): "Deleting",
    ("Failed", "restart"): "Queued",
    ("Failed", "delete"): "Deleting",
    ("Stopped", "restart"): "Queued",
    ("Stopped", "delete"): "Deleting",
    ("Deleting", "removed"): "Deleted",
}
"""Every step there is; all others change nothing."""


@pytest.mark.parametrize(("idle_secs", "ended_at", "message"), [
    (1800.0, 90.0, "it was shut down in its menu"),
    (0.0, 1.0, "it was shut down in its menu"),
    (1800.0, 1.0, "while the hub was not running, it was shut down in its menu, or not used for 30 min"),
])  # fmt: skip
def test_a_notebook_whose_server_ends_by_itself_is_stopped(idle_secs: float, ended_at: float, message: str) -> None:
    """It can be started again. Idle ones are stopped by the hub, unless that was not running."""
    job = replace(JOB, status=JobStatus.RUNNING, kind=JobKind.NOTEBOOK, idle_secs=idle_secs)
    after = job_lifecycle.apply(job, Ended(exit_code=0, ended_at=ended_at), 100.0)

    assert (after.status, after.reason, after.message) == (JobStatus.STOPPED, "ShutDown", message)


@pytest.mark.parametrize("status", JobStatus)
@pytest.mark.parametrize("event", EVENTS)
def test_every_event_in_every_status(status: JobStatus, event: str) -> None:
    """As the table says. What changes nothing returns the same object."""
    before = replace(JOB, status=status)

    after = job_lifecycle.apply(before, EVENTS[event], 10.0)

    wanted = NEXT.get((status.value, event))
    assert (after is before, after.status.value) == (wanted is None, wanted or status.value)


@given(st.lists(st.sampled_from(sorted(EVENTS)), max_size=20), st.integers(0, 3))
def test_any_sequence_of_events_keeps_the_rules(names: list[str], max_retries: int) -> None:
    """Every change has a higher version; attempts and retries never exceed what was allowed."""
    job = replace(JOB, max_retries=max_retries)
    starts = 0
    for number, name in enumerate(names):
        after = job_lifecycle.apply(job, EVENTS[name], float(number))
        starts += after.status is JobStatus.STARTING and job.status is not JobStatus.STARTING
        assert after is job or (after.version, after.status_since) == (job.version + 1, float(number))
        assert after.retries <= max_retries
        assert (after.status in ON_RUNNER) <= (after.attempt > 0 or after.status is JobStatus.DELETING)
        job = after
    assert job.attempt == starts


def test_statuses_are_divided() -> None:
    """A job waits, has a slot, is paused, has ended, or is deleted."""
    groups = [WAITING, ON_RUNNER, ENDED, {JobStatus.PAUSED}, {JobStatus.DELETED}]

    assert sorted(status for group in groups for status in group) == sorted(JobStatus)


# Ends


def test_a_failed_attempt_is_retried_with_back_off() -> None:
    """It waits two seconds, then four, until its retries are used up."""
    job = replace(JOB, max_retries=2)
    waits = []
    while job.status not in ENDED:
        job = job_lifecycle.apply(job, EVENTS["placed"], 0.0)
        job = job_lifecycle.apply(job, EVENTS["failed"], 100.0)
        waits.append(job_lifecycle.start_at(job) - 100.0)

    assert (waits, job.status, job.attempt) == ([2.0, 4.0, 0.0], JobStatus.FAILED, 3)


def test_a_restart_by_a_user_has_all_retries_again() -> None:
    """With the next number of attempt."""
    job = replace(JOB, status=JobStatus.FAILED, attempt=3, retries=2, max_retries=2)

    after = job_lifecycle.apply(job, RestartRequested(), 10.0)

    assert (after.retries, after.attempt, after.queued_at, after.reason) == (0, 3, 10.0, "Restarted")


def test_an_environment_is_that_of_a_start_by_a_user() -> None:
    """Retries have the same one. It is forgotten when a user restarts the job, which then gets the present one."""
    placed = job_lifecycle.apply(replace(JOB, max_retries=1), Placed("handle", image_digest="12ab"), 1.0)
    retried = job_lifecycle.apply(placed, Ended(exit_code=3), 2.0)
    stopped = job_lifecycle.apply(retried, StopRequested(), 3.0)
    again = job_lifecycle.apply(stopped, RestartRequested(), 4.0)

    assert [job.image_digest for job in (placed, retried, stopped, again)] == ["12ab", "12ab", "12ab", ""]


@pytest.mark.parametrize(
    ("event", "status", "reason", "message"),
    [
        (Ended(exit_code=0), "Succeeded", "Completed", ""),
        (Ended(exit_code=3), "Failed", "Error", "the command exited with code 3"),
        (Ended(signal=11), "Failed", "Error", "the command was ended by signal 11"),
        (Ended(reason="OOMKilled", message="too much"), "Failed", "OOMKilled", "too much"),
        (Ended(exit_code=0, reason="NodeLost"), "Failed", "NodeLost", "the command exited with code 0"),
    ],
)
def test_an_end_is_told_with_its_reason(event: Ended, status: str, reason: str, message: str) -> None:
    """Only an exit with code 0 and without a reason is success."""
    after = job_lifecycle.apply(replace(JOB, status=JobStatus.RUNNING), event, 10.0)

    assert (after.status.value, after.reason, after.message) == (status, reason, message)


def test_a_stopped_job_keeps_the_reason_of_the_stop() -> None:
    """And the exit code of its command."""
    job = job_lifecycle.apply(replace(JOB, status=JobStatus.RUNNING), StopRequested("LifeSpanEnded", "a day"), 1.0)

    after = job_lifecycle.apply(job, Ended(exit_code=143, reason="Stopped"), 2.0)

    assert (after.status, after.reason, after.message) == (JobStatus.STOPPED, "LifeSpanEnded", "a day")
    assert (after.exit_code, after.ended_at) == (143, 2.0)


# Pauses


def test_a_paused_job_keeps_its_place_in_the_queue() -> None:
    """And tells who has paused it."""
    paused = job_lifecycle.apply(replace(JOB, queued_at=3.0, status_since=3.0), EVENTS["pause"], 10.0)
    resumed = job_lifecycle.apply(paused, ResumeRequested(), 20.0)

    assert (paused.status, paused.message, paused.queued_at) == (JobStatus.PAUSED, "paused by ann", 3.0)
    assert (resumed.status, resumed.message, resumed.queued_at) == (JobStatus.QUEUED, "", 3.0)


@pytest.mark.parametrize("end", [
    Ended(exit_code=143, reason="Stopped"), Ended(signal=9, reason="Stopped"), Ended(exit_code=0, reason="Stopped"),
    Ended(reason="NodeLost"), Ended(exit_code=3),
])  # fmt: skip
def test_the_attempt_of_a_paused_job_is_no_failure(end: Ended) -> None:
    """However it ends: no retry is used, and the job takes its place in the queue as of then."""
    running = replace(JOB, status=JobStatus.RUNNING, attempt=2, retries=1, max_retries=3, started_at=1.0)
    pausing = job_lifecycle.apply(running, EVENTS["pause"], 10.0)
    paused = job_lifecycle.apply(pausing, end, 12.0)

    assert (pausing.status, paused.status, paused.message) == (JobStatus.PAUSING, JobStatus.PAUSED, "paused by ann")
    assert (paused.attempt, paused.retries, paused.queued_at, paused.ended_at) == (2, 1, 12.0, 12.0)


def test_a_job_that_was_done_before_it_was_paused_has_succeeded() -> None:
    """It would do all of it again."""
    pausing = replace(JOB, status=JobStatus.PAUSING, attempt=1)

    assert job_lifecycle.apply(pausing, Ended(exit_code=0), 9.0).status is JobStatus.SUCCEEDED


def test_a_resumed_job_is_another_attempt_without_the_result_of_the_last() -> None:
    """In the same environment."""
    paused = replace(JOB, status=JobStatus.PAUSED, attempt=1, exit_code=143, started_at=1.0, image_digest="sha256:1")
    starting = job_lifecycle.apply(
        job_lifecycle.apply(paused, ResumeRequested(), 20.0), Placed("next", (), (), "sha256:1"), 21.0
    )

    assert (starting.attempt, starting.exit_code, starting.started_at) == (2, None, None)
    assert (starting.image_digest, starting.runner_ref) == ("sha256:1", "next")


def test_the_replicas_of_a_job_that_is_paused_are_ended() -> None:
    """All of them, also if some had been done; a hub that was killed asks again."""
    pausing = replace(JOB, status=JobStatus.PAUSING, attempt=1, replicas=2)
    done = ReplicaState(phase=ReplicaPhase.ENDED, exit_code=0, started_at=1.0, ended_at=2.0)
    stopped = ReplicaState(phase=ReplicaPhase.ENDED, exit_code=0, reason="Stopped", started_at=1.0, ended_at=3.0)
    decisions = [
        job_lifecycle.decide(pausing, [done, ReplicaState(phase=ReplicaPhase.RUNNING, started_at=1.0)], 5.0),
        job_lifecycle.decide(pausing, [ReplicaState(phase=ReplicaPhase.ABSENT)] * 2, 5.0),
    ]
    end = job_lifecycle.decide(pausing, [done, stopped], 5.0).event
    assert end is not None

    assert decisions == [Decision(action=Action.STOP)] * 2
    assert job_lifecycle.apply(pausing, end, 5.0).status is JobStatus.PAUSED


@pytest.mark.parametrize(("status", "pause", "resume"), [
    ("Queued", "", ""),
    ("Restarting", "", ""),
    ("Running", "", ""),
    ("Pausing", "", "the job job is still being paused"),
    ("Paused", "", ""),
    ("Stopping", "the job job is being ended: it is Stopping", "the job job is being ended: it is Stopping"),
    ("Failed", "the job job has ended: it is Failed", "the job job has ended: it is Failed"),
    ("Deleted", "the job job is being ended: it is Deleted", "the job job is being ended: it is Deleted"),
])  # fmt: skip
def test_when_jobs_can_be_paused_and_resumed(status: str, pause: str, resume: str) -> None:
    """A repeated request is no error."""
    job = replace(JOB, status=JobStatus(status))
    problems = [job_lifecycle.conflict(job, event) for event in (PauseRequested(), ResumeRequested())]

    assert [problem.message if problem else "" for problem in problems] == [pause, resume]


def test_notebooks_are_not_paused() -> None:
    """A stopped one can be started again."""
    problem = job_lifecycle.conflict(replace(JOB, kind=JobKind.NOTEBOOK), PauseRequested())

    assert problem is not None
    assert problem.message == "a notebook cannot be paused"


# Time


@pytest.mark.parametrize(("now", "due"), [(69.9, None), (70.0, "ScheduleTimeout")])
def test_a_job_waits_in_the_queue_for_a_limited_time(now: float, due: str | None) -> None:
    """Then it has failed."""
    job = replace(JOB, status_since=10.0, queue_timeout_secs=60.0)

    event = job_lifecycle.due_event(job, now)

    assert (event.reason if isinstance(event, StopRequested) else None) == due
    if event:
        assert job_lifecycle.apply(job, event, now).status is JobStatus.FAILED


@pytest.mark.parametrize(("job", "due_at", "message"), [
    (replace(JOB, status_since=10.0, message="waiting for 1 GPU"), 70.0, ": waiting for 1 GPU"),
    (replace(JOB, status=JobStatus.RESTARTING, status_since=10.0, retries=3, message="it failed"), 78.0, ""),
    (replace(JOB, status_since=50.0, queued_at=10.0), 110.0, ""),
], ids=["queued", "after a back-off", "resumed"])  # fmt: skip
def test_every_wait_of_a_job_is_limited(job: Job, due_at: float, message: str) -> None:
    """From when it could start: neither a back-off nor a pause counts. The message says what it waited for."""
    job = replace(job, queue_timeout_secs=60.0)
    event = job_lifecycle.due_event(job, due_at)

    assert job_lifecycle.due_event(job, due_at - 0.1) is None
    assert event == StopRequested("ScheduleTimeout", f"it could not start within 60 seconds{message}")


@pytest.mark.parametrize(("now", "due"), [(69.9, None), (70.0, "MaxRunTimeEnded")])
def test_a_job_runs_for_a_limited_time(now: float, due: str | None) -> None:
    """Then it is stopped."""
    job = replace(JOB, status=JobStatus.RUNNING, started_at=10.0, max_run_secs=60.0)

    event = job_lifecycle.due_event(job, now)

    assert (event.reason if isinstance(event, StopRequested) else None) == due


@pytest.mark.parametrize(("now", "due"), [(69.9, None), (70.0, "LifeSpanEnded")])
def test_all_attempts_of_a_job_have_one_life_span(now: float, due: str | None) -> None:
    """What earlier attempts have run counts; waiting does not."""
    job = replace(JOB, status=JobStatus.RUNNING, started_at=50.0, ran_secs=40.0, life_span_secs=60.0)

    event = job_lifecycle.due_event(job, now)

    assert (event.reason if isinstance(event, StopRequested) else None) == due


@pytest.mark.parametrize("status", ["Queued", "Restarting"])
def test_a_job_does_not_start_again_after_its_life_span(status: str) -> None:
    """For nothing but to be stopped at once."""
    job = replace(JOB, status=JobStatus(status), started_at=0.0, ended_at=60.0, ran_secs=60.0, life_span_secs=60.0)

    assert job_lifecycle.due_event(job, 61.0) == StopRequested("LifeSpanEnded", "the life span is 60 seconds")


def test_running_time_is_summed_over_retries_and_pauses() -> None:
    """From the start of the command to its end. A restart by a user begins anew."""
    job = replace(JOB, max_retries=1)
    first = job_lifecycle.apply(job_lifecycle.apply(job, Placed("a"), 1.0), Started(10.0), 11.0)
    failed = job_lifecycle.apply(first, Ended(exit_code=1, ended_at=30.0), 31.0)
    second = job_lifecycle.apply(job_lifecycle.apply(failed, Placed("b"), 40.0), Started(50.0), 51.0)
    pausing = job_lifecycle.apply(second, PauseRequested(), 60.0)
    paused = job_lifecycle.apply(pausing, Ended(signal=15, ended_at=65.0), 66.0)
    resumed = job_lifecycle.apply(job_lifecycle.apply(paused, ResumeRequested(), 70.0), Placed("c"), 80.0)
    quick = job_lifecycle.apply(resumed, Ended(exit_code=0, started_at=90.0, ended_at=91.0), 92.0)
    again = job_lifecycle.apply(quick, RestartRequested(), 100.0)

    steps = (first, failed, second, pausing, paused, resumed, quick, again)
    assert [step.running_secs(60.0) for step in steps] == [50.0, 20.0, 30.0, 30.0, 35.0, 35.0, 36.0, 0.0]


def test_without_limits_time_changes_nothing() -> None:
    """0 is no limit."""
    jobs = [replace(JOB, status=status, started_at=0.0) for status in JobStatus]

    assert [job_lifecycle.due_event(job, 1e9) for job in jobs] == [None] * len(jobs)


# Observations

ABSENT = ReplicaState(phase=ReplicaPhase.ABSENT)
BEGINNING = ReplicaState(phase=ReplicaPhase.STARTING)
RUNNING = ReplicaState(phase=ReplicaPhase.RUNNING, started_at=5.0)
DONE = ReplicaState(phase=ReplicaPhase.ENDED, started_at=5.0, ended_at=9.0, exit_code=0)
BROKEN = ReplicaState(phase=ReplicaPhase.ENDED, started_at=5.0, ended_at=7.0, exit_code=3)
CUT = ReplicaState(phase=ReplicaPhase.ENDED, started_at=5.0, ended_at=6.0, signal=15, reason="Stopped")


@pytest.mark.parametrize(
    ("status", "replicas", "decision"),
    [
        ("Starting", [ABSENT], Decision(action=Action.SUBMIT)),
        ("Starting", [RUNNING, ABSENT], Decision(action=Action.SUBMIT)),
        ("Starting", [BEGINNING], Decision()),
        ("Starting", [RUNNING, BEGINNING], Decision()),
        ("Starting", [RUNNING], Decision(Started(5.0))),
        ("Starting", [RUNNING, DONE], Decision(Started(5.0))),
        ("Starting", [DONE], Decision(Ended(exit_code=0, started_at=5.0, ended_at=9.0))),
        ("Running", [RUNNING], Decision()),
        ("Running", [RUNNING, DONE], Decision()),
        ("Running", [RUNNING, BROKEN], Decision(action=Action.STOP)),
        ("Running", [CUT, BROKEN], Decision(Ended(exit_code=3, started_at=5.0, ended_at=7.0))),
        ("Running", [DONE, DONE], Decision(Ended(exit_code=0, started_at=5.0, ended_at=9.0))),
        ("Running", [ABSENT], Decision(Ended(reason="NodeLost", message="the runner does not know this job any more"))),
        ("Stopping", [RUNNING], Decision(action=Action.STOP)),
        ("Stopping", [ABSENT], Decision(action=Action.STOP)),
        ("Stopping", [CUT], Decision(Ended(signal=15, reason="Stopped", started_at=5.0, ended_at=6.0))),
        ("Deleting", [RUNNING], Decision(action=Action.REMOVE)),
        ("Queued", [], Decision()),
    ],
)
def test_what_follows_from_an_observation(status: str, replicas: list[ReplicaState], decision: Decision) -> None:
    """One event or one action."""
    job = replace(JOB, status=JobStatus(status), started_at=5.0)

    assert job_lifecycle.decide(job, replicas, 10.0) == decision


def test_a_history_entry_has_the_attempt() -> None:
    """And who caused it."""
    job = job_lifecycle.apply(JOB, Placed("handle"), 10.0)

    assert job_lifecycle.transition_of(job, "acc-1") == JobTransition(
        at=10.0, status=JobStatus.STARTING, reason="ProcessStarting", actor="acc-1", attempt=1
    )


def test_isolation_and_limits_of_a_job_are_those_of_its_weakest_replica() -> None:
    """From the start of its command until its next attempt; a quick command is told by its end alone."""
    replicas = [
        replace(RUNNING, isolation=Isolation.KERNEL, limits=Limits.WATCHING),
        replace(RUNNING, isolation=Isolation.NONE, limits=Limits.CGROUP),
    ]
    strongest = replace(DONE, isolation=Isolation.KERNEL, limits=Limits.CGROUP)
    placed = job_lifecycle.apply(JOB, Placed("handle"), 1.0)
    decision = job_lifecycle.decide(placed, replicas, 2.0)
    assert decision.event is not None
    running = job_lifecycle.apply(placed, decision.event, 2.0)
    ended = job_lifecycle.apply(placed, job_lifecycle.end_of([strongest]), 2.0)
    again = job_lifecycle.apply(ended, RestartRequested(), 3.0)

    assert [job.isolation for job in (placed, running, ended, again)] == [None, "none", "kernel", None]
    assert [job.limits for job in (placed, running, ended, again)] == [None, "watching", "cgroup", None]
