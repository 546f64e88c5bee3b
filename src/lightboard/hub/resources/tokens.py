"""What lets a program in: an API token, and the link that lets anybody look at one board for a while."""

from dataclasses import dataclass

from lightboard.hub.resources.roles import Scope

PREFIX = "tok"
SHARE_PREFIX = "shr"
LONGEST_SHARE_SECS = 604_800
"""Seven days, as PAI allows."""


@dataclass(frozen=True, kw_only=True)
class Token:
    """`digest` is SHA-256 of the secret, which is random and long: nothing slower is needed. `shown` is its beginning.

    Times are seconds since the epoch; `expires_at` None is never. `project` "" is all of the account's projects.
    """

    id: str
    account: str
    name: str
    digest: str
    shown: str
    scopes: frozenset[Scope]
    project: str = ""
    created_at: float = 0.0
    expires_at: float | None = None
    last_used_at: float | None = None


@dataclass(frozen=True, kw_only=True)
class Share:
    """A link to one board, read-only. The link itself is signed; this row is what can be revoked."""

    id: str
    tensorboard: str
    issuer: str
    created_at: float
    expires_at: float
    revoked_at: float | None = None
