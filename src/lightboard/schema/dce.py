"""What the bodies and queries of DCE's API have in common, with the names of its API documents."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from lightboard.schema.model import HubRequestModel
from lightboard.schema.page import MAX_PAGE_SIZE, MAX_PAGES

ALL = -1
"""Page size for everything on one page."""


class DceModel(HubRequestModel):
    """Base class of bodies in DCE's format: names as `logPath`. Fields that the hub cannot honour are unknown ones."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


class DcePageRequest(HubRequestModel):
    """Which page of a list, and in which order. A page size of -1 is everything.

    Clusters, namespaces and queues are accepted and mean nothing: a hub has none.
    """

    model_config = ConfigDict(extra="ignore")

    page: Annotated[int, Field(alias="page.page", ge=1, le=MAX_PAGES)] = 1
    page_size: Annotated[int, Field(alias="page.pageSize", ge=ALL, le=MAX_PAGE_SIZE)] = 20
    sort: Annotated[str, Field(alias="page.sort")] = ""
    search: Annotated[str, Field(alias="page.search", max_length=1000)] = ""

    @property
    def number(self) -> int:
        """The page number that the hub is asked for."""
        return 1 if self.page_size == ALL else self.page

    @property
    def size(self) -> int:
        """The page size that the hub is asked for."""
        return MAX_PAGE_SIZE if self.page_size <= 0 else self.page_size

    @property
    def order(self) -> Literal["created", "name", "-created", "-name"]:
        """What the hub is asked to sort by."""
        return SORTS.get(self.sort, "-created")


SORTS: dict[str, Literal["created", "name", "-created", "-name"]] = {
    "creationTimestamp": "created",
    "-creationTimestamp": "-created",
    "name": "name",
    "-name": "-name",
}


class DcePage(DceModel):
    """The page number, its size, and the total number of items."""

    page: int
    page_size: int
    total: int


class KubeVolume(DceModel):
    """A volume. Only a `DATASET` has a meaning here: `name` is that of a dataset of the hub."""

    type: Literal["VOLUME_TYPE_UNSPECIFIED", "PERSISTENT_VOLUME_CLAIM", "DATASET", "DATASET_RUNTIME_ENV", "MODEL"] = (
        "VOLUME_TYPE_UNSPECIFIED"
    )
    name: Annotated[str, Field(max_length=200)] = ""
    mount_path: Annotated[str, Field(max_length=4096)] = ""
    read_only: bool = False
    data_direction: Literal["DATA_DIRECTION_UNSPECIFIED", "INPUT", "OUTPUT"] = "DATA_DIRECTION_UNSPECIFIED"
