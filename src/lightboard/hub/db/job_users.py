"""The numbers of system users and groups as whom jobs run: one for each account, and one for each project.

A number is given once and kept for good, also when its account or project is gone: there may be files that belong to
it, in folders which the hub does not know.
"""

from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.orm import Session

from lightboard.errors import LaunchError
from lightboard.hub.db.locks import lock
from lightboard.hub.db.tables import SystemIdRow
from lightboard.hub.resources.replicas import START_FAILED

HINT = "start the hub with a larger range, --job-users"


def take(session: Session, owner: str, numbers: range, is_taken: Callable[[int], bool]) -> int:
    """The number of an account or project (an id), one of `numbers`. It gets one now if it has none.

    Numbers are passed over that somebody else of the machine has, as `is_taken` says. Of concurrent callers, one gives
    it. Raises LaunchError if there is none left, or it has one that is not among them.
    """
    lock(session, "job users")
    number = session.scalar(select(SystemIdRow.number).where(SystemIdRow.owner == owner))
    if number is None:
        given = set(session.scalars(select(SystemIdRow.number)))
        number = next((each for each in numbers if each not in given and not is_taken(each)), None)
        if number is None:
            raise LaunchError(
                f"all of the {len(numbers)} system users and groups of jobs have been given to accounts and projects",
                reason=START_FAILED,
                hint=HINT,
            )
        session.add(SystemIdRow(number=number, owner=owner))
        session.flush()
    if number not in numbers:
        raise LaunchError(
            f"the system user or group {number}, whose files are there, is not in the range of this hub",
            reason=START_FAILED,
            hint=HINT,
        )
    return number
