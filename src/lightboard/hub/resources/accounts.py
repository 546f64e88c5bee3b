"""An account: a person or service that can log in or hold tokens."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

PREFIX = "acc"
SHORTEST_PASSWORD = 10


class AccountKind(StrEnum):
    """A service has no password, only tokens."""

    USER = "user"
    SERVICE = "service"


@dataclass(frozen=True, kw_only=True)
class Account:
    """`name` is for login and part of URLs; `limit` None is the hub's limit. Times are seconds since the epoch.

    `password_hash` (argon2id) is "" without a password; `subject` is `issuer|sub` of an external login.
    """

    id: str
    name: str
    display_name: str = ""
    email: str = ""
    kind: AccountKind = AccountKind.USER
    administrator: bool = False
    disabled: bool = False
    limit: int | None = None
    password_hash: str = ""
    subject: str = ""
    language: str = ""
    created_at: float = 0.0
    updated_at: float = 0.0
    version: int = 1


def login_name(typed: str) -> str:
    """A name or email normalized for lookup: case, width, combining marks and surrounding spaces do not matter."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", typed).casefold())
    return "".join(each for each in plain if unicodedata.category(each)[0] != "C").strip()
