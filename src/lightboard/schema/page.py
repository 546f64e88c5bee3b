"""One page of a list."""

from typing import Annotated, Generic, TypeVar

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion

Item = TypeVar("Item", bound=Answer)
Short = Annotated[str, Field(max_length=200)]
"""A name, an id, or some words: both databases have an end to what can be looked for."""
MOST = 1000
MOST_PAGES = 10**9


class Page(Answer, Generic[Item]):
    """`items` of page `page` (from 1) with `page_size` places; `total` counts all pages."""

    items: list[Item]
    page: int
    page_size: int
    total: int


class PageQuestion(HubQuestion):
    """Which page of a list."""

    page: Annotated[int, Field(ge=1, le=MOST_PAGES)] = 1
    page_size: Annotated[int, Field(ge=1, le=MOST)] = 100
