"""The way into the database: transactions that read, transactions that write, and what goes wrong said plainly.

Readers see one moment throughout. Writers on SQLite come one after another (BEGIN IMMEDIATE); on PostgreSQL they lock
the rows they decide by. Everything here blocks: it is called from threads, never from an event loop.
"""

import logging
import math
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from lightboard.errors import (
    Conflict,
    DatabaseBusy,
    DatabaseError,
    DatabaseUnreachable,
    LightboardError,
    UsageError,
)
from lightboard.hub.db import changes, settings

__all__ = ["Database", "Session", "open_database"]

BUSY_SECS = 10.0
"""How long one writer waits for another before it is told that the database is busy."""
POOL, OVERFLOW = 10, 30
CHECK_SETTING = "checked"
SCHEMES = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""A server whose machine vanished is noticed within half a minute, not when TCP gives up; the last in milliseconds."""
AGAIN = {"40001", "40P01", "55P03"}
"""What PostgreSQL says where two transactions were in each other's way: nothing happened, and once more it may."""

log = logging.getLogger(__name__)


def open_database(url: str) -> "Database":
    """The database at `sqlite:///file` or `postgresql://...`. Connects only when it is used.

    Raises UsageError for an address that is neither.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError("the database's address makes no sense", hint=HINT) from None
    parsed = parsed.set(drivername=SCHEMES.get(parsed.drivername, parsed.drivername))
    if parsed.drivername == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return Database(sqlite_engine(parsed))
    if parsed.drivername == "postgresql+psycopg":
        return Database(postgresql_engine(parsed))
    raise UsageError(f"no database can be had at {parsed.render_as_string()}", hint=HINT)


HINT = "give sqlite:////whole/path/hub.sqlite3, or postgresql://user:password@host/name"


def sqlite_engine(url: URL) -> Engine:
    """Ahead-written log, foreign keys, every commit on the disk, and transactions begun by us."""
    engine = create_engine(url, pool_size=POOL, max_overflow=OVERFLOW, connect_args={"timeout": BUSY_SECS})

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions too late, and never for DDL
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("writes", True)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def postgresql_engine(url: URL) -> Engine:
    """Waits for locks as long as SQLite does, and lets no dead program hold them; notices a server that is gone."""
    options = f"-c lock_timeout={BUSY_SECS * 1000:.0f}ms -c idle_in_transaction_session_timeout=60s -c timezone=UTC"
    return create_engine(
        url,
        pool_size=POOL,
        max_overflow=OVERFLOW,
        pool_pre_ping=True,
        connect_args={
            "options": options,
            "connect_timeout": math.ceil(BUSY_SECS),
            "application_name": "lightboard-hub",
            **KEEPALIVE,
        },
    )


class Database:
    """One database. `listeners` are told, by the thread that wrote, of each commit that changed something."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.listeners: list[Callable[[changes.Commit], None]] = []
        reading = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True} if self.postgresql else {}
        self._reader = engine.execution_options(writes=False, **reading)

    @property
    def postgresql(self) -> bool:
        """Whether several replicas may share it."""
        return self.engine.dialect.name == "postgresql"

    @property
    def file(self) -> str:
        """The path of an SQLite database, "" for another."""
        return "" if self.postgresql else str(self.engine.url.database)

    @property
    def shown(self) -> str:
        """Its address without the password."""
        return self.engine.url.render_as_string()

    @contextmanager
    def write(self, address: str = "") -> Iterator[Session]:
        """A transaction that is committed at the end, or as if it had never been. `address` is for the audit.

        Raises Conflict where another change came first, DatabaseError where the database is busy, away or broken.
        """
        with _plainly(), Session(self.engine) as session:
            session.info["address"] = address
            yield session
            commit = changes.write(session)
            session.commit()
        if commit.changed:
            self._tell(commit)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A look at one moment. Raises DatabaseError where the database is away or broken."""
        with _plainly(), Session(self._reader, autoflush=False) as session:
            yield session

    def _tell(self, commit: changes.Commit) -> None:
        """One listener that fails does not keep the others from knowing."""
        for listener in self.listeners:
            try:
                listener(commit)
            except Exception:
                log.exception("a listener for changes failed")

    def check(self) -> None:
        """Raises DatabaseError unless it answers, has the tables of this program, and keeps what is written.

        Writes and commits: a full disk is not noticed before.
        """
        from lightboard.hub.db.migrate import check_current

        with _plainly(), self._reader.connect() as connection:
            check_current(connection)
        with self.write() as session:
            settings.put(session, CHECK_SETTING, secrets.token_hex(8))

    def migrate(self) -> None:
        """Brings the tables to what this program needs: wholly, or not at all.

        Raises DatabaseError for a database that is newer than the program, not the hub's, damaged or away.
        """
        from lightboard.hub.db.migrate import upgrade

        with _plainly(), self.engine.begin() as connection:
            upgrade(connection)

    def close(self) -> None:
        """Lets go of every connection."""
        self.engine.dispose()


@contextmanager
def _plainly() -> Iterator[None]:
    """What the library raises, in the words of `errors`; no statement, value or address gets into a message."""
    try:
        yield
    except LightboardError:
        raise
    except SQLAlchemyError as error:
        _explain(error)


def _explain(error: SQLAlchemyError) -> NoReturn:
    cause = error.orig if isinstance(error, StatementError) else None
    if isinstance(cause, LightboardError):
        raise cause from None
    if isinstance(error, IntegrityError):
        raise Conflict("another change came first", hint="look again, then try again") from error
    if isinstance(error, PoolTimeout) or "locked" in str(cause) or getattr(cause, "sqlstate", None) in AGAIN:
        raise DatabaseBusy("the database is busy", hint="try again in a moment") from error
    if isinstance(cause, sqlite3.DatabaseError) and ("malformed" in str(cause) or "not a database" in str(cause)):
        raise DatabaseError(f"the database is damaged: {cause}", hint="restore it from a copy") from error
    if getattr(cause, "sqlite_errorname", "").startswith(UNWRITABLE) or getattr(cause, "sqlstate", None) in READ_ONLY:
        raise DatabaseError(f"the database cannot be written: {first_line(cause)}", hint=MAKE_ROOM) from error
    if getattr(cause, "sqlstate", None) == FORBIDDEN:
        raise DatabaseError(f"the database forbids it: {first_line(cause)}", hint=GRANT) from error
    if isinstance(error, DBAPIError) and (error.connection_invalidated or _away(cause)):
        raise DatabaseUnreachable(f"the database cannot be reached: {first_line(cause)}", hint=AWAY) from error
    raise error


AWAY = "see that it runs, and that --database names it"
UNWRITABLE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")
"""What SQLite says of a disk that is full or broken, and of a folder that is not ours."""
READ_ONLY = {"25006", "53100"}
"""What PostgreSQL says of a replica or a database that is read-only, and of a disk that is full."""
FORBIDDEN = "42501"
GRANT = "let its user make, read and write tables there: GRANT ALL ON SCHEMA public TO that user"
MAKE_ROOM = "see that there is room on its disk, and that its folder may be written"


def _away(cause: BaseException | None) -> bool:
    """Whether there was no connection at all: the drivers have no state code for that, or one of class 08 or 57P."""
    state = getattr(cause, "sqlstate", "")
    return type(cause).__name__ == "OperationalError" and (not state or state.startswith(("08", "57P", "28", "3D")))


def first_line(error: BaseException | None) -> str:
    """What a driver says, in one line."""
    return str(error).strip().partition("\n")[0]
