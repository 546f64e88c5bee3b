"""Stored responses for the Idempotency-Key header: a repeated request gets the first response and changes nothing.

`load` is called at the beginning of the transaction and `store` at its end, so a response is stored if and only if the
change was committed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import delete
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid
from lightboard.hub.access import Principal
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import record
from lightboard.hub.db.tables import AnswerRow

KEEP_SECS = 86_400.0
LONGEST_KEY = 200


@dataclass(frozen=True, kw_only=True)
class StoredResponse:
    """An HTTP response. A secret that is shown only once must not be part of `body`."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


def load(session: Session, principal: Principal, key: str, fingerprint: str, now: float) -> StoredResponse | None:
    """The stored response for a key, None for a new key. Concurrent requests with the same key wait.

    `fingerprint` is a digest of method, path, body and rights. Raises Conflict if the key was used for another request.
    """
    if not 0 < len(key) <= LONGEST_KEY:
        raise Invalid("the idempotency key is empty or too long", hint=f"1 to {LONGEST_KEY} characters")
    lock(session, f"answer {principal.account} {key}")
    row = session.get(AnswerRow, (principal.account, key))
    if row is None or row.at <= now - KEEP_SECS:
        return None
    if row.question != fingerprint:
        raise Conflict("this idempotency key was used for another request", hint="use a new key for each request")
    return record(StoredResponse, row)


def store(
    session: Session, principal: Principal, key: str, fingerprint: str, response: StoredResponse, at: float
) -> None:
    """Stores the response for a day."""
    session.merge(
        AnswerRow(
            account=principal.account,
            key=key,
            question=fingerprint,
            status=response.status,
            headers=dict(response.headers),
            body=response.body,
            at=at,
        )
    )
    session.flush()


def delete_expired(session: Session, now: float) -> None:
    """Deletes expired responses."""
    session.execute(delete(AnswerRow).where(AnswerRow.at <= now - KEEP_SECS))
