"""Datasets: named places with data."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel
from lightboard.schema.tensorboards import Labels

KindWord = Literal["path", "storage", "s3", "gs", "az", "oss", "nfs", "pvc", "reference"]


class DatasetResponse(ResponseModel):
    """A dataset.

    `credential` is the name of a credential, never its key. `used_by` is the number of TensorBoards and datasets that
    use it.
    """

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


class Datasets(ResponseModel):
    """The visible datasets."""

    items: list[DatasetResponse]


class CreateDataset(HubRequestModel):
    """A new dataset.

    `uri` is the absolute path of a folder for path, nfs and pvc, `storage:PATH` for one in the storage of the project,
    a URL such as `s3://bucket/prefix` for object stores, and the name of a dataset for reference.
    """

    name: Annotated[str, Field(max_length=40)] = ""
    display_name: Annotated[str, Field(max_length=200)] = ""
    project: Annotated[str, Field(max_length=200)] = ""
    kind: KindWord
    uri: Annotated[str, Field(min_length=1, max_length=4096)]
    credential: Annotated[str, Field(max_length=100)] = ""
    labels: Labels = Field(default_factory=dict)


class ChangeDataset(HubRequestModel):
    """Changes of a dataset. Null means no change."""

    display_name: Annotated[str, Field(max_length=200)] | None = None
    uri: Annotated[str, Field(min_length=1, max_length=4096)] | None = None
    credential: Annotated[str, Field(max_length=100)] | None = None
    labels: Labels | None = None


class UsedBy(ResponseModel):
    """A TensorBoard that uses the dataset."""

    id: str
    display_name: str
    status: str


class UsedByResponse(ResponseModel):
    """The visible TensorBoards that use a dataset."""

    items: list[UsedBy]
