"""Pages of a list."""

from typing import Annotated, Generic, TypeVar

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel

Item = TypeVar("Item", bound=ResponseModel)
Short = Annotated[str, Field(max_length=200)]
"""A name, an id, or a few words. Databases limit the length of search patterns."""
MAX_PAGE_SIZE = 1000
MAX_PAGES = 10**9


class Page(ResponseModel, Generic[Item]):
    """One page of a list. Pages are numbered from 1 and have up to `page_size` items; `total` counts all items."""

    items: list[Item]
    page: int
    page_size: int
    total: int


class PageRequest(HubRequestModel):
    """The requested page of a list."""

    page: Annotated[int, Field(ge=1, le=MAX_PAGES)] = 1
    page_size: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = 100
