"""/data/plugin/images: tags, the values of a series, one image. Also used by the Time Series page."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board import json_pieces, media
from lightboard.board.board import board_of
from lightboard.board.tensorboard.blobs import Blob, blob_key, blob_of
from lightboard.board.tensorboard.tag_descriptions import tag_descriptions
from lightboard.config import BoardSettings
from lightboard.errors import BadRequest, NotFound
from lightboard.events.sampling import sample_indices
from lightboard.query.provider import DataProvider, ValueProvider
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:  # imports NumPy
    from lightboard.query.images import ImageLocation
    from lightboard.query.values import Values

PLUGIN = "/data/plugin/images"

SAMPLES = 10
"""TensorBoard's default number of values per series. Our own API always returns all."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name, description, images of a value."""
    board = board_of(request)
    return await board.responses.stream(
        request, tag_descriptions(board.provider, "images", partial(image_counts, board.provider, board.settings))
    )


def image_counts(provider: ValueProvider, settings: BoardSettings, run: str, tag: str) -> dict[str, Any] | None:
    """The extra field of a tag; None if TensorBoard ignores the tag."""
    samples = samples_per_step(provider, settings, run, tag)
    return None if samples is None else {"samples": samples}


def samples_per_step(provider: ValueProvider, settings: BoardSettings, run: str, tag: str) -> int | None:
    """The largest number of images in one of the returned values; None if TensorBoard ignores the tag."""
    from lightboard.query.images import is_known, most_images

    try:
        values = provider.values("images", run, tag)
    except NotFound:
        return None
    return most_images(provider, values, sampled_indices(settings, values)) if is_known(values.metadata) else None


def sampled_indices(settings: BoardSettings, values: "Values") -> list[int]:
    """The indices of the values that TensorBoard's routes return."""
    return sample_indices(len(values), settings.samples.get("images", SAMPLES))


async def images(request: Request) -> Response:
    """GET /images?run&tag[&sample]: [{wall_time, step, query}, ...]"""
    board = board_of(request)
    run, tag, sample = first(request, "run"), first(request, "tag"), first(request, "sample") or "0"
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    number = whole_number(sample)
    if number is None:
        raise BadRequest(f"sample must be a number: {sample[:40]!r}")
    return await board.responses.stream(
        request, json_pieces.rows(image_rows(board.provider, board.settings, run, tag, number))
    )


def image_rows(
    provider: ValueProvider, settings: BoardSettings, run: str, tag: str, sample: int
) -> Iterator[dict[str, Any] | None]:
    """The values with an image at index `sample`. Raises NotFound with TensorBoard's message."""
    try:
        for image in list_images(provider, settings, run, tag, sample):
            yield image and {"wall_time": image.wall, "step": image.step, "query": f"blob_key={image.key}"}
    except NotFound:
        raise NotFound(f"No image data for run={run!r}, tag={tag!r}") from None


class ImageInfo(NamedTuple):
    """Wall time and step of an image, and the key to request it."""

    wall: float
    step: int
    key: str


def list_images(
    provider: ValueProvider, settings: BoardSettings, run: str, tag: str, sample: int
) -> Iterator[ImageInfo | None]:
    """The image with index `sample` of each value of a series, None for values without one. Raises NotFound."""
    from lightboard.query.images import holds_sample

    values = provider.values("images", run, tag)
    for index in sampled_indices(settings, values):
        if holds_sample(provider, values, index, sample):
            yield ImageInfo(
                values.walls[index], values.steps[index], blob_key(Blob(run, tag, values.key(index), sample))
            )
        else:
            yield None


def locate(provider: DataProvider, key: str) -> "ImageLocation":
    """The location of the image of a key. Raises BadRequest, NotFound."""
    from lightboard.query.images import locate_image

    run, tag, at, sample = blob_of(key, provider, "images")
    values = provider.values("images", run, tag, orphans=True)
    return locate_image(provider, values, values.find(at), sample)


async def individual_image(request: Request) -> Response:
    """GET /individualImage?blob_key: the image."""
    key = first(request, "blob_key")
    if key is None:
        raise BadRequest("Invalid run, tag, index, or sample")
    return await image(request, key)


async def image(request: Request, key: str) -> Response:
    """The image of a key. Unknown types are downloaded, never displayed."""
    board = board_of(request)
    location = await board.pool.call(locate, board.provider, key)
    headers = {} if location.type.media_type.startswith("image/") else media.attachment("image.bin")
    return await media.stream(
        request,
        board.provider,
        board.pool,
        media.ByteRange(location.location, location.begin, location.end),
        location.type.media_type,
        headers,
    )


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/images", images),
    Route(f"{PLUGIN}/individualImage", individual_image),
)
