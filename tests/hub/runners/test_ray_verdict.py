"""What a replica on a Ray cluster is doing, from all that the hub knows."""

import pytest

from lightboard.hub.resources.replicas import (
    CLUSTER_LOST,
    LOST,
    START_FAILED,
    STOPPED,
    WORKER_ENDED,
    ReplicaPhase,
    ReplicaState,
)
from lightboard.hub.runners.ray_jobs import RayJob, RayStatus
from lightboard.hub.runners.ray_verdict import (
    LOST_SECS,
    SETTLE_SECS,
    WAIT_SECS,
    RayAnswer,
    ReplicaSigns,
    needs_answer,
    verdict,
)

RUNNING = ReplicaState(phase=ReplicaPhase.RUNNING, started_at=1.0)
CUT_OFF = ReplicaState(phase=ReplicaPhase.ENDED, started_at=1.0, ended_at=2.0, reason=LOST, message=WORKER_ENDED)
UNREACHABLE = RayAnswer(problem="the Ray cluster does not respond: refused", unreachable=True, silent_secs=3600.0)
ACTIVE = RayAnswer(RayJob(RayStatus.RUNNING))
FAILED = RayAnswer(RayJob(RayStatus.FAILED, "Traceback\nNo module named ray"))
FORGOTTEN = RayAnswer()
LONG = 3600.0


def signs(
    state: ReplicaState | None = None, quiet_secs: float = 0.0, *, taken: bool = False, stopped: bool = False
) -> ReplicaSigns:
    """What was found in the folder of a replica; nothing by default."""
    return ReplicaSigns(state, quiet_secs, taken, stopped)


def silence(secs: float) -> RayAnswer:
    """A cluster from which nothing was heard for some time."""
    return RayAnswer(problem="the Ray cluster refuses the hub's token", silent_secs=secs)


@pytest.mark.parametrize(
    ("found", "asked"),
    [
        (signs(RUNNING), False),
        (signs(RUNNING, LONG), True),
        (signs(ReplicaState(phase=ReplicaPhase.ENDED), LONG), False),
        (signs(CUT_OFF), True),
        (signs(CUT_OFF, stopped=True), False),
        (signs(), True),
    ],
)
def test_ray_is_asked_only_about_silent_replicas(found: ReplicaSigns, *, asked: bool) -> None:
    """Thousands of jobs that run cost no requests, and what has ended stays so."""
    assert needs_answer(found) is asked


@pytest.mark.parametrize(
    ("found", "answer", "phase"),
    [
        (signs(), ACTIVE, ReplicaPhase.STARTING),
        (signs(quiet_secs=LONG), silence(1.0), ReplicaPhase.UNKNOWN),
        (signs(quiet_secs=1.0), silence(LONG), ReplicaPhase.UNKNOWN),
        (signs(quiet_secs=WAIT_SECS - 1), silence(LONG), ReplicaPhase.UNKNOWN),
        (signs(quiet_secs=LONG), FORGOTTEN, ReplicaPhase.ABSENT),
        (signs(quiet_secs=1.0, taken=True), FORGOTTEN, ReplicaPhase.UNKNOWN),
        (signs(RUNNING, LONG), ACTIVE, ReplicaPhase.RUNNING),
        (signs(RUNNING, LOST_SECS - 1), silence(LONG), ReplicaPhase.RUNNING),
        (signs(RUNNING, 6.0), FAILED, ReplicaPhase.RUNNING),
        (signs(CUT_OFF, SETTLE_SECS - 1), ACTIVE, ReplicaPhase.UNKNOWN),
        (signs(CUT_OFF, SETTLE_SECS - 1), silence(LONG), ReplicaPhase.UNKNOWN),
    ],
)
def test_no_replica_is_given_up_early(found: ReplicaSigns, answer: RayAnswer, phase: ReplicaPhase) -> None:
    """Not for a cluster that is away for a moment, nor while its processes may be left."""
    assert verdict(found, answer).phase is phase


@pytest.mark.parametrize(
    ("found", "answer", "reason", "message"),
    [
        (signs(RUNNING, LONG), FAILED, LOST, "Ray ended it: No module named ray"),
        (signs(RUNNING, LONG), RayAnswer(RayJob(RayStatus.STOPPED)), LOST, "somebody stopped it in Ray"),
        (
            signs(RUNNING, LONG), FORGOTTEN, CLUSTER_LOST,
            "the Ray cluster does not know it any more: it was restarted, or somebody deleted the job there",
        ),
        (
            signs(RUNNING, LONG), silence(LONG), LOST,
            "nothing was heard of it for 60 seconds: the Ray cluster refuses the hub's token",
        ),
        (
            signs(quiet_secs=LONG), silence(LONG), START_FAILED,
            "nothing was heard of it for 300 seconds: the Ray cluster refuses the hub's token",
        ),
        (
            signs(RUNNING, LONG), UNREACHABLE, CLUSTER_LOST,
            "nothing was heard of it for 60 seconds: the Ray cluster does not respond: refused",
        ),
        (
            signs(CUT_OFF), UNREACHABLE, CLUSTER_LOST,
            "the worker that it belonged to has ended: the Ray cluster does not respond: refused",
        ),
        (
            signs(CUT_OFF), FORGOTTEN, CLUSTER_LOST,
            "the Ray cluster does not know it any more: it was restarted, or somebody deleted the job there",
        ),
        (signs(CUT_OFF), FAILED, LOST, "Ray ended it: No module named ray"),
        (signs(CUT_OFF), RayAnswer(RayJob(RayStatus.STOPPED)), LOST, "somebody stopped it in Ray"),
        (signs(CUT_OFF, SETTLE_SECS), ACTIVE, LOST, "its node or its worker was lost"),
        (signs(CUT_OFF, SETTLE_SECS), silence(LONG), LOST, "its node or its worker was lost"),
        (signs(), FAILED, START_FAILED, "Ray ended it: No module named ray"),
        (signs(stopped=True), ACTIVE, STOPPED, ""),
        (signs(stopped=True), silence(1.0), STOPPED, ""),
        (signs(quiet_secs=LONG, taken=True, stopped=True), RayAnswer(RayJob(RayStatus.STOPPED)), STOPPED, ""),
    ],
)  # fmt: skip
def test_the_end_says_what_happened(found: ReplicaSigns, answer: RayAnswer, reason: str, message: str) -> None:
    """With a reason for programs and a message for people."""
    state = verdict(found, answer)

    assert (state.phase, state.reason, state.message) == (ReplicaPhase.ENDED, reason, message)
