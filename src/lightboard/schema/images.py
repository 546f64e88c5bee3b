"""Images: what the values of a tag hold, and one of them as it was written."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Answer, Question, Whole
from lightboard.schema.scalars import TagName

Key = Annotated[str, Field(max_length=100, description="names a value as long as its file stands")]


class ImageValue(Question):
    """One value: run by name, key."""

    run: str
    at: Key


class ImagesQuestion(Question):
    """Values of one tag; of each at most `most` images from the one numbered `first` on."""

    tag: TagName
    values: Annotated[list[ImageValue], Field(max_length=500, fail_fast=True)]
    first: Whole = 0
    most: Annotated[int, Field(ge=0, le=100)] = 16


class ImageInfo(Answer):
    """One image by its own bytes, not by its writer's word: width and height in pixels (0 where it does not tell), size
    in bytes. What is no PNG, JPEG, GIF, BMP or WebP is `application/octet-stream`; what does not end as its type does
    is not `whole`."""

    media_type: str
    width: int
    height: int
    whole: bool
    size_bytes: int


class ValueImages(Answer):
    """`count` images are in the value (at most 10,000 are told apart); `images` are those asked for. `error` says why
    there are none, or is empty."""

    count: int
    images: list[ImageInfo]
    error: str


class ImagesAnswer(Answer):
    """One entry for each value asked about, in order."""

    values: list[ValueImages]


class ImageQuery(Question):
    """One image: run by name, tag, key of the value, number of the image in it; `save` has browsers keep it."""

    run: str
    tag: str
    at: Key
    sample: Whole = 0
    save: bool = False
