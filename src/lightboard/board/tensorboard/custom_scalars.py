"""/data/plugin/custom_scalars: the layout, the series that a pattern means, one series to take away."""

from collections.abc import Iterator, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.points import json_row_pieces
from lightboard.board.tensorboard.scalars import holding, read_samples, send_series
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
    return await board.stream_json(request, scalars_answer(board, first(request, "run"), first(request, "tag")))


def scalars_answer(board: Board, run: str | None, pattern: str | None) -> Pieces:
    """What /scalars gives; a pattern that is none is no error."""
    from lightboard.query.custom_scalars import matching_tags
    from lightboard.untrusted.patterns import BadPattern

    try:
        tags = matching_tags(board.provider, run or "", pattern) if pattern else None
    except BadPattern:
        tags = None
    valid = b"false" if tags is None else b"true"
    yield b'{"regex_valid":' + valid + b',"tag_to_events":'
    yield from json_pieces.object_of(found_tags(board, run or "", tags or ()))
    yield b"}"


def found_tags(board: Board, run: str, tags: Sequence[str]) -> Iterator[json_pieces.Member | None]:
    """tag: [[wall time, step, value], ...]"""
    for tag in tags:
        try:
            held, stretches = read_samples(board, run, tag)
        except NotFound:
            yield None  # gone since the list was made
            continue
        yield json_pieces.named(tag, holding(held, json_row_pieces(stretches)))


async def download_data(request: Request) -> Response:
    """GET /download_data?run&tag[&format=csv]: as /data/plugin/scalars/scalars."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise NotFound(f"No scalar data for run={run!r}, tag={tag!r}")
    return await send_series(request, board, run, tag)


ROUTES = (
    Route(f"{PLUGIN}/layout", layout),
    Route(f"{PLUGIN}/scalars", scalars),
    Route(f"{PLUGIN}/download_data", download_data),
)
