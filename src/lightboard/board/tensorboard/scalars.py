"""/data/plugin/scalars: tags, one series, one tag over several runs."""

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
from lightboard.board.board import Board, board_of
from lightboard.board.points import json_row_pieces, python_csv_pieces
from lightboard.board.tensorboard.words import tag_words
from lightboard.errors import BadRequest, NotFound
from lightboard.query.export import STRETCH_POINTS
from lightboard.query.scalars import Points

PLUGIN = "/data/plugin/scalars"

POINT_BYTES = 50
"""Of a point that is held, as bytes and as columns."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.cached_json(request, board.provider.structure_generation, tag_words, board, "scalars")


async def scalars(request: Request) -> Response:
    """GET /scalars?run&tag[&format=csv]: [[wall time, step, value], ...] or the same as CSV."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    return await send_series(request, board, run, tag)


async def send_series(request: Request, board: Board, run: str, tag: str) -> Response:
    """One series in the format that is asked for."""
    in_csv = first(request, "format") == "csv"
    media_type = "text/csv; charset=utf-8" if in_csv else "application/json"
    return await stream(request, scalar_pieces(board, run, tag, in_csv=in_csv), media_type, pool=board.pool)


def scalar_pieces(board: Board, run: str, tag: str, *, in_csv: bool) -> Pieces:
    """One series as text. Raises NotFound in TensorBoard's words, before anything else."""
    try:
        held, stretches = read_samples(board, run, tag)
    except NotFound:
        raise NotFound(f"No scalar data for run={run!r}, tag={tag!r}") from None
    yield held
    yield from python_csv_pieces(stretches) if in_csv else json_row_pieces(stretches)


def read_samples(board: Board, run: str, tag: str) -> tuple[int, Iterable[Points]]:
    """The points of a series that TensorBoard would tell, and about how many bytes are held for them at once.

    Raises NotFound.
    """
    most, every = board.settings.scalar_samples, board.provider.long_series(run, tag)
    if most and every.most_points > most:
        return POINT_BYTES * most, sampled(board, run, tag, most)
    return POINT_BYTES * min(every.most_points, STRETCH_POINTS), every.pieces


def holding(held: int, pieces: Iterator[bytes]) -> json_pieces.Member:
    """Pieces for which so many bytes are held; what is little is not told, once for each of a thousand runs."""
    return chain([held], pieces) if held > HEAVY_BYTES else pieces


def sampled(board: Board, run: str, tag: str, most: int) -> Iterator[Points]:
    """So many points of a series, in one stretch. Raises NotFound."""
    yield board.provider.samples(run, tag, most)


async def scalars_multirun(request: Request) -> Response:
    """POST /scalars_multirun with form fields tag (once) and runs (repeated); runs without the tag are left out."""
    board = board_of(request)
    form = await read_form(request, board.pool)
    tags, runs = form.get("tag", []), form.get("runs", [])
    if len(tags) != 1:
        raise BadRequest("tag must be specified exactly once")
    members = found_series(board, tags[0], runs)
    return await board.stream_json(request, json_pieces.object_of(members))


def found_series(board: Board, tag: str, runs: list[str]) -> Iterator[json_pieces.Member | None]:
    """run: [[wall time, step, value], ...] for each run that has the tag."""
    for run in dict.fromkeys(runs):
        try:
            held, stretches = read_samples(board, run, tag)
        except NotFound:
            yield None
            continue
        yield json_pieces.named(run, holding(held, json_row_pieces(stretches)))


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/scalars", scalars),
    Route(f"{PLUGIN}/scalars_multirun", scalars_multirun, methods=["POST"]),
)
