"""How many boards there are, and what they take: for who keeps the hub running, so no right is asked here."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from lightboard.hub.db.tables import TensorboardRow
from lightboard.hub.resources.tensorboards import Status


def boards_by_status(session: Session) -> dict[Status, int]:
    """The number of boards in each status that has any."""
    query = select(TensorboardRow.status, func.count()).group_by(TensorboardRow.status)
    return dict(session.execute(query).all())


def memory_bytes(session: Session) -> int:
    """What running boards take, logs that several show counted once."""
    once = (
        select(func.max(TensorboardRow.memory_bytes).label("memory_bytes"))
        .where(TensorboardRow.status == Status.RUNNING)
        .group_by(TensorboardRow.source_key)
        .subquery()
    )
    return int(session.scalar(select(func.sum(once.c.memory_bytes))) or 0)
