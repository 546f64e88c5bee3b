"""Audit events. They are added in the transaction that they describe, and never changed."""

from typing import Any

from sqlalchemy import ColumnElement, case, func, or_, select
from sqlalchemy.orm import Session

from lightboard.hub.access import Principal
from lightboard.hub.db.access_checks import Resource, check_hub_right, check_right
from lightboard.hub.db.records import record
from lightboard.hub.db.tables import AuditRow, TensorboardRow
from lightboard.hub.db.tensorboard_lists import visible
from lightboard.hub.resources.audit import AuditEvent
from lightboard.schema.audit import AuditRequest


def add(
    session: Session,
    principal: Principal,
    action: str,
    *,
    kind: str,
    target: str,
    at: float,
    project: str = "",
    details: dict[str, Any] | None = None,
) -> None:
    """Adds an event with the client address of the transaction. `details` must not contain secrets."""
    session.add(
        AuditRow(
            at=at,
            actor=principal.account,
            action=action,
            kind=kind,
            target=target,
            project=project,
            via=principal.label,
            address=session.info.get("address", ""),
            details=details or {},
        )
    )


def find(session: Session, principal: Principal, query: AuditRequest) -> tuple[list[AuditEvent], int]:
    """A page of events, newest first, and their total number. `query.project` and `actor` are ids.

    Right `audit.list` in the project, or `hub.read` for all events. Events about TensorBoards that the principal may
    not see, or that were deleted long ago, are only visible to administrators.
    """
    if query.project:
        check_right(session, principal, "audit.list", Resource(query.project))
    else:
        check_hub_right(principal, "hub.read")
    wanted = {name: getattr(query, name) for name in ("project", "target", "actor", "action")}
    where = [getattr(AuditRow, name) == value for name, value in wanted.items() if value]
    if not principal.administrator:
        where.append(has_visible_target(principal))
    total = session.scalar(select(func.count()).select_from(AuditRow).where(*where)) or 0
    rows = session.scalars(
        select(AuditRow)
        .where(*where)
        .order_by(AuditRow.id.desc())
        .offset((query.page - 1) * query.page_size)
        .limit(query.page_size)
    )
    return [record(AuditEvent, row) for row in rows], total


def has_visible_target(principal: Principal) -> ColumnElement[bool]:
    """The condition that an event is not about a TensorBoard, or about a visible one."""
    board = case((AuditRow.kind == "tensorboard", AuditRow.target), else_=AuditRow.details["tensorboard"].as_string())
    visible_boards = select(TensorboardRow.id).where(visible(principal))
    return or_(AuditRow.kind.not_in(("tensorboard", "share")), board.in_(visible_boards))
