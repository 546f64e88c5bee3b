"""API tokens and share links."""

from dataclasses import dataclass

from lightboard.hub.resources.roles import Scope

PREFIX = "tok"
SHARE_PREFIX = "shr"
LONGEST_SHARE_SECS = 604_800
"""Seven days, as in PAI."""


@dataclass(frozen=True, kw_only=True)
class Token:
    """`digest` is SHA-256 of the secret, which is long and random, so no slow hash is needed. `shown` is its beginning.

    Times are seconds since the epoch; `expires_at` None is never. `project` "" is all projects of the account.
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
    """A read-only link to one board. The link itself is signed; this record can be revoked."""

    id: str
    tensorboard: str
    issuer: str
    created_at: float
    expires_at: float
    revoked_at: float | None = None
