"""The same question with the same key gets the same answer, and does what it asks once.

`recall` begins the transaction that does it, `keep` ends it: so the answer is there exactly if the deed is.
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
class KeptAnswer:
    """An answer over HTTP. `body` is what was sent; a secret that is shown once must be left out of it."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


def recall(session: Session, who: Principal, key: str, question: str, now: float) -> KeptAnswer | None:
    """The answer that this key had; None where it is new. Who asks at the same time waits.

    `question` is a digest of method, path and body. Raises Conflict where the key was used for another one.
    """
    if not 0 < len(key) <= LONGEST_KEY:
        raise Invalid("the idempotency key is empty or too long", hint=f"1 to {LONGEST_KEY} characters")
    lock(session, f"answer {who.account} {key}")
    row = session.get(AnswerRow, (who.account, key))
    if row is None or row.at <= now - KEEP_SECS:
        return None
    if row.question != question:
        raise Conflict("this idempotency key was used for another request", hint="make a new key for each request")
    return record(KeptAnswer, row)


def keep(session: Session, who: Principal, key: str, question: str, answer: KeptAnswer, at: float) -> None:
    """Keeps the answer for a day."""
    session.merge(
        AnswerRow(
            account=who.account,
            key=key,
            question=question,
            status=answer.status,
            headers=dict(answer.headers),
            body=answer.body,
            at=at,
        )
    )
    session.flush()


def retire(session: Session, now: float) -> None:
    """Forgets what was kept long enough."""
    session.execute(delete(AnswerRow).where(AnswerRow.at <= now - KEEP_SECS))
