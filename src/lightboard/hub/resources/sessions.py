"""A login session in a browser."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class LoginSession:
    """`digest` is SHA-256 of the cookie's secret; `csrf` must accompany every change. Times are seconds since the
    epoch.
    """

    digest: str
    account: str
    csrf: str
    created_at: float
    expires_at: float
    last_seen_at: float
    address: str = ""
