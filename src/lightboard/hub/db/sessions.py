"""Logins in browsers. The cookie's secret is never here, only its digest."""

from collections.abc import Mapping

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from lightboard.hub.db import changes
from lightboard.hub.db.records import record, values
from lightboard.hub.db.tables import AccountRow, SessionRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.sessions import LoginSession


def create(session: Session, new: LoginSession) -> None:
    """Somebody has logged in."""
    session.add(SessionRow(**values(new)))
    session.flush()


def by_digest(session: Session, digest: str, now: float) -> tuple[LoginSession, Account] | None:
    """The login and its account; None where it has ended, or the account is disabled."""
    row = session.get(SessionRow, digest)
    if row is None or row.expires_at <= now:
        return None
    account = session.get_one(AccountRow, row.account)
    return None if account.disabled else (record(LoginSession, row), record(Account, account))


def touch(session: Session, seen: Mapping[str, tuple[float, float]]) -> None:
    """For each digest when it was seen last, and when it now ends."""
    for digest, (last_seen_at, expires_at) in seen.items():
        session.execute(
            update(SessionRow)
            .where(SessionRow.digest == digest)
            .values(last_seen_at=last_seen_at, expires_at=expires_at)
        )


def remove(session: Session, digest: str, at: float) -> None:
    """Somebody has logged out; who had already is no fault."""
    row = session.get(SessionRow, digest)
    if row is not None:
        session.delete(row)
        session.flush()
        changes.note_access(session, row.account, at)


def retire(session: Session, now: float) -> None:
    """Forgets those that have ended."""
    session.execute(delete(SessionRow).where(SessionRow.expires_at <= now))
