"""A login in a browser, for as long as it lasts."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class LoginSession:
    """`digest` is SHA-256 of the cookie's secret; `csrf` goes with every change a page makes. Times in seconds."""

    digest: str
    account: str
    csrf: str
    created_at: float
    expires_at: float
    last_seen_at: float
    address: str = ""
