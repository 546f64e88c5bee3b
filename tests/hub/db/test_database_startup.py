"""Starting while the database is busy or unreachable."""

import contextlib

import pytest
from sqlalchemy import text

from lightboard.errors import DatabaseError, DatabaseUnreachable
from lightboard.hub.db import engine, migrate
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.db.retry import DELAYS_SECS, retry_until_available


def test_waiting_is_reported_once() -> None:
    """Retries back off up to two seconds."""
    said: list[str] = []
    pauses: list[float] = []

    def answer() -> str:
        if len(pauses) < 6:
            raise DatabaseUnreachable("it is away", hint="see that it runs")
        return "there"

    assert retry_until_available(answer, said.append, pauses.append) == "there"
    assert (said, pauses) == (["waiting: it is away; see that it runs"], [*DELAYS_SECS, 2.0, 2.0])


def test_permanent_errors_are_raised_immediately() -> None:
    """Such as a foreign database."""
    pauses: list[float] = []

    def refuse() -> None:
        raise DatabaseError("it holds something else")

    with pytest.raises(DatabaseError, match="something else"):
        retry_until_available(refuse, lambda _line: None, pauses.append)
    assert pauses == []


def test_a_locked_database_is_retried(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For example while another replica migrates it."""
    monkeypatch.setattr(engine, "BUSY_SECS", 0.05)
    said: list[str] = []
    with contextlib.ExitStack() as other, contextlib.closing(open_database(database_url)) as mine:
        session = other.enter_context(database.write())
        session.execute(text(f"SELECT pg_advisory_xact_lock({migrate.LOCK})" if database.postgresql else "SELECT 1"))
        retry_until_available(mine.migrate, said.append, lambda _secs: other.close())

    assert said == ["waiting: the database is busy; try again in a moment"]
