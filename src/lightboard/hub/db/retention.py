"""Deletes old records."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from lightboard.hub.db import changes, idempotency, invitations, jobs, sessions, shares, tokens
from lightboard.hub.db.tables import TensorboardRow
from lightboard.hub.resources.tensorboards import Status

DELETED_KEEP_SECS = 180 * 86_400.0
"""How long a deleted TensorBoard or job can be found by its id. Audit events are kept for ever."""
EXPIRED_KEEP_SECS = 30 * 86_400.0
"""How long expired tokens and links are kept."""


def delete_expired(session: Session, now: float) -> None:
    """Deletes old records. May be called at any time, by any replica."""
    gone = TensorboardRow.status == Status.DELETED
    session.execute(delete(TensorboardRow).where(gone, TensorboardRow.status_since < now - DELETED_KEEP_SECS))
    jobs.delete_expired(session, now - DELETED_KEEP_SECS)
    sessions.delete_expired(session, now)
    tokens.delete_expired(session, now, EXPIRED_KEEP_SECS)
    shares.delete_expired(session, now, EXPIRED_KEEP_SECS)
    idempotency.delete_expired(session, now)
    invitations.delete_expired(session, now)
    changes.delete_expired(session, now)
