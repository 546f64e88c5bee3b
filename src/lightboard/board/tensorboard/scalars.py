"""/data/plugin/scalars: tags, one series, one tag over several runs."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.answers import respond
from lightboard.asgi.query_string import first
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.points import csv_of, json_rows
from lightboard.board.tensorboard.words import tag_words
from lightboard.errors import BadRequest, NotFound

PLUGIN = "/data/plugin/scalars"


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.json(request, tag_words, board, "scalars")


async def scalars(request: Request) -> Response:
    """GET /scalars?run&tag[&format=csv]: [[wall time, step, value], ...] or the same as CSV."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    in_csv = first(request, "format") == "csv"
    body = await board.pool.call(scalars_body, board, run, tag, in_csv)
    return await respond(request, body, "text/csv; charset=utf-8" if in_csv else "application/json", pool=board.pool)


def scalars_body(board: Board, run: str, tag: str, in_csv: bool) -> bytes:
    """One series as text. Raises NotFound in TensorBoard's words."""
    try:
        points = board.provider.samples(run, tag, board.settings.scalar_samples)
    except NotFound:
        raise NotFound(f"No scalar data for run={run!r}, tag={tag!r}") from None
    return csv_of(points) if in_csv else json_rows(points)


async def scalars_multirun(request: Request) -> Response:
    """POST /scalars_multirun with form fields tag (once) and runs (repeated); runs without the tag are left out."""
    board = board_of(request)
    form = await request.form()
    tags, runs = form.getlist("tag"), form.getlist("runs")
    if len(tags) != 1:
        raise BadRequest("tag must be specified exactly once")
    return await board.json(request, multirun_body, board, str(tags[0]), list(map(str, runs)))


def multirun_body(board: Board, tag: str, runs: list[str]) -> bytes:
    """{run: [[wall time, step, value], ...]}"""
    pieces = []
    for run in dict.fromkeys(runs):
        try:
            points = board.provider.samples(run, tag, board.settings.scalar_samples)
        except NotFound:
            continue
        pieces.append(encode(run) + b":" + json_rows(points))
    return b"{" + b",".join(pieces) + b"}"


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/scalars", scalars),
    Route(f"{PLUGIN}/scalars_multirun", scalars_multirun, methods=["POST"]),
)
