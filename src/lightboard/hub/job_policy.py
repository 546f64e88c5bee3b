"""Whether jobs may run on a hub at all.

A job that nothing isolates runs as the user of the hub, so it can read everything that the hub can. That is right on a
hub of one account. On one of several, whoever starts the hub has to say that all who may run jobs are trusted with the
rest; otherwise none starts, and those that run are stopped.
"""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from lightboard.errors import LaunchError
from lightboard.hub.access import Permission
from lightboard.hub.db import accounts, permissions
from lightboard.hub.resources.replicas import Isolation, Limits

UNAVAILABLE, NOT_TRUSTED, NOT_PERMITTED = "JobsUnavailable", "JobsNotTrusted", "JobsNotPermitted"

SUMMARY = {
    Isolation.NONE: "not isolated",
    Isolation.PROCESS: "isolated by system users (process)",
    Isolation.KERNEL: "isolated by the kernel",
}


@dataclass(frozen=True)
class JobPolicy:
    """`unavailable` says why there is no runner, "" if there is one. `trusted`: several accounts are no reason.

    `isolation` is that of new jobs, and `isolation_problem` why there is none, "" if there is. `limits` says what
    enforces their limits. `place` is where they run, "" for the machine of the hub.
    """

    unavailable: str = ""
    trusted: bool = False
    isolation: Isolation = Isolation.NONE
    isolation_problem: str = ""
    limits: Limits = Limits.WATCHING
    place: str = ""

    @property
    def summary(self) -> str:
        """What jobs of this hub can do to it, in a line."""
        if self.unavailable:
            return "jobs: unavailable"
        place = f"on {self.place}, " if self.place else ""
        isolation = SUMMARY[self.isolation]
        limits = "control groups" if self.limits is Limits.CGROUP else "watching"
        return f"jobs: {place}{isolation}, limited by {limits}"

    def refusal(self, session: Session) -> LaunchError | None:
        """Why no job may start now, as an error; None if jobs may."""
        if self.unavailable:
            return LaunchError(f"this hub runs no jobs: {self.unavailable}", reason=UNAVAILABLE)
        return self.refusal_of(session, self.isolation)

    def refusal_of(self, session: Session, isolation: Isolation) -> LaunchError | None:
        """Why no job with this isolation may start or go on; None if such jobs may."""
        if isolation is not Isolation.NONE or self.trusted or accounts.count(session) <= 1:
            return None
        if self.isolation is not Isolation.NONE:  # it was started before the hub had this isolation
            return LaunchError(
                "the hub has several accounts, and this job could read the data of all",
                reason=NOT_TRUSTED,
                hint="start it again: it will be isolated",
            )
        return LaunchError(
            "this hub runs no jobs, because it has several accounts and jobs could read the data of all",
            reason=NOT_TRUSTED,
            hint=f"jobs are not isolated: {self.isolation_problem}. Change that, or start the hub with "
            "--trust-jobs if everybody who may run jobs is trusted with that",
        )

    def refusal_for(self, session: Session, owner: str) -> LaunchError | None:
        """Why no job of an account (an id) may start now; also if it has lost its permission since it created one."""
        if refusal := self.refusal(session):
            return refusal
        if not permissions.is_permitted(session, owner, Permission.RUN_JOBS):
            error = permissions.refusal([Permission.RUN_JOBS], "the owner of this job")
            return LaunchError(error.message, reason=NOT_PERMITTED, hint=error.hint)
        return None
