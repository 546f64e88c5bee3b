"""Who did what. Lines are added in the transaction that does it, and never changed."""

from typing import Any

from sqlalchemy import ColumnElement, case, func, or_, select
from sqlalchemy.orm import Session

from lightboard.hub.access import Principal
from lightboard.hub.db.records import record
from lightboard.hub.db.rights import check, check_on_hub
from lightboard.hub.db.tables import AuditRow, TensorboardRow
from lightboard.hub.db.tensorboard_lists import visible
from lightboard.hub.resources.audit import AuditEvent
from lightboard.schema.audit import AuditQuestion


def add(
    session: Session,
    who: Principal,
    action: str,
    *,
    kind: str,
    target: str,
    at: float,
    project: str = "",
    details: dict[str, Any] | None = None,
) -> None:
    """One line, with the address that the transaction was begun with. `details` must hold no secret."""
    session.add(
        AuditRow(
            at=at,
            actor=who.account,
            action=action,
            kind=kind,
            target=target,
            project=project,
            via=who.label,
            address=session.info.get("address", ""),
            details=details or {},
        )
    )


def find(session: Session, who: Principal, question: AuditQuestion) -> tuple[list[AuditEvent], int]:
    """A page of lines, newest first, and how many there are in all. `question.project` and `actor` are ids.

    Right `audit.list` in the project, or `hub.read` for the lines of all. Of TensorBoards that the asker may not see,
    and of such as were forgotten long after they were deleted, only administrators are told.
    """
    if question.project:
        check(session, who, "audit.list", question.project)
    else:
        check_on_hub(who, "hub.read")
    wanted = {name: getattr(question, name) for name in ("project", "target", "actor", "action")}
    where = [getattr(AuditRow, name) == value for name, value in wanted.items() if value]
    if not who.administrator:
        where.append(of_nothing_hidden(who))
    total = session.scalar(select(func.count()).select_from(AuditRow).where(*where)) or 0
    rows = session.scalars(
        select(AuditRow)
        .where(*where)
        .order_by(AuditRow.id.desc())
        .offset((question.page - 1) * question.page_size)
        .limit(question.page_size)
    )
    return [record(AuditEvent, row) for row in rows], total


def of_nothing_hidden(who: Principal) -> ColumnElement[bool]:
    """The condition that a line is about no TensorBoard, or about one that `who` may see."""
    board = case((AuditRow.kind == "tensorboard", AuditRow.target), else_=AuditRow.details["tensorboard"].as_string())
    seen = select(TensorboardRow.id).where(visible(who))
    return or_(AuditRow.kind.not_in(("tensorboard", "share")), board.in_(seen))
