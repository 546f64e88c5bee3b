"""Changes of jobs and notebooks since a cursor, as one principal may see them."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from lightboard.hub.access import Principal
from lightboard.hub.db import changes, job_access, jobs
from lightboard.hub.db.records import record
from lightboard.hub.db.tables import JobRow
from lightboard.hub.resources.jobs import Job, JobKind


def changes_after(
    session: Session, principal: Principal, cursor: int, kinds: Collection[JobKind]
) -> tuple[list[Job], int]:
    """The jobs of these kinds that have changed after a cursor, if the principal sees them, and the next cursor.

    Each is listed once, in its current state, which may be Deleted. `changes.latest` gives the first cursor.
    """
    found, cursor = changes.after(session, jobs.KIND, cursor)
    changed = (JobRow.id.in_([change.target for change in found]), JobRow.kind.in_(kinds))
    rows = session.scalars(select(JobRow).where(*changed, *job_access.visible(principal)).order_by(JobRow.id))
    return [record(Job, row) for row in rows], cursor
