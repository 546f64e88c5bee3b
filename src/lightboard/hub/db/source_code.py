"""Source code that accounts have uploaded to projects, for jobs."""

from collections.abc import Iterable, Sequence

from sqlalchemy import delete, exists, func, select, tuple_
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, NotFound
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import record, values
from lightboard.hub.db.tables import JobRow, SourceCodeRow
from lightboard.hub.resources.jobs import Job, JobStatus
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.source_code import SourceCode
from lightboard.sizes import size_text

MAX_STORED_BYTES = 4_000_000_000
"""Of the archives of an account, as they are stored."""
KEEP_UNUSED_SECS = 86_400.0
"""How long source code is kept that no job uses."""


def check_limit(session: Session, account: str, more_bytes: int = 0) -> None:
    """Raises Conflict if the archives of an account, with so many bytes more, exceed their limit."""
    query = select(func.sum(SourceCodeRow.packed_bytes)).where(SourceCodeRow.owner == account)
    if (session.scalar(query) or 0) + more_bytes > MAX_STORED_BYTES:
        raise Conflict(
            f"the source code of all jobs of this account has more than {size_text(MAX_STORED_BYTES)}",
            hint="delete jobs; source code that no job uses is deleted after a day",
        )


def put(session: Session, new: SourceCode) -> None:
    """Stores what is known of an archive. If it was known, it stays its first owner's.

    Raises Conflict beyond the limit of the account.
    """
    lock(session, f"source code {new.owner}")
    row = session.get(SourceCodeRow, (new.project, new.digest))
    if row is None:
        check_limit(session, new.owner, new.packed_bytes)
        session.add(SourceCodeRow(**values(new)))
    else:
        row.packed_bytes, row.uploaded_at = new.packed_bytes, new.uploaded_at
    session.flush()


def use(session: Session, project: Project, digest: str, at: float) -> SourceCode:
    """The same as `get`, for a job that is about to use it: it is kept for another day.

    Nobody deletes it before this transaction ends, whatever becomes of the other jobs that use it.
    """
    row = session.get(SourceCodeRow, (project.id, digest), with_for_update=True)
    if row is not None:
        row.uploaded_at = at
        session.flush()
    return get(session, project, digest)


def get(session: Session, project: Project, digest: str) -> SourceCode:
    """The source code with a digest in a project. Raises NotFound if nobody has uploaded it there."""
    row = session.get(SourceCodeRow, (project.id, digest))
    if row is None:
        raise NotFound(
            f"the project {project.name} has no source code {digest[:12]}", hint="upload it to this project first"
        )
    return record(SourceCode, row)


def of_jobs(session: Session, found: Iterable[Job]) -> dict[tuple[str, str], SourceCode]:
    """The source code of jobs, by project and digest."""
    keys = {(job.project, job.source_code) for job in found if job.source_code}
    if not keys:
        return {}
    rows = session.scalars(
        select(SourceCodeRow).where(tuple_(SourceCodeRow.project, SourceCodeRow.digest).in_(sorted(keys)))
    )
    return {(row.project, row.digest): record(SourceCode, row) for row in rows}


def delete_unused(session: Session, now: float) -> None:
    """Deletes what was uploaded some time ago and no job uses."""
    used = exists().where(
        JobRow.project == SourceCodeRow.project,
        JobRow.source_code == SourceCodeRow.digest,
        JobRow.status != JobStatus.DELETED,
    )
    session.execute(delete(SourceCodeRow).where(SourceCodeRow.uploaded_at < now - KEEP_UNUSED_SECS, ~used))


def digests(session: Session) -> Sequence[str]:
    """The digests of all source code that is in use or was uploaded recently."""
    return session.scalars(select(SourceCodeRow.digest).distinct()).all()
