"""One line of who did what."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class AuditEvent:
    """`actor` is an account's id, "" for nobody or the hub; `via` the name of a token, "session" or "share".

    `details` say what changed, never a secret; `address` is where the request came from.
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
