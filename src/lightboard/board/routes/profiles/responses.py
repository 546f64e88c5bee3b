"""Responses about one capture of a profiler, which is read once however many ask for it."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.scheduler import Pieces
from lightboard.board.board import board_of
from lightboard.query.capture_store import CaptureStore, LoadedCapture
from lightboard.schema.profiles import CaptureQuery

Query = TypeVar("Query", bound=CaptureQuery)

SORT_KEYS: dict[str, Callable[[Any], Any]] = {
    "name": attrgetter("name"),
    "category": attrgetter("category"),
    "count": attrgetter("count"),
    "total_us": attrgetter("total_ns"),
    "self_us": attrgetter("self_ns"),
    "mean_us": lambda row: row.total_ns / row.count,
}
"""How rows with times are sorted by each of their columns."""


async def respond(request: Request, query: Query, pieces: Callable[[LoadedCapture, Query], Pieces]) -> Response:
    """The response about a capture."""
    board = board_of(request)
    store = board.provider.profiles()
    return await board.responses.stream(request, loaded_pieces(store, query, pieces))


def loaded_pieces(store: CaptureStore, query: Query, pieces: Callable[[LoadedCapture, Query], Pieces]) -> Pieces:
    """The pieces of an answer, behind those of reading the capture. Raises NotFound, Unshowable."""
    loaded = yield from store.load(store.find(query.capture))
    yield from pieces(loaded, query)
