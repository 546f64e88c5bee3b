"""What a start does while the database is busy or away: it waits for what passes, and for nothing else."""

import contextlib

import pytest
from sqlalchemy import text

from lightboard.errors import DatabaseError, DatabaseUnreachable
from lightboard.hub.db import engine, migrate
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.db.retry import DELAYS_SECS, retry_until_available


def test_it_says_once_why_it_waits() -> None:
    """And asks ever more rarely, though never more than two seconds apart."""
    said: list[str] = []
    pauses: list[float] = []

    def answer() -> str:
        if len(pauses) < 6:
            raise DatabaseUnreachable("it is away", hint="see that it runs")
        return "there"

    assert retry_until_available(answer, said.append, pauses.append) == "there"
    assert (said, pauses) == (["waiting: it is away; see that it runs"], [*DELAYS_SECS, 2.0, 2.0])


def test_what_waiting_does_not_help_is_told_at_once() -> None:
    """As that the database is another program's."""
    pauses: list[float] = []

    def refuse() -> None:
        raise DatabaseError("it holds something else")

    with pytest.raises(DatabaseError, match="something else"):
        retry_until_available(refuse, lambda _line: None, pauses.append)
    assert pauses == []


def test_one_that_is_busy_is_waited_for(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where another replica brings the tables to a newer form, and takes its time."""
    monkeypatch.setattr(engine, "BUSY_SECS", 0.05)
    said: list[str] = []
    with contextlib.ExitStack() as other, contextlib.closing(open_database(database_url)) as mine:
        session = other.enter_context(database.write())
        session.execute(text(f"SELECT pg_advisory_xact_lock({migrate.LOCK})" if database.postgresql else "SELECT 1"))
        retry_until_available(mine.migrate, said.append, lambda _secs: other.close())

    assert said == ["waiting: the database is busy; try again in a moment"]
