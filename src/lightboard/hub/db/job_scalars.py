"""The scalars of jobs in the database. No rights are checked here: callers have found the jobs by `job_access`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select
from sqlalchemy.orm import Session

from lightboard.hub.db.tables import JobRow, JobScalarLogRow, JobScalarRow
from lightboard.hub.resources.job_scalars import (
    MAX_SAMPLES,
    Reading,
    SavedFile,
    SavedLog,
    ScalarSeries,
    current,
    pack,
    thin,
    unpack,
)
from lightboard.hub.resources.jobs import ON_RUNNER, RESTING, WAITING, JobKind, JobStatus

MAX_BACKLOG = 1_000
"""Ended jobs whose logs are read after a start of the hub; of more, the newest."""
GONE = (JobStatus.DELETING, JobStatus.DELETED)


class Progress(NamedTuple):
    """A job as far as its scalars are concerned: `read_attempt` is the attempt after whose end all was read."""

    id: str
    status: JobStatus
    attempt: int
    read_attempt: int


class LogState(NamedTuple):
    """What is known of the logs of a job; `read_at` is None before they were first read."""

    read_at: float | None = None
    limited: bool = False
    behind: bool = False
    message: str = ""


def unfinished(session: Session) -> list[Progress]:
    """The jobs that have started and whose logs are not completely read."""
    moving = _progress(session, JobRow.status.in_(ON_RUNNER | WAITING))
    return [*moving, *_progress(session, JobRow.status.in_(RESTING), limit=MAX_BACKLOG)]


def progress_of(session: Session, ids: Collection[str]) -> list[Progress]:
    """The progress of those of the jobs that have started, also if all is read."""
    return _progress(session, JobRow.id.in_(ids), also_read=True)


def _progress(
    session: Session, which: ColumnElement[bool], *, also_read: bool = False, limit: int | None = None
) -> list[Progress]:
    read = JobScalarLogRow.read_attempt
    query = select(JobRow.id, JobRow.status, JobRow.attempt, read).outerjoin(
        JobScalarLogRow, JobScalarLogRow.job == JobRow.id
    )
    query = query.where(which, JobRow.kind == JobKind.JOB, JobRow.attempt > 0)
    if not also_read:
        query = query.where((read.is_(None)) | (read != JobRow.attempt))
    rows = session.execute(query.order_by(JobRow.created_at.desc()).limit(limit))
    return [Progress(id, status, attempt, done or 0) for id, status, attempt, done in rows]


def load(session: Session, job: str) -> SavedLog:
    """What was read of the logs of a job."""
    row = session.get(JobScalarLogRow, job)
    if row is None:
        return SavedLog()
    files = {path: SavedFile(*state) for path, state in row.files.items()}
    return SavedLog(files=files, series=of_job(session, job), limited=row.limited, total=row.total)


def store(session: Session, job: str, reading: Reading, at: float, *, read_attempt: int = 0) -> None:
    """Stores what was read, unless the job is deleted. With a `read_attempt`, all of that attempt was read."""
    row = _log_row(session, job)
    if row is None:
        return
    if reading.files is not None:
        row.files = {path: list(state) for path, state in reading.files.items()}
    row.total, row.limited, row.behind, row.message = reading.total, reading.limited, reading.more, ""
    row.read_at, row.read_attempt = at, read_attempt or row.read_attempt
    replaced = [*reading.removed, *(each.position for each in reading.changed)]
    if replaced:
        session.execute(delete(JobScalarRow).where(JobScalarRow.job == job, JobScalarRow.position.in_(replaced)))
    if reading.changed:
        session.execute(insert(JobScalarRow), [_values_of(job, each) for each in reading.changed])


def store_failure(session: Session, job: str, message: str, at: float) -> None:
    """Stores why the logs of a job could not be read, which are not complete then."""
    row = _log_row(session, job)
    if row is not None:
        row.message, row.read_at = message, at


def _log_row(session: Session, job: str) -> JobScalarLogRow | None:
    status = session.scalar(select(JobRow.status).where(JobRow.id == job))
    if status is None or status in GONE:
        return None
    row = session.get(JobScalarLogRow, job)
    if row is None:
        row = JobScalarLogRow(
            job=job, files={}, total=0, limited=False, behind=False, message="", read_at=0.0, read_attempt=0
        )
        session.add(row)
    return row


def _values_of(job: str, series: ScalarSeries) -> dict[str, Any]:
    return {
        "job": job,
        "position": series.position,
        "run": series.run,
        "tag": series.tag,
        "name": series.name,
        "count": series.count,
        "stride": series.stride,
        "samples": pack(series.samples),
        "last": pack([series.last] if series.last else []),
    }


def _series_of(row: JobScalarRow, limit: int = MAX_SAMPLES) -> ScalarSeries:
    last = unpack(row.last)
    return ScalarSeries(
        run=row.run,
        tag=row.tag,
        position=row.position,
        count=row.count,
        stride=row.stride,
        samples=unpack(thin(row.samples, limit)),
        last=last[0] if last else None,
    )


def of_job(session: Session, job: str) -> list[ScalarSeries]:
    """The scalars of a job in the order of their appearance."""
    rows = session.scalars(select(JobScalarRow).where(JobScalarRow.job == job).order_by(JobScalarRow.position))
    return [_series_of(row) for row in rows]


def log_state(session: Session, job: str) -> LogState:
    """What is known of the logs of a job."""
    row = session.get(JobScalarLogRow, job)
    return LogState() if row is None else LogState(row.read_at, row.limited, row.behind, row.message)


def name_counts(session: Session, jobs: Collection[str]) -> tuple[dict[str, int], int]:
    """How many of the jobs have each metric, and how many have any."""
    number, among = func.count(JobScalarRow.job.distinct()), JobScalarRow.job.in_(jobs)
    counts = session.execute(select(JobScalarRow.name, number.label("jobs")).where(among).group_by(JobScalarRow.name))
    return {row.name: row.jobs for row in counts}, session.scalar(select(number).where(among)) or 0


def of_jobs(
    session: Session, jobs: Collection[str], names: Sequence[str], limit: int = MAX_SAMPLES
) -> Mapping[str, list[ScalarSeries]]:
    """The metrics of these names by job, each in the order of `names`, with at most `limit` samples.

    Of attempts and replicas, they are as `current`.
    """
    found: dict[str, list[ScalarSeries]] = {}
    where = JobScalarRow.job.in_(jobs), JobScalarRow.name.in_(names)
    for row in session.scalars(select(JobScalarRow).where(*where)) if names else ():
        found.setdefault(row.job, []).append(_series_of(row, limit))
    return {job: _in_order(series, names) for job, series in found.items()}


def _in_order(series: Iterable[ScalarSeries], names: Sequence[str]) -> list[ScalarSeries]:
    by_name = current(series)
    return [by_name[name] for name in names if name in by_name]


def remove(session: Session, job: str) -> None:
    """Deletes the scalars of a job."""
    for table in (JobScalarRow, JobScalarLogRow):
        session.execute(delete(table).where(table.job == job))
