"""Responses about one capture of a profiler, which is read once however many ask for it."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.scheduler import Pieces
from lightboard.board.board import board_of
from lightboard.query.capture_store import CaptureStore
from lightboard.query.loaded_capture import LoadedCapture
from lightboard.schema.profiles import CaptureQuery

Query = TypeVar("Query", bound=CaptureQuery)

SORT_KEYS: dict[str, Callable[[Any], Any]] = {
    "name": attrgetter("name"),
    "category": attrgetter("category"),
    "count": attrgetter("count"),
    "total_us": attrgetter("total_ns"),
    "self_us": attrgetter("self_ns"),
    "mean_us": lambda row: row.total_ns / row.count,
    "p95_us": attrgetter("p95_ns"),
}
"""How rows with times are sorted by each of their columns."""


async def respond(
    request: Request, query: Query, pieces: Callable[[LoadedCapture, Query], Pieces], *, partial: bool = False
) -> Response:
    """The response about a capture, or with `partial` about what has been read of it so far."""
    board = board_of(request)
    store = board.provider.profiles()
    return await board.responses.stream(request, loaded_pieces(store, query, pieces, partial=partial))


def loaded_pieces(
    store: CaptureStore, query: Query, pieces: Callable[[LoadedCapture, Query], Pieces], *, partial: bool = False
) -> Pieces:
    """The pieces of an answer, behind those of reading the capture. Raises NotFound, Unshowable."""
    load = store.load_so_far if partial else store.load
    loaded = yield from load(store.find(query.capture))
    try:
        yield from pieces(loaded, query)
    finally:
        loaded.let_go()
