"""One pass of the reconcile loop over jobs: gives slots to waiting jobs, and moves all others to their desired state.

Every step can be repeated: a handle is stored before anything is started, and the runner starts nothing twice. So a hub
may be killed at any moment, and several may work on the same jobs.
"""

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol

from lightboard.errors import LaunchError, LightboardError
from lightboard.hub import job_lifecycle
from lightboard.hub.db import jobs
from lightboard.hub.db.engine import Database, Session
from lightboard.hub.job_lifecycle import Action, Ended
from lightboard.hub.job_queue import next_jobs, queue_messages
from lightboard.hub.resources.jobs import ON_RUNNER, WAITING, Job, JobStatus
from lightboard.hub.resources.presets import Capacity
from lightboard.hub.resources.replicas import STOPPED, Isolation, ReplicaPhase
from lightboard.hub.runners.base import Runner, WorkloadSpec
from lightboard.types import UNREACHABLE

THREADS = 8
SOON_FOR_SECS = 10.0
RETRY_SECS = 5.0
"""After work on a job has failed, for example because a disk was full."""
START_TIMEOUT_SECS = 300.0
"""How long a job may be Starting while the disk of its project does not respond."""


class WorkloadBuilder(Protocol):
    """Builds the workload of the current attempt of a job, as `workloads.Workloads`."""

    def outline(self, job: Job) -> WorkloadSpec:
        """A workload that has the handle and the needs of the complete one. Returns at once."""

    def secret_values(self, session: Session, job: Job) -> dict[str, str]:
        """The values of the secrets of a job, by variable. Raises LaunchError if it cannot have one."""

    def complete(self, job: Job) -> WorkloadSpec:
        """The workload to submit. May take long. Raises LaunchError."""

    def remove(self, job: Job) -> None:
        """Deletes what has been stored for the workloads of a job."""

    def delete_expired(self, now: float) -> None:
        """Deletes what was stored for jobs that exist no more."""


class ImageStates(Protocol):
    """The images of jobs while they are built, as `images.Images`."""

    def building(self, wanted: Iterable[str]) -> frozenset[str]:
        """The names of the images that are not built yet. `wanted` are those of jobs that wait."""

    def failure(self, name: str) -> LaunchError | None:
        """Why jobs cannot have an image that could not be built."""

    def digest(self, name: str) -> str:
        """The digest of the environment that a job gets now which asks for an image, "" for none."""


class NoImages:
    """Those of a hub that builds none."""

    def building(self, wanted: Iterable[str]) -> frozenset[str]:  # noqa: ARG002
        """See ImageStates."""
        return frozenset()

    def failure(self, name: str) -> LaunchError | None:  # noqa: ARG002
        """See ImageStates."""
        return None

    def digest(self, name: str) -> str:  # noqa: ARG002
        """See ImageStates."""
        return ""


class Policy(Protocol):
    """Whether jobs may run, as `job_policy.JobPolicy`."""

    def refusal_for(self, session: Session, owner: str) -> LaunchError | None:
        """Why the jobs of an account (an id) may not start now."""

    def refusal_of(self, session: Session, isolation: Isolation) -> LaunchError | None:
        """Why jobs that run with this isolation may not go on."""


NEVER_STARTED = Ended(reason=STOPPED)

log = logging.getLogger(__name__)


