"""An audit event."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class AuditEvent:
    """`actor` is an account's id, "" for a guest or the hub; `via` is the name of a token, "session" or "share".

    `details` contain what changed but no secrets; `address` is the client's address.
    """

    id: int = 0
    at: float = 0.0
    actor: str = ""
    action: str = ""
    kind: str = ""
    target: str = ""
    project: str = ""
    via: str = ""
    address: str = ""
    details: dict[str, Any] = field(default_factory=dict)
