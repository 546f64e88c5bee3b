"""/data/plugin/custom_scalars: the layout, the series that a pattern means, one series to take away."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.answers import respond
from lightboard.asgi.query_string import first
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.points import json_rows
from lightboard.board.tensorboard.scalars import scalars_body
from lightboard.errors import NotFound

PLUGIN = "/data/plugin/custom_scalars"


async def layout(request: Request) -> Response:
    """GET /layout: the layouts of all runs as one, {} where there are none."""
    board = board_of(request)
    return await board.json(request, layout_fields, board)


def layout_fields(board: Board) -> dict[str, Any]:
    """A Layout as protobuf writes it in JSON."""
    from lightboard.query.custom_scalars import read_layouts  # loads NumPy, which the first page does not need

    found = read_layouts(board.provider).layout
    if found is None:
        return {}
    return {
        "version": found.version,
        "category": [
            {"title": title, "chart": [chart_fields(chart) for chart in charts], "closed": closed}
            for title, charts, closed in found.categories
        ],
    }


def chart_fields(chart: Any) -> dict[str, Any]:
    """A Chart as protobuf writes it in JSON."""
    if chart.kind == "multiline":
        return {"title": chart.title, "multiline": {"tag": list(chart.patterns)}}
    if chart.kind == "margin":
        return {"title": chart.title, "margin": {"series": [margin._asdict() for margin in chart.margins]}}
    return {"title": chart.title}


async def scalars(request: Request) -> Response:
    """GET /scalars?run&tag=<pattern>: tag -> [[wall time, step, value], ...] of those that the pattern means."""
    board = board_of(request)
    return await board.json(request, scalars_answer, board, first(request, "run"), first(request, "tag"))


def scalars_answer(board: Board, run: str | None, pattern: str | None) -> bytes:
    """What /scalars gives; a pattern that is none is no error."""
    from lightboard.events.patterns import BadPattern
    from lightboard.query.custom_scalars import matching_tags

    try:
        tags = matching_tags(board.provider, run or "", pattern) if pattern else None
    except BadPattern:
        tags = None
    pieces = []
    for tag in tags or ():
        try:
            points = board.provider.samples(run or "", tag, board.settings.scalar_samples)
        except NotFound:
            continue  # gone since the list was made
        pieces.append(encode(tag) + b":" + json_rows(points))
    valid = b"false" if tags is None else b"true"
    return b'{"regex_valid":' + valid + b',"tag_to_events":{' + b",".join(pieces) + b"}}"


async def download_data(request: Request) -> Response:
    """GET /download_data?run&tag[&format=csv]: as /data/plugin/scalars/scalars."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise NotFound(f"No scalar data for run={run!r}, tag={tag!r}")
    in_csv = first(request, "format") == "csv"
    body = await board.pool.call(scalars_body, board, run, tag, in_csv)
    return await respond(request, body, "text/csv; charset=utf-8" if in_csv else "application/json", pool=board.pool)


ROUTES = (
    Route(f"{PLUGIN}/layout", layout),
    Route(f"{PLUGIN}/scalars", scalars),
    Route(f"{PLUGIN}/download_data", download_data),
)
