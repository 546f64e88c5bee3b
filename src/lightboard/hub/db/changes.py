"""The log of changes, in the order of commits. Pages and other replicas follow it.

Changes are collected during a transaction and numbered at its end, under one lock. So numbers become visible in order,
and a reader that has read up to a number has missed nothing below it.
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
"""Somebody's access has changed; the target is an account, a project, a TensorBoard or a share."""
KEEP_SECS = 3_600.0
"""How long a change can be read. Clients that were away for longer reload everything."""


@dataclass(frozen=True)
class Change:
    """`target` of this kind has changed; `narrowed` if some who could see it may no longer."""

    kind: str
    target: str
    narrowed: bool = False


@dataclass(frozen=True)
class StatusChange:
    """A new status of a TensorBoard; `before` is the previous one, "" for a new board."""

    id: str
    before: str
    transition: Transition


@dataclass(frozen=True)
class Commit:
    """The changes of a committed transaction."""

    changed: Sequence[Change]
    steps: Sequence[StatusChange]


def note_status_change(session: Session, step: StatusChange) -> None:
    """Records a status change of a TensorBoard, published with the commit."""
    session.info.setdefault("steps", []).append(step)


def note(session: Session, change: Change, at: float) -> None:
    """Records a change, published with the commit."""
    noted: dict[tuple[str, str], ChangeRow] = session.info.setdefault("changes", {})
    row = noted.setdefault(
        (change.kind, change.target), ChangeRow(kind=change.kind, target=change.target, at=at, narrowed=False)
    )
    row.narrowed = row.narrowed or change.narrowed


def note_access(session: Session, target: str, at: float) -> None:
    """Records that a change of `target` affects somebody's access, so that open responses check it again."""
    note(session, Change(ACCESS, target), at)


def touches_access(commit: Commit) -> bool:
    """Whether a commit changes somebody's access."""
    return any(change.kind == ACCESS for change in commit.changed)


def access_changed_after(session: Session, cursor: int) -> bool:
    """Whether somebody's access has changed after a cursor."""
    query = select(ChangeRow.id).where(ChangeRow.id > cursor, ChangeRow.kind == ACCESS).limit(1)
    return session.scalar(query) is not None


def write(session: Session) -> Commit:
    """Writes the recorded changes, as the last step before a commit."""
    noted: dict[tuple[str, str], ChangeRow] = session.info.pop("changes", {})
    if not noted:
        return Commit((), ())
    session.flush()  # take all other locks before this one, to avoid deadlocks
    lock(session, "changes")
    session.add_all(noted.values())
    session.flush()
    changed = [Change(row.kind, row.target, row.narrowed) for row in noted.values()]
    return Commit(changed, session.info.pop("steps", ()))


def latest(session: Session) -> int:
    """The number of the last change, 0 before the first."""
    return session.scalar(select(func.max(ChangeRow.id))) or 0


def after(session: Session, kind: str, cursor: int, most: int = 500) -> tuple[list[Change], int]:
    """The changes after `cursor`, oldest first, each target once, and the next cursor."""
    rows = session.scalars(select(ChangeRow).where(ChangeRow.id > cursor).order_by(ChangeRow.id).limit(most)).all()
    found: dict[str, Change] = {}
    for row in rows:
        if row.kind == kind:
            before = found.pop(row.target, None)
            narrowed = row.narrowed or (before is not None and before.narrowed)
            found[row.target] = Change(row.kind, row.target, narrowed)
    return list(found.values()), rows[-1].id if rows else cursor


def delete_expired(session: Session, now: float) -> None:
    """Deletes old changes except the last, whose number is needed for the next."""
    session.execute(delete(ChangeRow).where(ChangeRow.at < now - KEEP_SECS, ChangeRow.id < latest(session)))
