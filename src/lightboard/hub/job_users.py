"""The system user of a job: that of its account, in the group of its project."""

from collections.abc import Callable

from lightboard.hub.db import job_users
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.jobs import Job
from lightboard.hub.runners.base import SystemIdentity


class JobUsers:
    """Gives each account and project one of `ids` for good, except the first one, which is the group of all jobs.

    `is_taken` says whether somebody else of the machine has an id.
    """

    def __init__(self, database: Database, ids: range, is_taken: Callable[[int], bool]) -> None:
        self._database = database
        self._ids = ids[1:]
        self._is_taken = is_taken

    def of(self, job: Job) -> SystemIdentity:
        """The user of a job. Raises LaunchError if all ids have been given."""
        with self._database.write() as session:
            user, group = (
                job_users.take(session, owner, self._ids, self._is_taken) for owner in (job.owner, job.project)
            )
        return SystemIdentity(user, group)
