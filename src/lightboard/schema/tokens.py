"""API tokens."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel

ScopeWord = Literal["read", "write", "admin"]


class TokenResponse(ResponseModel):
    """An API token. `shown` is the beginning of its secret; `secret` is only returned when the token is created."""

    id: str
    name: str
    shown: str
    scopes: list[ScopeWord]
    project: str
    created_at: float
    expires_at: float | None
    last_used_at: float | None
    secret: str


class Tokens(ResponseModel):
    """The tokens of the account."""

    items: list[TokenResponse]


def default_scopes() -> list[ScopeWord]:
    """The scopes that most programs need."""
    return ["read", "write"]


class CreateToken(HubRequestModel):
    """A new token. Without `expires_secs` it never expires. If `project` is "", it is valid for all projects."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    scopes: Annotated[list[ScopeWord], Field(min_length=1)] = Field(default_factory=default_scopes)
    project: Annotated[str, Field(max_length=200)] = ""
    expires_secs: Annotated[float, Field(gt=0, le=10 * 365 * 86_400)] | None = None
