"""/data/plugin/scalars: tags, one series, one tag in several runs."""

from collections.abc import Iterable, Iterator
from itertools import chain

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.bodies import read_form
from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import HEAVY_BYTES, Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.points import json_row_pieces, python_csv_pieces
from lightboard.board.tensorboard.tag_descriptions import tag_descriptions
from lightboard.config import BoardSettings
from lightboard.errors import BadRequest, NotFound
from lightboard.query.export import CHUNK_POINTS
from lightboard.query.provider import ScalarProvider
from lightboard.query.scalars import Points

PLUGIN = "/data/plugin/scalars"

POINT_BYTES = 50
"""Memory of a point, as bytes and as columns."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.responses.cached(
        request, board.provider.structure_generation, tag_descriptions, board.provider, "scalars"
    )


async def scalars(request: Request) -> Response:
    """GET /scalars?run&tag[&format=csv]: [[wall time, step, value], ...] or the same as CSV."""
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    return await send_series(request, run, tag)


async def send_series(request: Request, run: str, tag: str) -> Response:
    """One series in the requested format."""
    board = board_of(request)
    in_csv = first(request, "format") == "csv"
    media_type = "text/csv; charset=utf-8" if in_csv else "application/json"
    return await stream(
        request, scalar_pieces(board.provider, board.settings, run, tag, in_csv=in_csv), media_type, pool=board.pool
    )


def scalar_pieces(provider: ScalarProvider, settings: BoardSettings, run: str, tag: str, *, in_csv: bool) -> Pieces:
    """One series as text. Raises NotFound with TensorBoard's message before the first piece."""
    try:
        held_bytes, chunks = read_samples(provider, settings, run, tag)
    except NotFound:
        raise NotFound(f"No scalar data for run={run!r}, tag={tag!r}") from None
    yield held_bytes
    yield from python_csv_pieces(chunks) if in_csv else json_row_pieces(chunks)


def read_samples(provider: ScalarProvider, settings: BoardSettings, run: str, tag: str) -> tuple[int, Iterable[Points]]:
    """The memory that a series needs, in bytes, and its points in chunks, sampled as in TensorBoard.

    Raises NotFound.
    """
    limit, series = settings.scalar_samples, provider.long_series(run, tag)
    if limit and series.most_points > limit:
        return POINT_BYTES * limit, sampled_chunks(provider, run, tag, limit)
    return POINT_BYTES * min(series.most_points, CHUNK_POINTS), series.pieces


def with_size(held_bytes: int, pieces: Iterator[bytes]) -> json_pieces.Member:
    """The pieces, preceded by the memory they need, in bytes, if it is large."""
    return chain([held_bytes], pieces) if held_bytes > HEAVY_BYTES else pieces


def sampled_chunks(provider: ScalarProvider, run: str, tag: str, limit: int) -> Iterator[Points]:
    """At most `most` points of a series, in one chunk. Raises NotFound."""
    yield provider.samples(run, tag, limit)


async def scalars_multirun(request: Request) -> Response:
    """POST /scalars_multirun with form fields tag (once) and runs (repeated); runs without the tag are left out."""
    board = board_of(request)
    form = await read_form(request, board.pool)
    tags, runs = form.get("tag", []), form.get("runs", [])
    if len(tags) != 1:
        raise BadRequest("tag must be specified exactly once")
    members = series_members(board.provider, board.settings, tags[0], runs)
    return await board.responses.stream(request, json_pieces.object_of(members))


def series_members(
    provider: ScalarProvider, settings: BoardSettings, tag: str, runs: list[str]
) -> Iterator[json_pieces.Member | None]:
    """run: [[wall time, step, value], ...] for each run that has the tag."""
    for run in dict.fromkeys(runs):
        try:
            held_bytes, chunks = read_samples(provider, settings, run, tag)
        except NotFound:
            yield None
            continue
        yield json_pieces.member(run, with_size(held_bytes, json_row_pieces(chunks)))


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/scalars", scalars),
    Route(f"{PLUGIN}/scalars_multirun", scalars_multirun, methods=["POST"]),
)
