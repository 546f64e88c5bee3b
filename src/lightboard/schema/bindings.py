"""Bindings of projects."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel

BindingWord = Literal["root", "storage", "credential", "dataset"]


class BindingResponse(ResponseModel):
    """A binding. `id` is "" for bindings from the hub's configuration, which cannot be removed.

    `value` is a folder, a URL, the name of a credential, or the id of a dataset; `shown` is the text to display, such
    as the name of the dataset. `credential` is the credential of a storage, "" for the hub's default.
    """

    id: str
    kind: BindingWord
    value: str
    shown: str
    credential: str
    created_at: float | None


class Bindings(ResponseModel):
    """All bindings of a project."""

    items: list[BindingResponse]


class CreateBinding(HubRequestModel):
    """A new binding. Only a storage can have a `credential`."""

    kind: BindingWord
    value: Annotated[str, Field(min_length=1, max_length=4096)]
    credential: Annotated[str, Field(max_length=100)] = ""
