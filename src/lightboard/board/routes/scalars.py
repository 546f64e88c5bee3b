"""Scalar series: charts in binary, statistics, and every point as JSON or CSV."""

import math

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.points import csv_pieces, json_row_pieces
from lightboard.query.provider import DataProvider, ScalarProvider
from lightboard.query.scalars import AXES, BANDS, STATISTICS, ChartRequest, ChartStyle, Group
from lightboard.schema.scalars import (
    ChartSpec,
    ChartsRequest,
    RangeRequest,
    RangeResponse,
    SeriesQuery,
    SeriesResponse,
    StatsRequest,
    StatsResponse,
)


async def draw_charts(request: Request) -> Response:
    """POST /api/v1/scalars/chart"""
    board = board_of(request)
    body = await read_body(request, ChartsRequest, board.pool)
    charts = [chart_request(chart) for chart in body.charts]
    pieces = board.provider.charts(chart_style(body), charts)
    return await stream(request, pieces, "application/octet-stream", pool=board.pool)


def chart_style(body: ChartsRequest) -> ChartStyle:
    """The style that all charts of a request share."""
    return ChartStyle(
        axis=AXES[body.axis],
        px=body.px,
        smoothing=body.smoothing,
        aux=body.aux,
        orphans=body.orphans,
        x_tag=body.x_tag or "",
        statistic=STATISTICS[body.statistic],
        band=BANDS[body.band],
        last_of_step=body.repeats == "last",
    )


def chart_request(chart: ChartSpec) -> ChartRequest:
    """The request for one chart."""
    return ChartRequest(
        chart.tag,
        None if chart.runs is None else frozenset(chart.runs),
        -math.inf if chart.x0 is None else chart.x0,
        math.inf if chart.x1 is None else chart.x1,
        [Group(group.id, frozenset(group.runs)) for group in chart.groups or ()],
    )


async def read_stats(request: Request) -> Response:
    """POST /api/v1/scalars/stats"""
    board = board_of(request)
    body = await read_body(request, StatsRequest, board.pool)
    return await board.responses.stream(request, stats_pieces(board.provider, body))


def stats_pieces(provider: DataProvider, body: StatsRequest) -> Pieces:
    """The fields of StatsResponse."""
    generation = provider.generation
    runs = None if body.runs is None else frozenset(body.runs)
    series_stats = provider.stats(body.tags, runs, body.orphans)
    rows = json_pieces.rows({"tag": tag, "run": run, **stats._asdict()} for tag, run, stats in series_stats)
    yield from json_pieces.fields_then({"generation": generation}, "stats", rows)


async def read_ranges(request: Request) -> Response:
    """POST /api/v1/scalars/range"""
    board = board_of(request)
    body = await read_body(request, RangeRequest, board.pool)
    return await board.responses.stream(request, range_pieces(board.provider, body))


def range_pieces(provider: DataProvider, body: RangeRequest) -> Pieces:
    """The fields of RangeResponse."""
    generation = provider.generation
    runs = None if body.runs is None else frozenset(body.runs)
    low = -math.inf if body.first is None else body.first
    high = math.inf if body.last is None else body.last
    range_stats = provider.ranges(body.tags, runs, low, high, body.orphans)
    rows = json_pieces.rows({"tag": tag, "run": run, **stats._asdict()} for tag, run, stats in range_stats)
    yield from json_pieces.fields_then({"generation": generation}, "ranges", rows)


async def read_series(request: Request) -> Response:
    """GET /api/v1/scalars/series"""
    board = board_of(request)
    query = read_query(request, SeriesQuery)
    media_type = "text/csv; charset=utf-8" if query.format == "csv" else "application/json"
    return await stream(request, series_pieces(board.provider, query), media_type, pool=board.pool)


def series_pieces(provider: ScalarProvider, query: SeriesQuery) -> Pieces:
    """All points of one series in the requested format. Raises NotFound before the first piece."""
    points = provider.series(query.run, query.tag, query.orphans)
    if query.format == "csv":
        yield from csv_pieces(points, with_superseded=query.orphans)
        return
    yield encode({"run": query.run, "tag": query.tag, "points": []}).removesuffix(b"[]}")
    yield from json_row_pieces([points], with_superseded=query.orphans)
    yield b"}"


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/scalars/chart",
        handler=draw_charts,
        summary="Charts of series, downsampled to pixels, in one binary response",
        body=ChartsRequest,
        response="application/octet-stream",
        errors=(400, 413, 422),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/scalars/stats",
        handler=read_stats,
        summary="Last, min, max and mean of whole series",
        body=StatsRequest,
        response=StatsResponse,
        errors=(400, 413),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/scalars/range",
        handler=read_ranges,
        summary="Exact statistics of series between two steps: ends, extremes, mean, slope",
        body=RangeRequest,
        response=RangeResponse,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/scalars/series",
        handler=read_series,
        summary="All points of one series, as JSON or CSV",
        query=SeriesQuery,
        response=SeriesResponse,
        errors=(400, 404),
    ),
)
