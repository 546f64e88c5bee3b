"""What a project may use: folders, addresses, credentials and datasets that an administrator has bound to it."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion

BindingWord = Literal["root", "storage", "credential", "dataset"]


class BindingAnswer(Answer):
    """`id` is "" for what the hub was started with, which no request takes away.

    `value` is a folder, an address in a bucket, a credential's name, or a dataset's id, whose name is then `shown`.
    `credential` opens a storage, "" where the hub's rule for addresses does.
    """

    id: str
    kind: BindingWord
    value: str
    shown: str
    credential: str
    created_at: float | None


class Bindings(Answer):
    """All of a project."""

    items: list[BindingAnswer]


class CreateBinding(HubQuestion):
    """`credential` goes with a storage alone."""

    kind: BindingWord
    value: Annotated[str, Field(min_length=1, max_length=4096)]
    credential: Annotated[str, Field(max_length=100)] = ""
