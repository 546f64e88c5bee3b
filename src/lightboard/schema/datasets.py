"""Datasets: named places with data."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion
from lightboard.schema.tensorboards import Labels

KindWord = Literal["path", "s3", "gs", "az", "oss", "nfs", "pvc", "reference"]


class DatasetAnswer(Answer):
    """`credential` is the name of a credential, never the key; `used_by` counts TensorBoards over it."""

    id: str
    name: str
    display_name: str
    project: str
    owner: str
    owner_name: str
    kind: KindWord
    uri: str
    credential: str
    labels: dict[str, str]
    created_at: float
    version: int
    used_by: int
    rights: list[str]


class Datasets(Answer):
    """Those of the projects the asker sees."""

    items: list[DatasetAnswer]


class CreateDataset(HubQuestion):
    """`uri` is an absolute folder for path, nfs and pvc; `s3://...` for stores; a dataset's name for reference."""

    name: Annotated[str, Field(max_length=40)] = ""
    display_name: Annotated[str, Field(max_length=200)] = ""
    project: Annotated[str, Field(max_length=200)] = ""
    kind: KindWord
    uri: Annotated[str, Field(min_length=1, max_length=4096)]
    credential: Annotated[str, Field(max_length=100)] = ""
    labels: Labels = Field(default_factory=dict)


class ChangeDataset(HubQuestion):
    """Null leaves as it is."""

    display_name: Annotated[str, Field(max_length=200)] | None = None
    uri: Annotated[str, Field(min_length=1, max_length=4096)] | None = None
    credential: Annotated[str, Field(max_length=100)] | None = None
    labels: Labels | None = None


class UsedBy(Answer):
    """One TensorBoard over a dataset."""

    id: str
    display_name: str
    status: str


class UsedByAnswer(Answer):
    """Those the asker may see."""

    items: list[UsedBy]
