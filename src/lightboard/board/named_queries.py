"""Reads queries with a run and a tag, or with a digest of long names."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel
from starlette.requests import Request

from lightboard.asgi.params import query_as, read_query
from lightboard.board.board import board_of
from lightboard.board.long_names import PARAMETER, SeriesName, find_series
from lightboard.query.provider import DataProvider

M = TypeVar("M", bound=BaseModel)


async def read_series_query(request: Request, model: type[M], kind: str) -> M:
    """The query as `model`, which has `run` and `tag`. Raises BadRequest, NotFound."""
    return await read_named_query(request, model, "tag", lambda provider, digest: find_series(provider, kind, digest))


async def read_named_query(
    request: Request, model: type[M], field: str, find: Callable[[DataProvider, str], SeriesName]
) -> M:
    """The query as `model`, which has `run` and `field`. Raises BadRequest, NotFound."""
    params = dict(request.query_params)
    digest = params.pop(PARAMETER, None)
    if digest is None:
        return read_query(request, model)
    board = board_of(request)
    run, name = await board.pool.call(find, board.provider, digest)
    return query_as(params | {"run": run, field: name}, model)
