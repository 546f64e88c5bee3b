"""Changes of TensorBoards since a cursor, as one principal may see them."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from lightboard.hub.access import Principal
from lightboard.hub.db import changes, tensorboards
from lightboard.hub.db.access_checks import Resource, has_right
from lightboard.hub.db.records import record
from lightboard.hub.db.tables import TensorboardRow
from lightboard.hub.resources.tensorboards import Status, Tensorboard


@dataclass(frozen=True)
class BoardChange:
    """A changed board. `board` is None if the principal can no longer see it."""

    id: str
    board: Tensorboard | None


def changes_after(session: Session, principal: Principal, cursor: int) -> tuple[list[BoardChange], int]:
    """The changes after a cursor to boards that the principal can see, and the next cursor.

    Each board is listed once, in its current state. `changes.latest` gives the first cursor.
    """
    found, cursor = changes.after(session, changes.TENSORBOARD, cursor)
    narrowed = {change.target for change in found if change.narrowed}
    rows = session.scalars(select(TensorboardRow).where(TensorboardRow.id.in_([change.target for change in found])))
    by_id = {row.id: row for row in rows}
    news = [change_of(session, principal, by_id[change.target], narrowed) for change in found if change.target in by_id]
    return [item for item in news if item is not None], cursor


def change_of(session: Session, principal: Principal, row: TensorboardRow, narrowed: set[str]) -> BoardChange | None:
    """The change as the principal may see it, None if the board was never visible to them."""
    if has_right(session, principal, "tensorboards.get", tensorboards.resource_of(row)):
        gone = row.status is Status.DELETED
        return BoardChange(row.id, None if gone else record(Tensorboard, row))
    saw = row.id in narrowed and has_right(session, principal, "tensorboards.get", Resource(row.project, row.owner))
    return BoardChange(row.id, None) if saw else None
