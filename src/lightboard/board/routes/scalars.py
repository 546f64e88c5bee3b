"""Scalar series: charts in binary, statistics, and every point as JSON or CSV."""

import math

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.points import csv_pieces, json_row_pieces
from lightboard.query.scalars import AXES, BANDS, STATISTICS, ChartRequest, ChartStyle, Group
from lightboard.schema.scalars import (
    ChartQuestion,
    ChartsQuestion,
    RangeAnswer,
    RangeQuestion,
    SeriesAnswer,
    SeriesQuery,
    StatsAnswer,
    StatsQuestion,
)


async def draw_charts(request: Request) -> Response:
    """POST /api/v1/scalars/chart"""
    board = board_of(request)
    question = await read_body(request, ChartsQuestion, board.pool)
    charts = [chart_request(chart) for chart in question.charts]
    pieces = board.provider.charts(chart_style(question), charts)
    return await stream(request, pieces, "application/octet-stream", pool=board.pool)


def chart_style(question: ChartsQuestion) -> ChartStyle:
    """What the charts of a question share."""
    return ChartStyle(
        axis=AXES[question.axis],
        px=question.px,
        smoothing=question.smoothing,
        aux=question.aux,
        orphans=question.orphans,
        x_tag=question.x_tag or "",
        statistic=STATISTICS[question.statistic],
        band=BANDS[question.band],
    )


def chart_request(chart: ChartQuestion) -> ChartRequest:
    """One chart of a question."""
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
    question = await read_body(request, StatsQuestion, board.pool)
    return await board.stream_json(request, stats_pieces(board, question))


def stats_pieces(board: Board, question: StatsQuestion) -> Pieces:
    """StatsAnswer, a series at a time."""
    generation = board.provider.generation
    runs = None if question.runs is None else frozenset(question.runs)
    found = board.provider.stats(question.tags, runs, question.orphans)
    rows = json_pieces.rows({"tag": tag, "run": run, **stats._asdict()} for tag, run, stats in found)
    yield from json_pieces.fields_then({"generation": generation}, "stats", rows)


async def read_ranges(request: Request) -> Response:
    """POST /api/v1/scalars/range"""
    board = board_of(request)
    question = await read_body(request, RangeQuestion, board.pool)
    return await board.stream_json(request, range_pieces(board, question))


def range_pieces(board: Board, question: RangeQuestion) -> Pieces:
    """RangeAnswer, a series at a time."""
    generation = board.provider.generation
    runs = None if question.runs is None else frozenset(question.runs)
    low = -math.inf if question.first is None else question.first
    high = math.inf if question.last is None else question.last
    found = board.provider.ranges(question.tags, runs, low, high, question.orphans)
    rows = json_pieces.rows({"tag": tag, "run": run, **stats._asdict()} for tag, run, stats in found)
    yield from json_pieces.fields_then({"generation": generation}, "ranges", rows)


async def read_series(request: Request) -> Response:
    """GET /api/v1/scalars/series"""
    board = board_of(request)
    query = read_query(request, SeriesQuery)
    media_type = "text/csv; charset=utf-8" if query.format == "csv" else "application/json"
    return await stream(request, series_pieces(board, query), media_type, pool=board.pool)


def series_pieces(board: Board, query: SeriesQuery) -> Pieces:
    """Every point of one series in the format asked for. Raises NotFound before the first piece."""
    points = board.provider.series(query.run, query.tag, query.orphans)
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
        summary="Series cut to pixels, several charts in one binary answer",
        body=ChartsQuestion,
        answer="application/octet-stream",
        errors=(400, 413, 422),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/scalars/stats",
        handler=read_stats,
        summary="Last, min, max and mean of whole series",
        body=StatsQuestion,
        answer=StatsAnswer,
        errors=(400, 413),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/scalars/range",
        handler=read_ranges,
        summary="Exact figures of series between two steps: ends, extremes, mean, slope",
        body=RangeQuestion,
        answer=RangeAnswer,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/scalars/series",
        handler=read_series,
        summary="Every point of one series, exact, as JSON or CSV",
        query=SeriesQuery,
        answer=SeriesAnswer,
        errors=(400, 404),
    ),
)
