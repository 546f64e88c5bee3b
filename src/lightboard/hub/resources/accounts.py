"""An account: somebody, or something, that can log in."""

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
    """`name` logs in and is part of addresses; `limit` None is the hub's own. Times are seconds since the epoch.

    `password_hash` (argon2id) is "" for who logs in elsewhere; `subject` is who they are there, as `issuer|sub`.
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
    """A name or email as it is looked up: one for all spellings in case, width, combining marks and spaces around."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", typed).casefold())
    return "".join(each for each in plain if unicodedata.category(each)[0] != "C").strip()
