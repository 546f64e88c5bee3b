"""Jobs in the database. Used by the hub itself: no rights are checked here, but in `job_access`."""

import functools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, or_, select
from sqlalchemy.orm import Session

from lightboard.hub import job_lifecycle
from lightboard.hub.access import HUB, Principal
from lightboard.hub.db import attempts, changes, job_scalars
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import field_names, fill, record, values
from lightboard.hub.db.tables import AccountRow, JobRow, JobTransitionRow
from lightboard.hub.resources.jobs import NOT_ENDED, ON_RUNNER, WAITING, Job, JobKind, JobStatus, JobTransition

KIND = "job"
MAX_SOUGHT = 10_000
LARGE = ("command", "environment", "hyperparameters", "inputs", "labels", "secrets", "tags", "volumes")
SMALL = tuple(name for name in field_names(Job) if name not in LARGE)
IN_QUEUE = (
    *("id", "kind", "name", "display_name", "project", "owner", "status", "reason", "message", "status_since"),
    *("queued_at", "priority", "replicas", "preset", "cpus", "memory_bytes", "preset_memory_bytes", "gpus", "gpu_ids"),
)
"""What is told of a job in the queue, and what its place depends on."""


def insert(session: Session, principal: Principal, job: Job) -> None:
    """Stores a new job with the first entry of its history."""
    session.add(JobRow(**values(job), sought=sought_text(job)))
    session.flush()
    record_transition(session, principal, job)


def sought_text(job: Job) -> str:
    """What lists are searched in, in one letter case."""
    texts = [job.display_name, job.name, *job.command, *job.labels.values(), *job.tags]
    return "\n".join(texts)[:MAX_SOUGHT].casefold()


def get_unchecked(session: Session, id: str) -> Job | None:
    """The job with this id."""
    row = session.get(JobRow, id)
    return record(Job, row) if row else None


def get(session: Session, id: str) -> Job:
    """The job with this id, which must exist."""
    return record(Job, session.get_one(JobRow, id))


def active(session: Session, runner: str, fields: tuple[str, ...] = SMALL) -> list[Job]:
    """The jobs of a runner that wait or may have processes, oldest first, with these fields alone.

    Those of other runners are among them if they are to be deleted and have no processes: what is stored about them is
    in the folders that all runners of a hub share.

    It is read in every pass, for a thousand jobs of each account.
    """
    rows = session.execute(active_query(fields), {"runner": runner}).mappings()
    return [Job(**row, command=()) for row in rows]


@functools.cache
def active_query(fields: tuple[str, ...]) -> Select[Any]:
    """The query of `active`, which costs more to build than to execute."""
    query = select(*(getattr(JobRow, name) for name in fields))
    own = JobRow.runner.in_(("", bindparam("runner")))
    without_processes = and_(JobRow.status == JobStatus.DELETING, JobRow.ended_at.is_not(None))
    query = query.where(JobRow.status.in_(WAITING | ON_RUNNER), or_(own, without_processes))
    return query.order_by(JobRow.created_at, JobRow.id)


def with_idle_stop(session: Session, runner: str) -> list[Job]:
    """The notebooks of a runner that run, and are stopped when they are not used."""
    running = (JobRow.status == JobStatus.RUNNING, JobRow.kind == JobKind.NOTEBOOK, JobRow.idle_secs > 0)
    query = select(JobRow).where(*running, JobRow.runner == runner).order_by(JobRow.id)
    return [record(Job, row) for row in session.scalars(query)]


def disabled_owners(session: Session, found: Iterable[Job]) -> set[str]:
    """Those owners of jobs whose accounts are disabled."""
    owners = {job.owner for job in found}
    if not owners:  # as in most passes
        return set()
    return set(session.scalars(select(AccountRow.id).where(AccountRow.id.in_(owners), AccountRow.disabled)))


def delete_expired(session: Session, deleted_before: float) -> None:
    """Deletes jobs, with their history, that users have deleted before this time."""
    gone = JobRow.status == JobStatus.DELETED
    session.execute(delete(JobRow).where(gone, JobRow.status_since < deleted_before))
    attempts.delete_unused_packages(session)


