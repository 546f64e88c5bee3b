"""Login sessions. The database contains only the digest of the cookie's secret."""

from collections.abc import Mapping

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from lightboard.hub.db import changes
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import record, values
from lightboard.hub.db.tables import AccountRow, SessionRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.sessions import LoginSession


def create(session: Session, new: LoginSession, most: int) -> None:
    """Stores a new login. Of those of its account, the `most` that were used last remain."""
    lock(session, f"logins {new.account}")
    make_room(session, new, most)
    session.add(SessionRow(**values(new)))
    session.flush()


def make_room(session: Session, new: LoginSession, most: int) -> None:
    """Ends the logins of the account that were not used for longest, so that it has `most` with the new one."""
    in_order = (SessionRow.last_seen_at.desc(), SessionRow.created_at.desc(), SessionRow.digest)
    query = select(SessionRow.digest).where(SessionRow.account == new.account).order_by(*in_order).offset(most - 1)
    if ended := session.scalars(query).all():
        session.execute(delete(SessionRow).where(SessionRow.digest.in_(ended)))
        changes.note_access(session, new.account, new.created_at)


def by_digest(session: Session, digest: str, now: float) -> tuple[LoginSession, Account] | None:
    """The login and its account; None if it has ended or the account is disabled."""
    row = session.get(SessionRow, digest)
    if row is None or row.expires_at <= now:
        return None
    account = session.get_one(AccountRow, row.account)
    return None if account.disabled else (record(LoginSession, row), record(Account, account))


def touch(session: Session, seen: Mapping[str, tuple[float, float]]) -> None:
    """Stores when logins were last used and when they expire, by digest."""
    for digest, (last_seen_at, expires_at) in seen.items():
        session.execute(
            update(SessionRow)
            .where(SessionRow.digest == digest)
            .values(last_seen_at=last_seen_at, expires_at=expires_at)
        )


def remove(session: Session, digest: str, at: float) -> None:
    """Ends a login; an unknown one is not an error."""
    row = session.get(SessionRow, digest)
    if row is not None:
        session.delete(row)
        session.flush()
        changes.note_access(session, row.account, at)


def delete_expired(session: Session, now: float) -> None:
    """Deletes expired logins."""
    session.execute(delete(SessionRow).where(SessionRow.expires_at <= now))
