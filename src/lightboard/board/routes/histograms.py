"""Histograms: a tag over steps cut to pixels, one histogram exactly, and a whole series to take away."""

import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.media import attachment
from lightboard.errors import ValueNotFound
from lightboard.events.histograms import Rows
from lightboard.query import histograms
from lightboard.query.histogrammaps import MapStyle, draw_map
from lightboard.query.histograms import PLUGIN
from lightboard.query.scalars import AXES
from lightboard.query.values import Values
from lightboard.schema.histograms import (
    HistogramAnswer,
    HistogramQuery,
    HistogramsAnswer,
    HistogramsQuery,
    MapQuestion,
)

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


async def read_map(request: Request) -> Response:
    """POST /api/v1/histograms/map"""
    board = board_of(request)
    question = await read_body(request, MapQuestion, board.pool)
    pieces = draw_map(board.provider, question.tag, question.runs, map_style(question))
    return await stream(request, pieces, "application/octet-stream", pool=board.pool)


def map_style(question: MapQuestion) -> MapStyle:
    """What a question wants to see."""
    return MapStyle(
        columns=question.columns,
        rows=question.rows,
        range=question.range,
        shared=question.shared,
        range_runs=question.range_runs,
        pick=question.thin == "pick",
        kept=question.kept,
        depth=question.depth,
        axis=AXES[question.axis],
        x0=-math.inf if question.x0 is None else question.x0,
        x1=math.inf if question.x1 is None else question.x1,
        orphans=question.orphans,
    )


async def read_histogram(request: Request) -> Response:
    """GET /api/v1/histograms/one"""
    board = board_of(request)
    return await board.json(request, one_of, board, read_query(request, HistogramQuery))


def one_of(board: Board, query: HistogramQuery) -> dict[str, Any]:
    """The fields of HistogramAnswer."""
    values = board.provider.values(PLUGIN, query.run, query.tag, query.orphans or query.at is not None)
    at = place_of(values, query)
    told = histograms.tell(histograms.read_one(board.provider, values, at))
    return {
        "run": query.run,
        "tag": query.tag,
        "key": values.key(at),
        "step": values.steps[at],
        "wall": values.walls[at],
        "held": told.held,
        "merged": told.merged,
        "buckets": told.buckets,
    }


def place_of(values: Values, query: HistogramQuery) -> int:
    """The number of the value that is meant. Raises ValueNotFound."""
    if not len(values):
        raise ValueNotFound(f"tag {query.tag!r} of run {query.run!r} has no histogram that is shown")
    if query.at is not None:
        return values.find(query.at)
    return len(values) - 1 if query.step is None else values.nearest(query.step)


async def take_series(request: Request) -> Response:
    """GET /api/v1/histograms/series"""
    board = board_of(request)
    query = read_query(request, HistogramsQuery)
    headers = attachment(f"{query.run}-{query.tag}.{query.format}")
    return await stream(
        request, series_pieces(board, query), MEDIA_TYPES[query.format], pool=board.pool, headers=headers
    )


def series_pieces(board: Board, query: HistogramsQuery) -> Pieces:
    """The whole series. Raises NotFound before anything else."""
    values = board.provider.values(PLUGIN, query.run, query.tag, query.orphans)
    yield from table(board, values) if query.format == "csv" else document(board, values)


def table(board: Board, values: Values) -> Iterator[bytes]:
    """One line for each bucket of each histogram."""
    yield b"step,wall_time,left,right,count\r\n"
    for at, histogram in histograms.every_one(board.provider, values):
        head = f"{values.steps[at]},{values.walls[at]!r}"
        for rows in bucket_lots(histogram.rows):
            yield "".join(f"{head},{left!r},{right!r},{count!r}\r\n" for left, right, count in rows).encode()


def document(board: Board, values: Values) -> Pieces:
    """The fields of HistogramsAnswer."""
    members = (
        chain([encode([values.walls[at], values.steps[at]])[:-1] + b","], buckets(histogram.rows), [b"]"])
        for at, histogram in histograms.every_one(board.provider, values)
    )
    return json_pieces.fields_then({"run": values.run, "tag": values.tag}, "histograms", json_pieces.array(members))


def buckets(rows: Rows) -> Pieces:
    """[[left, right, count], ...], some at a time: one histogram may have millions."""
    return json_pieces.batches(bucket_lots(rows))


def bucket_lots(rows: Rows) -> Iterator[list[list[float]]]:
    """The buckets, some at a time."""
    return (rows[at : at + json_pieces.BATCH].tolist() for at in range(0, len(rows), json_pieces.BATCH))


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/histograms/map",
        handler=read_map,
        summary="The histograms of a tag over steps, cut to pixels, in one binary answer",
        body=MapQuestion,
        answer="application/octet-stream",
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/histograms/one",
        handler=read_histogram,
        summary="One histogram, every bucket",
        query=HistogramQuery,
        answer=HistogramAnswer,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/histograms/series",
        handler=take_series,
        summary="Every histogram of one series, exactly; streamed",
        query=HistogramsQuery,
        answer=HistogramsAnswer,
        errors=(400, 404),
    ),
)
