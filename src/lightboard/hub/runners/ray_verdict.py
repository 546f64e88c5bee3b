"""What a replica on a Ray cluster is doing, from what its supervisor has stored and what Ray says. Pure.

The folder of a replica is the truth as long as its supervisor writes there. Only when it is silent, Ray is asked:
whoever runs a job is known by then to be alive, ended, forgotten by a cluster that was restarted, or unreachable.
"""

from dataclasses import dataclass, replace

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

QUIET_SECS = 5.0
"""A supervisor writes every second. After so long without, Ray is asked."""
SETTLE_SECS = 12.0
"""A supervisor whose worker has ended takes 5 seconds to end its command. Then nothing is left."""
LOST_SECS = 60.0
"""After so long without a sign of a replica or its cluster, it is lost."""
WAIT_SECS = 300.0
"""For how long a job that was never started waits for a cluster that does not respond."""
MESSAGE_CHARACTERS = 500
ALONE = "its node or its worker was lost"


@dataclass(frozen=True)
class RayAnswer:
    """What Ray says about a job: `job` is None if Ray does not know it, or says nothing because of a `problem`.

    `unreachable`: the problem is that the cluster does not respond. `silent_secs` is for how long nothing was heard.
    """

    job: RayJob | None = None
    problem: str = ""
    unreachable: bool = False
    silent_secs: float = 0.0


@dataclass(frozen=True)
class ReplicaSigns:
    """What the hub finds in the folder of a replica. `state` is None before its supervisor has started.

    `quiet_secs` is for how long nothing new was found. `taken`: a driver has taken the workload, so nobody else runs
    it. `stopped`: its end was requested.
    """

    state: ReplicaState | None
    quiet_secs: float
    taken: bool
    stopped: bool


def needs_answer(signs: ReplicaSigns) -> bool:
    """Whether Ray has to be asked."""
    if signs.state is None or is_unexplained(signs):
        return True
    return signs.state.phase is not ReplicaPhase.ENDED and signs.quiet_secs >= QUIET_SECS


def is_unexplained(signs: ReplicaSigns) -> bool:
    """Whether a supervisor has ended a replica because its worker was gone, and it is not known why that was."""
    state = signs.state
    ended = state is not None and state.phase is ReplicaPhase.ENDED and not signs.stopped
    return ended and state is not None and state.message == WORKER_ENDED


def verdict(signs: ReplicaSigns, answer: RayAnswer) -> ReplicaState:
    """The state of a replica for which Ray was asked."""
    if signs.state is not None and is_unexplained(signs):
        return explained(signs.state, signs.quiet_secs, answer)
    state = signs.state or ReplicaState(phase=ReplicaPhase.STARTING)
    if signs.stopped and signs.state is None and not signs.taken:  # a driver that comes later will find the request
        return replace(state, phase=ReplicaPhase.ENDED, reason=STOPPED)
    unsure = state if signs.state else replace(state, phase=ReplicaPhase.UNKNOWN)
    if answer.problem:
        lost = CLUSTER_LOST if answer.unreachable else LOST
        reason, limit = (lost, LOST_SECS) if signs.state or signs.taken else (START_FAILED, WAIT_SECS)
        if min(signs.quiet_secs, answer.silent_secs) < limit:
            return unsure
        message = f"nothing was heard of it for {limit:.0f} seconds: {answer.problem}"
        return replace(state, phase=ReplicaPhase.ENDED, reason=reason, message=message)
    job = answer.job
    if job is not None and job.is_active:
        return state
    if signs.state is None and not signs.taken:
        return never_started(state, job)
    if signs.quiet_secs < SETTLE_SECS:
        return unsure
    if signs.stopped and signs.state is None:
        return replace(state, phase=ReplicaPhase.ENDED, reason=STOPPED)
    return replace(
        state, phase=ReplicaPhase.ENDED, reason=CLUSTER_LOST if job is None else LOST, message=ending_of(job)
    )


def explained(state: ReplicaState, quiet_secs: float, answer: RayAnswer) -> ReplicaState:
    """The end of a replica whose worker is gone: with its cluster, or alone. Unknown while the cluster may be ending.

    A head that ends does so within moments, but some of it may still respond in between.
    """
    if answer.unreachable:
        return replace(state, reason=CLUSTER_LOST, message=f"{WORKER_ENDED}: {answer.problem}")
    if answer.problem or (answer.job is not None and answer.job.is_active):
        if quiet_secs < SETTLE_SECS:
            return replace(state, phase=ReplicaPhase.UNKNOWN)
        return replace(state, message=ALONE)
    if answer.job is None:
        return replace(state, reason=CLUSTER_LOST, message=ending_of(None))
    return replace(state, message=ending_of(answer.job))


def never_started(state: ReplicaState, job: RayJob | None) -> ReplicaState:
    """The state of a replica whose driver has done nothing, and will not."""
    if job is None:  # it may be submitted again
        return replace(state, phase=ReplicaPhase.ABSENT)
    return replace(state, phase=ReplicaPhase.ENDED, reason=START_FAILED, message=ending_of(job))


def ending_of(job: RayJob | None) -> str:
    """How a job has ended in Ray, for people."""
    if job is None:
        return "the Ray cluster does not know it any more: it was restarted, or somebody deleted the job there"
    if job.status is RayStatus.STOPPED:
        return "somebody stopped it in Ray"
    last_line = job.message.strip().rpartition("\n")[2][-MESSAGE_CHARACTERS:]
    return f"Ray ended it: {last_line or job.status.lower()}"
