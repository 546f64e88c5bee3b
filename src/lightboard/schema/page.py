"""One page of a list."""

from typing import Annotated, Generic, TypeVar

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion

Item = TypeVar("Item", bound=Answer)
MOST = 1000


class Page(Answer, Generic[Item]):
    """`items` of page `page` (from 1) with `page_size` places; `total` counts all pages."""

    items: list[Item]
    page: int
    page_size: int
    total: int


class PageQuestion(HubQuestion):
    """Which page of a list."""

    page: Annotated[int, Field(ge=1)] = 1
    page_size: Annotated[int, Field(ge=1, le=MOST)] = 100
