"""Locks on what has no row yet. On SQLite a writer is alone as it is; readers are never locked out."""

import hashlib

from sqlalchemy import text
from sqlalchemy.orm import Session


def lock(session: Session, what: str) -> None:
    """Waits until no other transaction holds `what`, and holds it until this one ends."""
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], signed=True)
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": number})
