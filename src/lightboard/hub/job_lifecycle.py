"""The state machine of a job, as pure functions.

`apply` returns the job after an event, `due_event` the event caused by time alone, `decide` what follows from an
observation of its workload. Storing jobs and calling the runner is done elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from lightboard.counts import counted
from lightboard.errors import Conflict
from lightboard.hub.resources.jobs import ENDED, ON_RUNNER, WAITING, Job, JobKind, JobStatus, JobTransition
from lightboard.hub.resources.presets import Preset
from lightboard.hub.resources.replicas import LOST, STOPPED, Isolation, Limits, ReplicaPhase, ReplicaState

MAX_BACKOFF_SECS = 300.0
QUEUE_TIMEOUT = "ScheduleTimeout"
RUN_TIME_ENDED = "MaxRunTimeEnded"
LIFE_SPAN_ENDED = "LifeSpanEnded"
ACCOUNT_DISABLED = "AccountDisabled"
SHUT_DOWN = "ShutDown"
UNSEEN_SECS = 60.0
"""An end that a running hub has seen is not so long ago."""


@dataclass(frozen=True)
class Placed:
    """The job has got a slot; `handle` is the one its next attempt will have. Nothing has been started.

    `cpu_ids` and `gpu_ids` are the processors and GPUs of the attempt, and `image_digest` that of its environment, as
    in `Job`.
    """

    handle: str
    cpu_ids: tuple[int, ...] = ()
    gpu_ids: tuple[int, ...] = ()
    image_digest: str = ""


@dataclass(frozen=True)
class Started:
    """The command runs, since `started_at`."""

    started_at: float
    isolation: Isolation | None = None
    limits: Limits | None = None


@dataclass(frozen=True)
class Ended:
    """No process of the attempt is left, or none was ever started. `reason` is "" if the command ended by itself.

    `started_at`, `isolation` and `limits` are told as well, because a quick command is never seen running.
    """

    exit_code: int | None = None
    signal: int | None = None
    reason: str = ""
    message: str = ""
    started_at: float | None = None
    ended_at: float | None = None
    isolation: Isolation | None = None
    limits: Limits | None = None

    @property
    def succeeded(self) -> bool:
        """Whether all replicas exited with code 0."""
        return self.exit_code == 0 and not self.reason


@dataclass(frozen=True)
class Refused:
    """The runner cannot run the job in its current form."""

    reason: str
    message: str = ""


@dataclass(frozen=True)
class StopRequested:
    """A user or a rule asked to stop the job; `reason` says which."""

    reason: str = "UserRequested"
    message: str = ""


@dataclass(frozen=True)
class PauseRequested:
    """A user asked to hold the job; `message` says who. Processes of it are ended, because only that frees memory."""

    message: str = ""


@dataclass(frozen=True)
class ResumeRequested:
    """A user asked to let a paused job wait for a slot again."""


@dataclass(frozen=True)
class RestartRequested:
    """A user asked to run an ended job again. `preset` is what its preset has by now, None if that is not new."""

    preset: Preset | None = None


@dataclass(frozen=True)
class DeleteRequested:
    """A user asked to delete the job and its log. Its outputs are kept."""

    reason: str = "UserRequested"


@dataclass(frozen=True)
class Removed:
    """The runner has deleted all that it stored about the job."""


Event = (
    Placed
    | Started
    | Ended
    | Refused
    | StopRequested
    | PauseRequested
    | ResumeRequested
    | RestartRequested
    | DeleteRequested
    | Removed
)

GONE = frozenset({JobStatus.DELETING, JobStatus.DELETED})
STARTED = frozenset({JobStatus.STARTING, JobStatus.RUNNING})
NO_RESULT: dict[str, Any] = {
    "started_at": None, "ended_at": None, "exit_code": None, "signal": None, "isolation": None, "limits": None,
    "cpu_ids": (), "gpu_ids": (),
}  # fmt: skip
"""Fields before an attempt has one."""


def apply(job: Job, event: Event, at: float) -> Job:
    """The job after `event` at `at` (seconds since the epoch), or the same object if nothing changes.

    Events that arrive too late, such as the end of an attempt of a job that was restarted meanwhile, are ignored.
    """
    match event:
        case Placed(handle, cpu_ids, gpu_ids, image_digest) if job.status in WAITING:
            attempt = {"attempt": job.attempt + 1, "runner_ref": handle, "image_digest": image_digest}
            devices = {"cpu_ids": cpu_ids, "gpu_ids": gpu_ids}
            return transition(job, JobStatus.STARTING, at, "ProcessStarting", **{**NO_RESULT, **attempt, **devices})
        case Started(started_at, isolation, limits) if job.status is JobStatus.STARTING:
            return transition(job, JobStatus.RUNNING, at, started_at=started_at, isolation=isolation, limits=limits)
        case Ended():
            return apply_end(job, event, at)
        case Refused(reason, message) if job.status in (*WAITING, JobStatus.STARTING):
            return transition(job, JobStatus.FAILED, at, reason, message, ended_at=end_without_run(job, at))
        case StopRequested(reason, message) if job.status in (*WAITING, JobStatus.PAUSED):
            end = JobStatus.FAILED if reason == QUEUE_TIMEOUT else JobStatus.STOPPED
            return transition(job, end, at, reason, message, ended_at=end_without_run(job, at))
        case StopRequested(reason, message) if job.status in (*STARTED, JobStatus.PAUSING):
            return transition(job, JobStatus.STOPPING, at, reason, message)
        case PauseRequested(message) if job.status in WAITING:
            return transition(job, JobStatus.PAUSED, at, "UserRequested", message)
        case PauseRequested(message) if job.status in STARTED:
            return transition(job, JobStatus.PAUSING, at, "UserRequested", message)
        case ResumeRequested() if job.status is JobStatus.PAUSED:
            return transition(job, JobStatus.QUEUED, at, "Resumed", **NO_RESULT)
        case RestartRequested(preset) if job.status in ENDED:
            again = job if preset is None else job.with_preset(preset)
            again = replace(again, image_digest="")
            return transition(
                again, JobStatus.QUEUED, at, "Restarted", retries=0, ran_secs=0.0, queued_at=at, **NO_RESULT
            )
        case DeleteRequested(reason) if job.status in ON_RUNNER - GONE:
            return transition(job, JobStatus.DELETING, at, reason)
        case DeleteRequested(reason) if job.status not in GONE:
            return transition(job, JobStatus.DELETING, at, reason, ended_at=end_without_run(job, at))
        case Removed() if job.status is JobStatus.DELETING:
            return transition(job, JobStatus.DELETED, at, job.reason, runner_ref="", environment={}, secrets={})
    return job


def end_without_run(job: Job, at: float) -> float:
    """When a waiting job ended: with its last attempt, or without any at `at`."""
    return at if job.ended_at is None else job.ended_at


def apply_end(job: Job, event: Ended, at: float) -> Job:
    """The job after its attempt has ended: done, stopped, paused, or to be retried.

    The attempt of a paused job is not a failure, however it has ended, but it may have been done before.
    """
    ended_at = at if event.ended_at is None else event.ended_at
    result: dict[str, Any] = {"exit_code": event.exit_code, "signal": event.signal, "ended_at": ended_at}
    if event.started_at is not None:
        result |= {"started_at": event.started_at, "isolation": event.isolation, "limits": event.limits}
    result["ran_secs"] = replace(job, started_at=result.get("started_at", job.started_at)).running_secs(ended_at)
    if job.status is JobStatus.STOPPING:
        return transition(job, JobStatus.STOPPED, at, job.reason, job.message, **result)
    if job.status is JobStatus.PAUSING and not event.succeeded:
        return transition(job, JobStatus.PAUSED, at, job.reason, job.message, queued_at=at, **result)
    if job.status not in (*STARTED, JobStatus.PAUSING):
        return job
    if event.succeeded and job.kind is JobKind.NOTEBOOK:
        return transition(job, JobStatus.STOPPED, at, SHUT_DOWN, shut_down_text(job, at - ended_at), **result)
    if event.succeeded:
        return transition(job, JobStatus.SUCCEEDED, at, "Completed", **result)
    reason = event.reason or "Error"
    message = event.message or end_text(event)
    if job.retries < job.max_retries:
        return transition(
            job, JobStatus.RESTARTING, at, reason, message, retries=job.retries + 1, queued_at=at, **result
        )
    return transition(job, JobStatus.FAILED, at, reason, message, **result)


def shut_down_text(job: Job, seen_after_secs: float) -> str:
    """Why the server of a notebook has ended by itself, for people.

    A hub that runs stops it before it would be idle for long enough to do so itself.
    """
    if not job.idle_secs or seen_after_secs < UNSEEN_SECS:
        return "it was shut down in its menu"
    return f"while the hub was not running, it was shut down in its menu, or {idle_text(job)}"


def idle_text(job: Job) -> str:
    """Why a notebook that is not used is stopped, for people."""
    minutes, secs = divmod(round(job.idle_secs), 60)
    parts = (f"{minutes:,} min" if minutes else "", f"{secs} s" if secs else "")
    return f"not used for {' '.join(filter(None, parts))}"


def end_text(event: Ended) -> str:
    """How a command ended, for people."""
    if event.signal is not None:
        return f"the command was ended by signal {event.signal}"
    return f"the command exited with code {event.exit_code}" if event.exit_code is not None else ""


def start_at(job: Job) -> float:
    """When a waiting job may start: at once, or after a back-off that doubles with each retry."""
    if job.status is not JobStatus.RESTARTING:
        return job.status_since
    return job.status_since + min(MAX_BACKOFF_SECS, 2.0 ** min(job.retries, 16))


def may_start(job: Job, now: float) -> bool:
    """Whether a waiting job need not wait any longer. It never waits for a clock that was set back."""
    return job.status_since > now or start_at(job) <= now


def due_event(job: Job, now: float, owner_disabled: bool = False) -> Event | None:
    """The event that is due because of time alone, or because the account of the owner is disabled."""
    if owner_disabled and job.status in (*WAITING, *STARTED):
        return StopRequested(ACCOUNT_DISABLED)
    if job.status in WAITING and job.queue_timeout_secs and now - start_at(job) >= job.queue_timeout_secs:
        return StopRequested(QUEUE_TIMEOUT, queue_timeout_text(job))
    runs_on = job.status in (*WAITING, JobStatus.RUNNING)
    if runs_on and job.life_span_secs and job.running_secs(now) >= job.life_span_secs:
        return StopRequested(LIFE_SPAN_ENDED, f"the life span is {counted(job.life_span_secs, 'second')}")
    running = job.status is JobStatus.RUNNING and job.started_at is not None and job.max_run_secs
    if running and job.started_at is not None and now - job.started_at >= job.max_run_secs:
        return StopRequested(RUN_TIME_ENDED, f"the limit is {counted(job.max_run_secs, 'second')}")
    return None


def queue_timeout_text(job: Job) -> str:
    """Why a job has waited too long, for people."""
    waited_for = f": {job.message}" if job.status is JobStatus.QUEUED and job.message else ""
    return f"it could not start within {counted(job.queue_timeout_secs, 'second')}{waited_for}"


def conflict(job: Job, event: Event) -> Conflict | None:
    """Why a user cannot pause or resume a job in its status; None if that is possible, or would change nothing."""
    match event:
        case PauseRequested() if job.kind is JobKind.NOTEBOOK:
            return Conflict(
                "a notebook cannot be paused", hint="stop it; its files are kept, and it can be started again"
            )
        case PauseRequested() if job.status in ENDED:
            return Conflict(
                f"the job {job.name} has ended: it is {job.status}", hint="only a job that waits or runs can be paused"
            )
        case ResumeRequested() if job.status in ENDED:
            return Conflict(f"the job {job.name} has ended: it is {job.status}", hint="restart it instead")
        case ResumeRequested() if job.status is JobStatus.PAUSING:
            return Conflict(f"the job {job.name} is still being paused", hint="resume it when it is Paused")
        case PauseRequested() | ResumeRequested() if job.status in (JobStatus.STOPPING, *GONE):
            return Conflict(f"the job {job.name} is being ended: it is {job.status}")
    return None


def runner_conflict(job: Job, event: Event, runner: str) -> Conflict | None:
    """Why a user cannot start or end a job on a hub that has the runner `runner` now; None if that is possible.

    Only the runner of a job reaches its processes. One that has none can be stopped and deleted on any.
    """
    if job.runner in ("", runner):
        return None
    match event:
        case RestartRequested() | ResumeRequested():
            return Conflict(
                f"the job ran on the runner {job.runner}, which this hub has no longer", hint="clone the job"
            )
        case StopRequested() | PauseRequested() | DeleteRequested() if job.status in ON_RUNNER - GONE:
            return Conflict(
                f"the job {job.name} may run on the runner {job.runner}, which this hub does not have now",
                hint="try again when the hub has that runner",
            )
    return None


class Action(StrEnum):
    """What the hub asks of the runner for a job."""

    SUBMIT = "submit"
    STOP = "stop"
    REMOVE = "remove"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Decision:
    """What follows from an observation: an event, or an action of the runner."""

    event: Event | None = None
    action: Action = Action.NOTHING


def decide(
    job: Job,
    replicas: Sequence[ReplicaState],
    now: float,
    owner_disabled: bool = False,
    stop: StopRequested | None = None,
) -> Decision:
    """What to do for a job on a runner, whose replicas are as observed now. `stop`: why it may not run any longer.

    A job with a failed replica ends when the others have been stopped. One whose start was not completed, because a hub
    was killed, is submitted again.
    """
    ended = bool(replicas) and all(replica.phase is ReplicaPhase.ENDED for replica in replicas)
    match job.status:
        case JobStatus.DELETING:
            return Decision(action=Action.REMOVE)
        case JobStatus.STOPPING | JobStatus.PAUSING:
            return Decision(end_of(replicas)) if ended else Decision(action=Action.STOP)
        case JobStatus.STARTING | JobStatus.RUNNING:
            if ended:
                return Decision(end_of(replicas))
            if any(replica.failed for replica in replicas):
                return Decision(action=Action.STOP)
            if owner_disabled:
                return Decision(due_event(job, now, owner_disabled))
            if not replicas or any(replica.phase is ReplicaPhase.ABSENT for replica in replicas):
                return lost_or_incomplete(job)
            started = [replica.started_at for replica in replicas if replica.started_at is not None]
            if job.status is JobStatus.STARTING and len(started) == len(replicas):
                return Decision(Started(min(started), weakest_isolation(replicas), weakest_limits(replicas)))
            return Decision(stop or due_event(job, now))
    return Decision(due_event(job, now))


def lost_or_incomplete(job: Job) -> Decision:
    """A start that is not complete is repeated, which starts nothing twice. Later, an absent replica is a lost one."""
    if job.status is JobStatus.STARTING:
        return Decision(action=Action.SUBMIT)
    return Decision(Ended(reason=LOST, message="the runner does not know this job any more"))


def end_of(replicas: Sequence[ReplicaState]) -> Ended:
    """The end of a job whose replicas have ended: as the first one that failed by itself, else as the first."""
    failed = [replica for replica in replicas if replica.failed]
    first = min(failed or replicas, key=lambda replica: (replica.reason == STOPPED, replica.ended_at or 0.0))
    return Ended(
        exit_code=first.exit_code,
        signal=first.signal,
        reason=first.reason,
        message=first.message,
        started_at=min((replica.started_at for replica in replicas if replica.started_at is not None), default=None),
        isolation=weakest_isolation(replicas),
        limits=weakest_limits(replicas),
        ended_at=max((replica.ended_at for replica in replicas if replica.ended_at is not None), default=None),
    )


def weakest_isolation(replicas: Sequence[ReplicaState]) -> Isolation | None:
    """What keeps all replicas that have started from the rest of the machine; None if none has."""
    known = {replica.isolation for replica in replicas if replica.isolation is not None}
    return next((isolation for isolation in Isolation if isolation in known), None)


def weakest_limits(replicas: Sequence[ReplicaState]) -> Limits | None:
    """What enforces the limits of all replicas that have started; None if none has."""
    known = {replica.limits for replica in replicas if replica.limits is not None}
    return next((limits for limits in Limits if limits in known), None)


def transition(job: Job, status: JobStatus, at: float, reason: str = "", message: str = "", **changes: Any) -> Job:
    """The job in another status, with its version incremented."""
    return replace(
        job,
        status=status,
        reason=reason,
        message=message,
        status_since=at,
        updated_at=at,
        version=job.version + 1,
        **changes,
    )


def transition_of(job: Job, actor: str = "") -> JobTransition:
    """The history entry for the current status of a job."""
    return JobTransition(
        at=job.status_since,
        status=job.status,
        reason=job.reason,
        message=job.message,
        actor=actor,
        attempt=job.attempt,
    )
