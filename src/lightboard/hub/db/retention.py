"""What is forgotten, and when."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from lightboard.hub.db import changes, idempotency, invitations, sessions, shares, tokens
from lightboard.hub.db.tables import TensorboardRow
from lightboard.hub.resources.tensorboards import Status

DELETED_KEEP_SECS = 180 * 86_400.0
"""So long a deleted TensorBoard can still be looked up by its id; the audit keeps its lines for ever."""
EXPIRED_KEEP_SECS = 30 * 86_400.0
"""So long tokens and links that have expired can still be told from such as never were."""


def retire(session: Session, now: float) -> None:
    """Forgets what is old enough. May be called at any time, by any replica."""
    gone = TensorboardRow.status == Status.DELETED
    session.execute(delete(TensorboardRow).where(gone, TensorboardRow.status_since < now - DELETED_KEEP_SECS))
    sessions.retire(session, now)
    tokens.retire(session, now, EXPIRED_KEEP_SECS)
    shares.retire(session, now, EXPIRED_KEEP_SECS)
    idempotency.retire(session, now)
    invitations.retire(session, now)
    changes.retire(session, now)
