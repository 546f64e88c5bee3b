"""API tokens."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion

ScopeWord = Literal["read", "write", "admin"]


class TokenAnswer(Answer):
    """`shown` is the beginning of the secret, to tell tokens apart; `secret` is there once, at its making."""

    id: str
    name: str
    shown: str
    scopes: list[ScopeWord]
    project: str
    created_at: float
    expires_at: float | None
    last_used_at: float | None
    secret: str


class Tokens(Answer):
    """Those of the asker."""

    items: list[TokenAnswer]


def both() -> list[ScopeWord]:
    """What most programs need."""
    return ["read", "write"]


class CreateToken(HubQuestion):
    """`expires_secs` null is never; `project` "" is all of them."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    scopes: Annotated[list[ScopeWord], Field(min_length=1)] = Field(default_factory=both)
    project: Annotated[str, Field(max_length=200)] = ""
    expires_secs: Annotated[float, Field(gt=0, le=10 * 365 * 86_400)] | None = None
