"""Images: the images in the values of a tag, and the bytes of one."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import RequestModel, ResponseModel, Whole
from lightboard.schema.scalars import TagName

Key = Annotated[str, Field(max_length=100, description="identifies a value as long as its file exists")]


class ImageValue(RequestModel):
    """One value, by the name of its run and its key `at`."""

    run: str
    at: Key


class ImagesRequest(RequestModel):
    """Values of one tag. Of each, at most `most` images are described, beginning with the one at index `first`."""

    tag: TagName
    values: Annotated[list[ImageValue], Field(max_length=500, fail_fast=True)]
    first: Whole = 0
    most: Annotated[int, Field(ge=0, le=100)] = 16


class ImageInfo(ResponseModel):
    """One image, as its own bytes describe it. What the writer declared is ignored.

    `width` and `height` are in pixels, 0 if unknown. Data that is not PNG, JPEG, GIF, BMP or WebP has the type
    `application/octet-stream`. An image without the end that its type requires is not `whole`.
    """

    media_type: str
    width: int
    height: int
    whole: bool
    size_bytes: int


class ValueImages(ResponseModel):
    """The requested `images` of a value, which has `count` images in all (at most 10,000 are counted).

    `error` says why there are none; "" if there is no error.
    """

    count: int
    images: list[ImageInfo]
    error: str


class ImagesResponse(ResponseModel):
    """One entry for each requested value, in the requested order."""

    values: list[ValueImages]


class ImageQuery(RequestModel):
    """One image, by the name of its run, its tag, the key `at` of its value, and its index `sample` in the value.

    With `save`, browsers download it instead of displaying it.
    """

    run: str
    tag: str
    at: Key
    sample: Whole = 0
    save: bool = False
