"""Queries for the metrics of the hub. No rights are checked: only administrators see the results."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from lightboard.hub.db.tables import TensorboardRow
from lightboard.hub.resources.tensorboards import Status


def boards_by_status(session: Session) -> dict[Status, int]:
    """The number of boards by status, without statuses that no board has."""
    query = select(TensorboardRow.status, func.count()).group_by(TensorboardRow.status)
    return dict(session.execute(query).all())


def memory_bytes(session: Session) -> int:
    """The memory of running boards. Logs that several boards share are counted once."""
    once = (
        select(func.max(TensorboardRow.memory_bytes).label("memory_bytes"))
        .where(TensorboardRow.status == Status.RUNNING)
        .group_by(TensorboardRow.source_key)
        .subquery()
    )
    return int(session.scalar(select(func.sum(once.c.memory_bytes))) or 0)
