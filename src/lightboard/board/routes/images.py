"""Images: what the values of a tag hold, and the very bytes of one."""

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body
from lightboard.board import json_pieces, media
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.errors import NotFound
from lightboard.events.imagetypes import EXTENSIONS, UNKNOWN
from lightboard.query.images import PLUGIN, ImagePlace, image_place, images_of
from lightboard.query.values import Values
from lightboard.schema.images import ImageQuery, ImagesAnswer, ImagesQuestion


async def describe_images(request: Request) -> Response:
    """POST /api/v1/images"""
    board = board_of(request)
    question = await read_body(request, ImagesQuestion, board.pool)
    described = json_pieces.rows(value_images(board, question))
    return await board.stream_json(request, json_pieces.fields_then({}, "values", described))


def value_images(board: Board, question: ImagesQuestion) -> Iterator[dict[str, Any]]:
    """What each value holds, in the order asked."""
    series: dict[str, Values] = {}
    for value in question.values:
        try:
            if value.run not in series:
                series[value.run] = board.provider.values(PLUGIN, value.run, question.tag, orphans=True)
            values = series[value.run]
            found = images_of(board.provider, values, values.find(value.at), question.first, question.most)
        except NotFound as error:
            yield {"count": 0, "images": [], "error": error.message}
        else:
            images = [image._asdict() for image in found.images]
            yield {"count": found.held, "images": images, "error": found.error}


async def read_image(request: Request) -> Response:
    """GET /api/v1/images/data"""
    board = board_of(request)
    query = await read_series_query(request, ImageQuery, PLUGIN)
    found, step = await board.pool.call(image_of, board, query)
    name = f"{query.run}-{query.tag}-{step}-{query.sample}.{EXTENSIONS[found.type.media_type]}"
    return await send_image(request, board, found, name, save=query.save)


def image_of(board: Board, query: ImageQuery) -> tuple[ImagePlace, int]:
    """Where one image lies, and its step. Raises NotFound, Unshowable."""
    values = board.provider.values(PLUGIN, query.run, query.tag, orphans=True)
    at = values.find(query.at)
    return image_place(board.provider, values, at, query.sample), values.steps[at]


async def send_image(request: Request, board: Board, found: ImagePlace, name: str, *, save: bool) -> Response:
    """The bytes of an image; what is not known to be only pixels is saved, never shown."""
    media_type = found.type.media_type
    headers = media.attachment(name) if save or media_type == UNKNOWN else {}
    return await media.stream(request, board, media.Cut(found.place, found.begin, found.end), media_type, headers)


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/images",
        handler=describe_images,
        summary="What images the values of a tag hold: type, size in pixels and bytes",
        body=ImagesQuestion,
        answer=ImagesAnswer,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/images/data",
        handler=read_image,
        summary="One image, byte for byte as it was written; ranges can be asked for",
        query=ImageQuery,
        answer="image/png, image/jpeg, image/gif, image/bmp, image/webp, application/octet-stream",
        errors=(400, 404, 422),
    ),
)