def with_outputs(session: Session, outputs: Iterable[str]) -> list[Job]:
    """The jobs of all projects with one of these folders of outputs, newest first; deleted ones follow the others."""
    order = (JobRow.status == JobStatus.DELETED, JobRow.created_at.desc())
    rows = session.scalars(select(JobRow).where(JobRow.output.in_(sorted(outputs))).order_by(*order))
    return [record(Job, row) for row in rows]


def repeats(session: Session, job: str) -> list[Job]:
    """The jobs that were made by running this one (an id) again, oldest first."""
    query = select(JobRow).where(JobRow.repeat_of == job, JobRow.status != JobStatus.DELETED)
    return [record(Job, row) for row in session.scalars(query.order_by(JobRow.created_at))]


def image_digests(session: Session) -> set[str]:
    """The digests of the environments that jobs have which have not ended."""
    return set(
        session.scalars(
            select(JobRow.image_digest).where(JobRow.status.in_(NOT_ENDED), JobRow.image_digest != "").distinct()
        )
    )


def images_of_waiting(session: Session) -> set[str]:
    """The names of the images of jobs that wait, and get an environment only when they start."""
    return set(session.scalars(select(JobRow.image).where(JobRow.status.in_(WAITING), JobRow.image != "").distinct()))


def of_project(session: Session, project: str) -> list[Job]:
    """The jobs of a project (an id)."""
    return [record(Job, row) for row in session.scalars(select(JobRow).where(JobRow.project == project))]


def lock_queue(session: Session, runner: str) -> None:
    """Keeps others from giving slots of a runner to jobs until this transaction ends."""
    lock(session, f"job queue {runner}")


def apply_event(
    session: Session, before: Job, event: job_lifecycle.Event, at: float, principal: Principal = HUB
) -> tuple[Job, bool]:
    """Applies an event that was observed on `before`. Returns the job and whether the event was applied.

    It is ignored if the job has another status or attempt by now.
    """
    row = session.get_one(JobRow, before.id, with_for_update=True, populate_existing=True)
    now = record(Job, row)
    if (now.status, now.status_since, now.attempt) != (before.status, before.status_since, before.attempt):
        return now, False
    after = job_lifecycle.apply(now, event, max(at, now.status_since))  # clocks differ, but history must not go back
    if after is now:
        return now, False
    fill(row, after)
    if after.status is JobStatus.DELETED:
        job_scalars.remove(session, after.id)
    record_transition(session, principal, after)
    session.flush()
    return after, True


def update(session: Session, job: Job) -> None:
    """Stores settings that a user has changed, and notifies subscribers. The status stays, and so does the history."""
    row = session.get_one(JobRow, job.id)
    fill(row, job)
    row.sought = sought_text(job)
    changes.note(session, changes.Change(KIND, job.id), job.updated_at)
    session.flush()


def set_queue_message(session: Session, job: Job, message: str, at: float) -> Job:
    """Tells what a queued job waits for. Its version stays the same: nobody has changed it."""
    row = session.get_one(JobRow, job.id, with_for_update=True, populate_existing=True)
    if row.status is JobStatus.QUEUED and row.message != message:
        row.message = message
        changes.note(session, changes.Change(KIND, job.id), at)
    return replace(job, message=message)


def history(session: Session, id: str) -> list[JobTransition]:
    """The history of a job, oldest first."""
    rows = session.scalars(select(JobTransitionRow).where(JobTransitionRow.job == id).order_by(JobTransitionRow.id))
    return [record(JobTransition, row) for row in rows]


def record_transition(session: Session, principal: Principal, job: Job) -> None:
    """Adds a history entry for the current status and notifies subscribers."""
    step = job_lifecycle.transition_of(job, principal.account)
    session.add(JobTransitionRow(job=job.id, **values(step)))
    changes.note(session, changes.Change(KIND, job.id), job.updated_at)
