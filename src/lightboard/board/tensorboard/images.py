"""/data/plugin/images: tags, the values of one series, one image. Shared with the images of the Time Series page."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board import json_pieces, media
from lightboard.board.board import Board, board_of
from lightboard.board.tensorboard.blobs import Blob, blob_key, blob_of
from lightboard.board.tensorboard.words import tag_words
from lightboard.errors import BadRequest, NotFound
from lightboard.events.sampling import kept_indices
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:  # loads NumPy, which the start does not need
    from lightboard.query.images import ImagePlace
    from lightboard.query.values import Values

PLUGIN = "/data/plugin/images"

SAMPLES = 10
"""Values of one series that TensorBoard keeps when nothing else is asked; our own API always has all."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name, description, images of a value."""
    board = board_of(request)
    return await board.stream_json(request, tag_words(board, "images", partial(samples_told, board)))


def samples_told(board: Board, run: str, tag: str) -> dict[str, Any] | None:
    """What is said of a tag beside its words."""
    samples = samples_per_step(board, run, tag)
    return None if samples is None else {"samples": samples}


def samples_per_step(board: Board, run: str, tag: str) -> int | None:
    """The most images of one value, of those values that are told; None for a tag that TensorBoard passes over."""
    from lightboard.query.images import is_known, most_images

    try:
        values = board.provider.values("images", run, tag)
    except NotFound:
        return None
    return most_images(board.provider, values, told(board, values)) if is_known(values.metadata) else None


def told(board: Board, values: "Values") -> list[int]:
    """The numbers of the values that TensorBoard's addresses tell of."""
    return kept_indices(len(values), board.settings.samples.get("images", SAMPLES))


async def images(request: Request) -> Response:
    """GET /images?run&tag[&sample]: [{wall_time, step, query}, ...]"""
    board = board_of(request)
    run, tag, sample = first(request, "run"), first(request, "tag"), first(request, "sample") or "0"
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    number = whole_number(sample)
    if number is None:
        raise BadRequest(f"sample must be a number: {sample[:40]!r}")
    return await board.stream_json(request, json_pieces.rows(image_rows(board, run, tag, number)))


def image_rows(board: Board, run: str, tag: str, sample: int) -> Iterator[dict[str, Any] | None]:
    """The values that have an image of that number. Raises NotFound in TensorBoard's words."""
    try:
        for image in images_told(board, run, tag, sample):
            yield image and {"wall_time": image.wall, "step": image.step, "query": f"blob_key={image.key}"}
    except NotFound:
        raise NotFound(f"No image data for run={run!r}, tag={tag!r}") from None


class ImageTold(NamedTuple):
    """Wall time and step of an image, and the key by which it can be had."""

    wall: float
    step: int
    key: str


def images_told(board: Board, run: str, tag: str, sample: int) -> Iterator[ImageTold | None]:
    """The images numbered `sample` of a series, None for each value that has none. Raises NotFound."""
    from lightboard.query.images import holds_sample

    values = board.provider.values("images", run, tag)
    for at in told(board, values):
        if holds_sample(board.provider, values, at, sample):
            yield ImageTold(values.walls[at], values.steps[at], blob_key(Blob(run, tag, values.key(at), sample)))
        else:
            yield None


def place_of(board: Board, key: str) -> "ImagePlace":
    """Where the image of a key lies. Raises BadRequest, NotFound."""
    from lightboard.query.images import image_place

    run, tag, at, sample = blob_of(key, board.provider, "images")
    values = board.provider.values("images", run, tag, orphans=True)
    return image_place(board.provider, values, values.find(at), sample)


async def individual_image(request: Request) -> Response:
    """GET /individualImage?blob_key: the image."""
    key = first(request, "blob_key")
    if key is None:
        raise BadRequest("Invalid run, tag, index, or sample")
    return await image(request, key)


async def image(request: Request, key: str) -> Response:
    """The image of a key; what is not known to be only pixels is saved, never shown."""
    board = board_of(request)
    found = await board.pool.call(place_of, board, key)
    headers = {} if found.type.media_type.startswith("image/") else media.attachment("image.bin")
    return await media.stream(
        request, board, media.Cut(found.place, found.begin, found.end), found.type.media_type, headers
    )


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/images", images),
    Route(f"{PLUGIN}/individualImage", individual_image),
)
