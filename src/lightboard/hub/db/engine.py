"""Database access: read and write transactions, and errors translated to those of `lightboard.errors`.

Readers see a consistent snapshot. Writers on SQLite are serialized (BEGIN IMMEDIATE); on PostgreSQL they lock the rows
that they depend on. All calls block: make them in threads, never in an event loop.
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
from lightboard.hub.db.migrate import upgrade
from lightboard.hub.db.schema_version import check_current

__all__ = ["Database", "Session", "open_database"]

BUSY_SECS = 10.0
"""How long a writer waits for another before DatabaseBusy is raised."""
POOL, OVERFLOW = 10, 30
CHECK_SETTING = "checked"
SCHEMES = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""A server whose machine vanished is noticed within half a minute. The last value is in milliseconds."""
RETRYABLE = {"40001", "40P01", "55P03"}
"""PostgreSQL states of conflicting transactions: nothing was changed, and a retry may work."""

log = logging.getLogger(__name__)


def open_database(url: str) -> "Database":
    """The database at `sqlite:///file` or `postgresql://...`. It connects on first use.

    Raises UsageError for other URLs.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError("the database URL is not valid", hint=HINT) from None
    parsed = parsed.set(drivername=SCHEMES.get(parsed.drivername, parsed.drivername))
    if parsed.drivername == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return Database(sqlite_engine(parsed))
    if parsed.drivername == "postgresql+psycopg":
        return Database(postgresql_engine(parsed))
    raise UsageError(f"this database cannot be used: {parsed.render_as_string()}", hint=HINT)


HINT = "use sqlite:////absolute/path/hub.sqlite3 or postgresql://user:password@host/name"


def sqlite_engine(url: URL) -> Engine:
    """An engine with a write-ahead log, foreign keys, full synchronization, and explicit transactions."""
    engine = create_engine(url, pool_size=POOL, max_overflow=OVERFLOW, connect_args={"timeout": BUSY_SECS})

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver begins transactions too late, and never for DDL
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("writes", True)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def postgresql_engine(url: URL) -> Engine:
    """An engine with the same lock timeout as SQLite that also notices dead clients and servers."""
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
    """A database. `listeners` are called, in the thread that wrote, after each commit with changes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.listeners: list[Callable[[changes.Commit], None]] = []
        read_options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True} if self.postgresql else {}
        self._reader = engine.execution_options(writes=False, **read_options)

    @property
    def postgresql(self) -> bool:
        """Whether it is PostgreSQL, which replicas can share."""
        return self.engine.dialect.name == "postgresql"

    @property
    def file(self) -> str:
        """The path of an SQLite database, else ""."""
        return "" if self.postgresql else str(self.engine.url.database)

    @property
    def shown(self) -> str:
        """Its URL without the password."""
        return self.engine.url.render_as_string()

    @contextmanager
    def write(self, address: str = "") -> Iterator[Session]:
        """A transaction that commits at the end, or rolls back on an exception. `address` is for the audit.

        Raises Conflict if another change came first, DatabaseError if the database is busy, unavailable or damaged.
        """
        with _translate_errors(), Session(self.engine) as session:
            session.info["address"] = address
            yield session
            commit = changes.write(session)
            session.commit()
        if commit.changed:
            self._notify(commit)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A read-only snapshot. Raises DatabaseError if the database is unavailable or damaged."""
        with _translate_errors(), Session(self._reader, autoflush=False) as session:
            yield session

    def _notify(self, commit: changes.Commit) -> None:
        """Calls all listeners. An exception in one does not affect the others."""
        for listener in self.listeners:
            try:
                listener(commit)
            except Exception:
                log.exception("a listener for changes failed")

    def check(self) -> None:
        """Raises DatabaseError unless the database responds, has the current tables, and can be written.

        Commits a change, because a full disk is not noticed otherwise.
        """
        with _translate_errors(), self._reader.connect() as connection:
            check_current(connection)
        with self.write() as session:
            settings.put(session, CHECK_SETTING, secrets.token_hex(8))

    def migrate(self) -> None:
        """Migrates the tables to the current version, completely or not at all.

        Raises DatabaseError if the database is newer than the program, belongs to something else, is damaged or
        unavailable.
        """
        with _translate_errors(), self.engine.begin() as connection:
            upgrade(connection)

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translates SQLAlchemy's errors. Messages contain no statement, value or address."""
    try:
        yield
    except LightboardError:
        raise
    except SQLAlchemyError as error:
        _raise_translated(error)


def _raise_translated(error: SQLAlchemyError) -> NoReturn:
    cause = error.orig if isinstance(error, StatementError) else None
    if isinstance(cause, LightboardError):
        raise cause from None
    if isinstance(error, IntegrityError):
        raise Conflict("another change came first", hint="reload, then try again") from error
    if isinstance(error, PoolTimeout) or "locked" in str(cause) or getattr(cause, "sqlstate", None) in RETRYABLE:
        raise DatabaseBusy("the database is busy", hint="try again in a moment") from error
    if isinstance(cause, sqlite3.DatabaseError) and ("malformed" in str(cause) or "not a database" in str(cause)):
        raise DatabaseError(f"the database is damaged: {cause}", hint="restore a backup") from error
    if getattr(cause, "sqlite_errorname", "").startswith(UNWRITABLE) or getattr(cause, "sqlstate", None) in READ_ONLY:
        raise DatabaseError(f"the database cannot be written: {first_line(cause)}", hint=MAKE_ROOM) from error
    if getattr(cause, "sqlstate", None) == FORBIDDEN:
        raise DatabaseError(f"the database denies access: {first_line(cause)}", hint=GRANT) from error
    if isinstance(error, DBAPIError) and (error.connection_invalidated or _is_unreachable(cause)):
        raise DatabaseUnreachable(
            f"the database cannot be reached: {first_line(cause)}", hint=CHECK_DATABASE
        ) from error
    raise error


CHECK_DATABASE = "check that it is running and that --database is right"
UNWRITABLE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")
"""SQLite errors for a full or broken disk, or a folder that is not writable."""
READ_ONLY = {"25006", "53100"}
"""PostgreSQL states for a read-only replica or database, and for a full disk."""
FORBIDDEN = "42501"
GRANT = "let its user make, read and write tables there: GRANT ALL ON SCHEMA public TO that user"
MAKE_ROOM = "check that its disk is not full and its folder is writable"


def _is_unreachable(cause: BaseException | None) -> bool:
    """Whether there was no connection: then the drivers have no state code, or one of class 08 or 57P."""
    state = getattr(cause, "sqlstate", "")
    return type(cause).__name__ == "OperationalError" and (not state or state.startswith(("08", "57P", "28", "3D")))


def first_line(error: BaseException | None) -> str:
    """The first line of a driver's error message."""
    return str(error).strip().partition("\n")[0]
