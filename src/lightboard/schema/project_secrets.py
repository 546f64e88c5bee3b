"""Secrets of projects. No response has a value. Times are seconds since the epoch."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel, Whole

SecretName = Annotated[str, Field(min_length=1, max_length=100)]


class SetSecret(HubRequestModel):
    """The value of a secret: text without null characters, of at most 65,536 bytes."""

    value: Annotated[str, Field(min_length=1, max_length=65_536, repr=False)]


class SecretResponse(ResponseModel):
    """A secret without its value. `owner_name` created it; `version` counts its values. `rights` are the account's."""

    name: str
    project: str
    owner: str
    owner_name: str
    created_at: float
    updated_at: float
    version: Whole
    rights: list[str]


class Secrets(ResponseModel):
    """The secrets of a project, by name."""

    items: list[SecretResponse]


class SecretReference(HubRequestModel):
    """A variable whose value is that of the secret of the project with this name, at the start of each attempt."""

    secret: SecretName
