"""Locks on things without a row. SQLite needs none, because it has only one writer. Readers are never blocked."""

import hashlib

from sqlalchemy import text
from sqlalchemy.orm import Session


def lock(session: Session, what: str) -> None:
    """Waits until no other transaction holds the lock `what`, and holds it until this transaction ends."""
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], signed=True)
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": number})