class JobReconciler:
    """Moves the jobs of one runner. `run_pass` returns quickly: calls of the runner that may be slow run in threads.

    `capacity` is what jobs share. `policy` says whether jobs may start and go on. `images` says for which ones jobs
    have to wait.
    `wake` is called when a thread has changed something. `is_any_starting` says whether the next pass should come soon.
    """

    def __init__(
        self,
        database: Database,
        runner: Runner,
        workloads: WorkloadBuilder,
        capacity: Capacity,
        policy: Policy,
        clock: Callable[[], float] = time.time,
        wake: Callable[[], None] = lambda: None,
        images: ImageStates | None = None,
    ) -> None:
        self._database = database
        self._images = images or NoImages()
        self._runner = runner
        self._workloads = workloads
        self._capacity = capacity
        self._policy = policy
        self._clock = clock
        self._wake = wake
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="lightboard-jobs")
        self._busy: dict[str, Future[None]] = {}
        self._stop_requested: set[tuple[str, int]] = set()
        self._retry_at: dict[str, float] = {}
        self.is_any_starting = False

    def step(self, now: float) -> None:
        """Runs one pass and waits for all that it starts."""
        for future in self.run_pass(now):
            future.result()

    def run_pass(self, now: float) -> list["Future[None]"]:
        """Runs one pass and returns the tasks it has started. Raises DatabaseError."""
        with self._database.read() as session:
            found = jobs.active(session, self._runner.name)
            disabled = jobs.disabled_owners(session, found)
            stops = self._stops(session, found)
        if any(job.status in WAITING for job in found):
            found = self._place(now, found, disabled)
        self._busy = {id: future for id, future in self._busy.items() if not future.done()}
        placed = [job for job in found if job.status in ON_RUNNER and job.id not in self._busy]
        self._stop_requested &= {(job.id, job.version) for job in found}
        for id in [id for id, at in list(self._retry_at.items()) if not now < at <= now + RETRY_SECS]:
            del self._retry_at[id]
        observations = self._runner.observe([job.runner_ref for job in placed]) if placed else []
        events = []
        for job, observation in zip(placed, observations, strict=True):
            decision = job_lifecycle.decide(
                job, observation.replicas, now, owner_disabled=job.owner in disabled, stop=stops.get(job.isolation)
            )
            if decision.event is not None:
                events.append((job, decision.event))
            elif decision.action is not Action.NOTHING and self._is_due(job):
                self._busy[job.id] = self._pool.submit(self._act, job.id, decision.action)
        self._apply(events, now)
        self.is_any_starting = any(is_starting(job, now) for job in found)
        return list(self._busy.values())

    def _stops(self, session: Session, found: list[Job]) -> dict[Isolation | None, job_lifecycle.StopRequested]:
        """Why jobs that run may not go on, by isolation: with another account, or after the hub got other flags."""
        running = {job.isolation for job in found if job.status is JobStatus.RUNNING}
        refusals = {each: self._policy.refusal_of(session, each or Isolation.NONE) for each in running}
        return {
            isolation: job_lifecycle.StopRequested(*reason_and_message(refusal))
            for isolation, refusal in refusals.items()
            if refusal
        }

    def _is_due(self, job: Job) -> bool:
        """Whether to work on a job now: not if its end was requested already, or if work on it failed just before."""
        return (job.id, job.version) not in self._stop_requested and job.id not in self._retry_at

    def delete_expired(self, now: float) -> None:
        """Deletes what was stored for jobs that exist no more."""
        self._workloads.delete_expired(now)
        self._runner.delete_expired(now)

    def close(self) -> None:
        """Waits for calls of the runner. Jobs keep running."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    # Waiting jobs

    def _place(self, now: float, found: list[Job], disabled: set[str]) -> list[Job]:
        """Gives free slots to waiting jobs, and ends those that may not wait any longer. Returns all active jobs."""
        waiting = [job for job in found if job.status in WAITING]
        # Once, since a build may end at any time.
        building = self._images.building({job.image for job in waiting if job.image})
        is_any_due = any(self._due_event(job, now, job.owner in disabled) for job in waiting)
        chosen_now = next_jobs(found, self._capacity, now, building)
        if not (is_any_due or chosen_now or self._new_messages(found, building)):
            return found
        with self._database.write() as session:
            jobs.lock_queue(session, self._runner.name)
            found = jobs.active(session, self._runner.name)
            chosen = {job.id: job for job in next_jobs(found, self._capacity, now, building)}
            disabled = jobs.disabled_owners(session, found)
            found = [
                self._place_one(session, job, chosen.get(job.id), now, job.owner in disabled)
                if job.status in WAITING
                else job
                for job in found
            ]
            messages = self._new_messages(found, building)
            return [
                jobs.set_queue_message(session, job, messages[job.id], now) if job.id in messages else job
                for job in found
            ]

    def _due_event(self, job: Job, now: float, owner_disabled: bool) -> job_lifecycle.Event | None:
        """The event that is due for a waiting job without a slot: because of time, or because its image failed."""
        if event := job_lifecycle.due_event(job, now, owner_disabled):
            return event
        failure = None if job.image_digest else self._images.failure(job.image)
        return job_lifecycle.Refused(*reason_and_message(failure)) if failure else None

    def _new_messages(self, found: list[Job], building: frozenset[str]) -> dict[str, str]:
        """What queued jobs wait for, where that is not what has been told."""
        told = {job.id: job.message for job in found}
        messages = queue_messages(found, self._capacity, building)
        return {id: message for id, message in messages.items() if message != told[id]}

    def _place_one(self, session: Session, job: Job, chosen: Job | None, now: float, owner_disabled: bool) -> Job:
        event = self._due_event(job, now, owner_disabled)
        if event is None and chosen:
            event = self._placement_of(session, jobs.get(session, job.id), chosen)
        return job if event is None else jobs.apply_event(session, job, event, now)[0]

    def _placement_of(self, session: Session, job: Job, chosen: Job) -> job_lifecycle.Event:
        try:
            if refusal := self._policy.refusal_for(session, job.owner):
                raise refusal
            self._workloads.secret_values(session, job)
            outline = self._workloads.outline(replace(job, attempt=job.attempt + 1))
            digest = job.image_digest or self._images.digest(job.image)
            return job_lifecycle.Placed(self._runner.validate(outline), chosen.cpu_ids, chosen.gpu_ids, digest)
        except LightboardError as error:
            return job_lifecycle.Refused(*reason_and_message(error))

    # Jobs on the runner

    def _act(self, id: str, action: Action) -> None:
        try:
            with self._database.read() as session:
                job = jobs.get(session, id)
            match action:
                case Action.SUBMIT:
                    self._submit(job)
                case Action.STOP:
                    self._stop(job)
                case Action.REMOVE:
                    self._remove(job)
                case Action.NOTHING:
                    pass
        except Exception as error:  # repeated later; other jobs are not affected
            self._retry_at[id] = self._clock() + RETRY_SECS
            if isinstance(error, LightboardError):
                log.warning("work on %s failed: %s", id, error.message)
            else:
                log.exception("work on %s failed", id)
        else:
            self._wake()

    def _submit(self, job: Job) -> None:
        try:
            with self._database.read() as session:
                if refusal := self._policy.refusal_for(
                    session, job.owner
                ):  # the hub may have been started with other flags
                    raise refusal
            self._runner.submit(self._workloads.complete(job))
        except LaunchError as error:
            if error.reason == UNREACHABLE and self._clock() < job.status_since + START_TIMEOUT_SECS:
                raise  # its disk may be back soon
            reason, message = reason_and_message(error)
            self._stop(job, Ended(reason=reason, message=message))

    def _stop(self, job: Job, otherwise: Ended = NEVER_STARTED) -> None:
        """Requests the end of a job, and applies it if nothing runs: `otherwise` if nothing was ever started."""
        self._runner.stop(job.runner_ref, job.grace_secs)
        # A replica that is absent now will never run, since its end has been requested.
        replicas = self._runner.observe([job.runner_ref])[0].replicas
        if any(replica.phase not in (ReplicaPhase.ENDED, ReplicaPhase.ABSENT) for replica in replicas):
            self._stop_requested.add((job.id, job.version))
            return
        ended = [replica for replica in replicas if replica.phase is ReplicaPhase.ENDED]
        self._apply([(job, job_lifecycle.end_of(ended) if ended else otherwise)], self._clock())

    def _remove(self, job: Job) -> None:
        for attempt in range(1, job.attempt + 1):
            self._runner.delete(self._runner.validate(self._workloads.outline(replace(job, attempt=attempt))))
        self._workloads.remove(job)
        self._apply([(job, job_lifecycle.Removed())], self._clock())

    def _apply(self, events: list[tuple[Job, job_lifecycle.Event]], now: float) -> None:
        if events:
            with self._database.write() as session:
                for job, event in events:
                    jobs.apply_event(session, job, event, now)


def is_starting(job: Job, now: float) -> bool:
    """Whether a job may run at any moment, with a user waiting for it."""
    return job.status is JobStatus.STARTING and now - job.status_since < SOON_FOR_SECS


def reason_and_message(error: LightboardError) -> tuple[str, str]:
    """An error as the reason and message of a status."""
    reason = error.reason if isinstance(error, LaunchError) else "Error"
    return reason, f"{error.message}; {error.hint}" if error.hint else error.message
