"""The audit log."""

from typing import Any

from lightboard.schema.model import ResponseModel
from lightboard.schema.page import Page, PageRequest, Short


class AuditResponse(ResponseModel):
    """An audit event; `actor_name` is "" for the hub itself or an unknown account."""

    id: int
    at: float
    actor: str
    actor_name: str
    action: str
    kind: str
    target: str
    project: str
    via: str
    address: str
    details: dict[str, Any]


class AuditPage(Page[AuditResponse]):
    """A page of events, newest first."""


class AuditRequest(PageRequest):
    """Filters for audit events."""

    project: Short = ""
    target: Short = ""
    actor: Short = ""
    action: Short = ""
