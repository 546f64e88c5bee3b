"""Images: the images in the values of a tag, and the bytes of one."""

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body
from lightboard.board import json_pieces, media
from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.errors import NotFound
from lightboard.events.image_types import EXTENSIONS, UNKNOWN
from lightboard.query.images import PLUGIN, ImageLocation, images_of, locate_image
from lightboard.query.provider import ValueProvider
from lightboard.query.values import Values
from lightboard.schema.images import ImageQuery, ImagesRequest, ImagesResponse


async def describe_images(request: Request) -> Response:
    """POST /api/v1/images"""
    board = board_of(request)
    body = await read_body(request, ImagesRequest, board.pool)
    rows = json_pieces.rows(value_images(board.provider, body))
    return await board.responses.stream(request, json_pieces.fields_then({}, "values", rows))


def value_images(provider: ValueProvider, body: ImagesRequest) -> Iterator[dict[str, Any]]:
    """The images of each value, in the requested order."""
    series: dict[str, Values] = {}
    for value in body.values:
        try:
            if value.run not in series:
                series[value.run] = provider.values(PLUGIN, value.run, body.tag, orphans=True)
            values = series[value.run]
            described = images_of(provider, values, values.find(value.at), body.first, body.most)
        except NotFound as error:
            yield {"count": 0, "images": [], "error": error.message}
        else:
            images = [image._asdict() for image in described.images]
            yield {"count": described.held, "images": images, "error": described.error}


async def read_image(request: Request) -> Response:
    """GET /api/v1/images/data"""
    board = board_of(request)
    query = await read_series_query(request, ImageQuery, PLUGIN)
    location, step = await board.pool.call(image_of, board.provider, query)
    name = f"{query.run}-{query.tag}-{step}-{query.sample}.{EXTENSIONS[location.type.media_type]}"
    return await send_image(request, location, name, save=query.save)


def image_of(provider: ValueProvider, query: ImageQuery) -> tuple[ImageLocation, int]:
    """The location of one image, and its step. Raises NotFound, Unshowable."""
    values = provider.values(PLUGIN, query.run, query.tag, orphans=True)
    index = values.find(query.at)
    return locate_image(provider, values, index, query.sample), values.steps[index]


async def send_image(request: Request, location: ImageLocation, name: str, *, save: bool) -> Response:
    """The bytes of an image. Unknown types are downloaded, never displayed."""
    board = board_of(request)
    media_type = location.type.media_type
    headers = media.attachment(name) if save or media_type == UNKNOWN else {}
    return await media.stream(
        request,
        board.provider,
        board.pool,
        media.ByteRange(location.location, location.begin, location.end),
        media_type,
        headers,
    )


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/images",
        handler=describe_images,
        summary="The images in the values of a tag: type, size in pixels and bytes",
        body=ImagesRequest,
        response=ImagesResponse,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/images/data",
        handler=read_image,
        summary="One image as it was written; supports ranges",
        query=ImageQuery,
        response="image/png, image/jpeg, image/gif, image/bmp, image/webp, application/octet-stream",
        errors=(400, 404, 422),
    ),
)
