"""Who did what, for administrators."""

from typing import Any

from lightboard.schema.model import Answer
from lightboard.schema.page import Page, PageQuestion, Short


class AuditAnswer(Answer):
    """One line; `actor_name` "" is the hub itself or nobody known."""

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


class AuditPage(Page[AuditAnswer]):
    """Newest first."""


class AuditQuestion(PageQuestion):
    """Which lines."""

    project: Short = ""
    target: Short = ""
    actor: Short = ""
    action: Short = ""
