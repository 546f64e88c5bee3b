"""The numbers of system users of accounts and groups of projects."""

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.db import job_users
from lightboard.hub.db.engine import Database

NUMBERS = range(200, 203)


def take(database: Database, owner: str, numbers: range = NUMBERS, taken: frozenset[int] = frozenset()) -> int:
    """The number of an owner."""
    with database.write() as session:
        return job_users.take(session, owner, numbers, taken.__contains__)


def test_each_owner_has_a_number_for_good(database: Database) -> None:
    """The first one that is free, neither given nor somebody else's."""
    given = [take(database, owner, taken=frozenset({201})) for owner in ("acc-a", "prj-a", "acc-a")]

    assert given == [200, 202, 200]


def test_when_all_are_given_the_range_has_to_be_extended(database: Database) -> None:
    """To either side; and a range without one that was given is refused, since there are files of that."""
    for owner in ("a", "b", "c"):
        take(database, owner)
    told = []
    for owner, numbers in (("d", NUMBERS), ("a", range(300, 400))):
        with pytest.raises(LaunchError) as raised:
            take(database, owner, numbers)
        told.append((raised.value.message, raised.value.hint))

    assert told == [
        ("all of the 3 system users and groups of jobs have been given to accounts and projects", job_users.HINT),
        ("the system user or group 200, whose files are there, is not in the range of this hub", job_users.HINT),
    ]
    assert take(database, "d", range(190, 203)) == 190
