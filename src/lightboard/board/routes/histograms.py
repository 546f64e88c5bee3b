"""Histograms: maps of a tag over steps, single histograms, and downloads of whole series."""

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
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.media import attachment
from lightboard.errors import ValueNotFound
from lightboard.events.histograms import Rows
from lightboard.query import histograms
from lightboard.query.histogrammaps import MapStyle, draw_map
from lightboard.query.histograms import PLUGIN
from lightboard.query.provider import ValueProvider
from lightboard.query.scalars import AXES
from lightboard.query.values import Values
from lightboard.schema.histograms import (
    HistogramQuery,
    HistogramResponse,
    HistogramsQuery,
    HistogramsResponse,
    MapRequest,
)

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


async def read_map(request: Request) -> Response:
    """POST /api/v1/histograms/map"""
    board = board_of(request)
    body = await read_body(request, MapRequest, board.pool)
    pieces = draw_map(board.provider, body.tag, body.runs, map_style(body))
    return await stream(request, pieces, "application/octet-stream", pool=board.pool)


def map_style(body: MapRequest) -> MapStyle:
    """The style of a requested map."""
    return MapStyle(
        columns=body.columns,
        rows=body.rows,
        range=body.range,
        shared=body.shared,
        range_runs=body.range_runs,
        pick=body.thin == "pick",
        kept=body.kept,
        depth=body.depth,
        axis=AXES[body.axis],
        x0=-math.inf if body.x0 is None else body.x0,
        x1=math.inf if body.x1 is None else body.x1,
        orphans=body.orphans,
    )


async def read_histogram(request: Request) -> Response:
    """GET /api/v1/histograms/one"""
    board = board_of(request)
    return await board.responses.json(request, histogram_fields, board.provider, read_query(request, HistogramQuery))


def histogram_fields(provider: ValueProvider, query: HistogramQuery) -> dict[str, Any]:
    """The fields of HistogramResponse."""
    values = provider.values(PLUGIN, query.run, query.tag, query.orphans or query.at is not None)
    index = find_index(values, query)
    histogram = histograms.bucket_list(histograms.read_one(provider, values, index))
    return {
        "run": query.run,
        "tag": query.tag,
        "key": values.key(index),
        "step": values.steps[index],
        "wall": values.walls[index],
        "held": histogram.held,
        "merged": histogram.merged,
        "buckets": histogram.buckets,
    }


def find_index(values: Values, query: HistogramQuery) -> int:
    """The index of the requested value. Raises ValueNotFound."""
    if not len(values):
        raise ValueNotFound(f"tag {query.tag!r} of run {query.run!r} has no histogram to show")
    if query.at is not None:
        return values.find(query.at)
    return len(values) - 1 if query.step is None else values.nearest(query.step)


async def download_series(request: Request) -> Response:
    """GET /api/v1/histograms/series"""
    board = board_of(request)
    query = read_query(request, HistogramsQuery)
    headers = attachment(f"{query.run}-{query.tag}.{query.format}")
    return await stream(
        request, series_pieces(board.provider, query), MEDIA_TYPES[query.format], pool=board.pool, headers=headers
    )


def series_pieces(provider: ValueProvider, query: HistogramsQuery) -> Pieces:
    """The whole series. Raises NotFound before the first piece."""
    values = provider.values(PLUGIN, query.run, query.tag, query.orphans)
    yield from table(provider, values) if query.format == "csv" else document(provider, values)


def table(provider: ValueProvider, values: Values) -> Iterator[bytes]:
    """One line for each bucket of each histogram."""
    yield b"step,wall_time,left,right,count\r\n"
    for index, histogram in histograms.all_histograms(provider, values):
        head = f"{values.steps[index]},{values.walls[index]!r}"
        for rows in bucket_batches(histogram.rows):
            yield "".join(f"{head},{left!r},{right!r},{count!r}\r\n" for left, right, count in rows).encode()


def document(provider: ValueProvider, values: Values) -> Pieces:
    """The fields of HistogramsResponse."""
    members = (
        chain([encode([values.walls[index], values.steps[index]])[:-1] + b","], buckets(histogram.rows), [b"]"])
        for index, histogram in histograms.all_histograms(provider, values)
    )
    return json_pieces.fields_then({"run": values.run, "tag": values.tag}, "histograms", json_pieces.array(members))


def buckets(rows: Rows) -> Pieces:
    """[[left, right, count], ...] in pieces: one histogram may have millions of buckets."""
    return json_pieces.batches(bucket_batches(rows))


def bucket_batches(rows: Rows) -> Iterator[list[list[float]]]:
    """The buckets in batches."""
    return (rows[start : start + json_pieces.BATCH].tolist() for start in range(0, len(rows), json_pieces.BATCH))


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/histograms/map",
        handler=read_map,
        summary="The histograms of a tag over steps, downsampled to pixels, in one binary response",
        body=MapRequest,
        response="application/octet-stream",
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/histograms/one",
        handler=read_histogram,
        summary="One histogram with all buckets",
        query=HistogramQuery,
        response=HistogramResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/histograms/series",
        handler=download_series,
        summary="All histograms of one series; streamed",
        query=HistogramsQuery,
        response=HistogramsResponse,
        errors=(400, 404),
    ),
)
