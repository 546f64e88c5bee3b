"""/data/plugin/custom_scalars: the layout, the series that match a pattern, downloads."""

from collections.abc import Iterator, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.points import json_row_pieces
from lightboard.board.tensorboard.scalars import read_samples, send_series, with_size
from lightboard.config import BoardSettings
from lightboard.errors import NotFound
from lightboard.query.provider import DataProvider, ScalarProvider

PLUGIN = "/data/plugin/custom_scalars"


async def layout(request: Request) -> Response:
    """GET /layout: the merged layouts of all runs, {} if there are none."""
    board = board_of(request)
    return await board.responses.json(request, layout_fields, board.provider)


def layout_fields(provider: DataProvider) -> dict[str, Any]:
    """A Layout in protobuf's JSON."""
    from lightboard.query.custom_scalars import read_layouts  # imports NumPy

    merged = read_layouts(provider).layout
    if merged is None:
        return {}
    return {
        "version": merged.version,
        "category": [
            {"title": title, "chart": [chart_fields(chart) for chart in charts], "closed": closed}
            for title, charts, closed in merged.categories
        ],
    }


def chart_fields(chart: Any) -> dict[str, Any]:
    """A Chart in protobuf's JSON."""
    if chart.kind == "multiline":
        return {"title": chart.title, "multiline": {"tag": list(chart.patterns)}}
    if chart.kind == "margin":
        return {"title": chart.title, "margin": {"series": [margin._asdict() for margin in chart.margins]}}
    return {"title": chart.title}


async def scalars(request: Request) -> Response:
    """GET /scalars?run&tag=<pattern>: tag -> [[wall time, step, value], ...] of the tags that match."""
    board = board_of(request)
    return await board.responses.stream(
        request, scalar_pieces(board.provider, board.settings, first(request, "run"), first(request, "tag"))
    )


def scalar_pieces(provider: DataProvider, settings: BoardSettings, run: str | None, pattern: str | None) -> Pieces:
    """The response of /scalars. An invalid pattern is reported in the response."""
    from lightboard.query.custom_scalars import matching_tags
    from lightboard.untrusted.patterns import BadPattern

    try:
        tags = matching_tags(provider, run or "", pattern) if pattern else None
    except BadPattern:
        tags = None
    valid = b"false" if tags is None else b"true"
    yield b'{"regex_valid":' + valid + b',"tag_to_events":'
    yield from json_pieces.object_of(series_members(provider, settings, run or "", tags or ()))
    yield b"}"


def series_members(
    provider: ScalarProvider, settings: BoardSettings, run: str, tags: Sequence[str]
) -> Iterator[json_pieces.Member | None]:
    """tag: [[wall time, step, value], ...]"""
    for tag in tags:
        try:
            held_bytes, chunks = read_samples(provider, settings, run, tag)
        except NotFound:
            yield None  # removed meanwhile
            continue
        yield json_pieces.member(tag, with_size(held_bytes, json_row_pieces(chunks)))


async def download_data(request: Request) -> Response:
    """GET /download_data?run&tag[&format=csv]: as /data/plugin/scalars/scalars."""
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise NotFound(f"No scalar data for run={run!r}, tag={tag!r}")
    return await send_series(request, run, tag)


ROUTES = (
    Route(f"{PLUGIN}/layout", layout),
    Route(f"{PLUGIN}/scalars", scalars),
    Route(f"{PLUGIN}/download_data", download_data),
)
