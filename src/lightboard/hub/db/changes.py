"""What is not as it was, in the order of commits: how pages, and the other replicas, learn of it.

Rows are noted while a transaction works and numbered at its very end, under one lock: so numbers become visible in
their order, and who has read up to a number has missed nothing below it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from lightboard.hub.db.locks import lock
from lightboard.hub.db.tables import ChangeRow
from lightboard.hub.resources.tensorboards import Transition

TENSORBOARD = "tensorboard"
ACCESS = "access"
"""What somebody may do is another than before; the target is an account, a project, a TensorBoard or a share."""
KEEP_SECS = 3_600.0
"""How long a change can be asked for; who was away for longer reads everything anew."""


@dataclass(frozen=True)
class Change:
    """`target` of a kind is another; `narrowed` where some who saw it may see it no more."""

    kind: str
    target: str
    narrowed: bool = False


@dataclass(frozen=True)
class Step:
    """A TensorBoard that has gone on; `before` is the status it came from, "" for one that is new."""

    id: str
    before: str
    transition: Transition


@dataclass(frozen=True)
class Commit:
    """What a transaction has changed that is kept now."""

    changed: Sequence[Change]
    steps: Sequence[Step]


def note_step(session: Session, step: Step) -> None:
    """Says the same of a step that a TensorBoard has taken."""
    session.info.setdefault("steps", []).append(step)


def note(session: Session, change: Change, at: float) -> None:
    """Says, with the commit of this transaction, that something has changed."""
    noted: dict[tuple[str, str], ChangeRow] = session.info.setdefault("changes", {})
    row = noted.setdefault(
        (change.kind, change.target), ChangeRow(kind=change.kind, target=change.target, at=at, narrowed=False)
    )
    row.narrowed = row.narrowed or change.narrowed


def note_access(session: Session, target: str, at: float) -> None:
    """Says that somebody's access has changed by what happens to `target`: what is open is looked at again."""
    note(session, Change(ACCESS, target), at)


def touches_access(commit: Commit) -> bool:
    """Whether somebody's access is another after it."""
    return any(change.kind == ACCESS for change in commit.changed)


def access_changed_after(session: Session, cursor: int) -> bool:
    """Whether somebody's access has changed past a cursor."""
    query = select(ChangeRow.id).where(ChangeRow.id > cursor, ChangeRow.kind == ACCESS).limit(1)
    return session.scalar(query) is not None


def write(session: Session) -> Commit:
    """Puts what was noted into the table, the last thing before a commit."""
    noted: dict[tuple[str, str], ChangeRow] = session.info.pop("changes", {})
    if not noted:
        return Commit((), ())
    session.flush()  # whatever else waits for a lock waits before this one, so that no two can wait for each other
    lock(session, "changes")
    session.add_all(noted.values())
    session.flush()
    changed = [Change(row.kind, row.target, row.narrowed) for row in noted.values()]
    return Commit(changed, session.info.pop("steps", ()))


def latest(session: Session) -> int:
    """The number of the last change, 0 before the first."""
    return session.scalar(select(func.max(ChangeRow.id))) or 0


def after(session: Session, kind: str, cursor: int, most: int = 500) -> tuple[list[Change], int]:
    """Changes past `cursor`, oldest first, each target once, and the cursor to go on from."""
    rows = session.scalars(select(ChangeRow).where(ChangeRow.id > cursor).order_by(ChangeRow.id).limit(most)).all()
    found: dict[str, Change] = {}
    for row in rows:
        if row.kind == kind:
            before = found.pop(row.target, None)
            narrowed = row.narrowed or (before is not None and before.narrowed)
            found[row.target] = Change(row.kind, row.target, narrowed)
    return list(found.values()), rows[-1].id if rows else cursor


def retire(session: Session, now: float) -> None:
    """Forgets old ones, but never the last, whose number is where the next begins."""
    session.execute(delete(ChangeRow).where(ChangeRow.at < now - KEEP_SECS, ChangeRow.id < latest(session)))
