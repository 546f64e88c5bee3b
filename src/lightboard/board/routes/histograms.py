"""Histograms: a tag over steps cut to pixels, one histogram exactly, and a whole series to take away."""

import math
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lightboard.asgi.answers import respond
from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.pool import Pool
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.media import attachment
from lightboard.errors import ValueNotFound
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
PIECE_BYTES = 256 << 10


async def read_map(request: Request) -> Response:
    """POST /api/v1/histograms/map"""
    board = board_of(request)
    question = await read_body(request, MapQuestion)
    body = await board.pool.call(draw_map, board.provider, question.tag, question.runs, map_style(question))
    return await respond(request, body, "application/octet-stream", pool=board.pool)


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
    values = await board.pool.call(board.provider.values, PLUGIN, query.run, query.tag, query.orphans)
    write = table if query.format == "csv" else document
    return StreamingResponse(
        made_in(board.pool, gathered(write(board, values))),
        headers={"cache-control": "no-cache", **attachment(f"{query.run}-{query.tag}.{query.format}")},
        media_type=MEDIA_TYPES[query.format],
    )


def table(board: Board, values: Values) -> Iterator[bytes]:
    """One line for each bucket of each histogram."""
    yield b"step,wall_time,left,right,count\r\n"
    for at, histogram in histograms.every_one(board.provider, values):
        head = f"{values.steps[at]},{values.walls[at]!r}"
        yield "".join(
            f"{head},{left!r},{right!r},{count!r}\r\n" for left, right, count in histogram.rows.tolist()
        ).encode()


def document(board: Board, values: Values) -> Iterator[bytes]:
    """The fields of HistogramsAnswer."""
    yield encode({"run": values.run, "tag": values.tag, "histograms": []}).removesuffix(b"]}")
    comma = b""
    for at, histogram in histograms.every_one(board.provider, values):
        yield comma + encode([values.walls[at], values.steps[at], histogram.rows.tolist()])
        comma = b","
    yield b"]}"


def gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces that are not small."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= PIECE_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


async def made_in(pool: Pool, pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    """Each piece is made in a thread when the client has taken the one before; one that leaves ends the work."""
    maker = iter(pieces)
    while (piece := await pool.call(next, maker, None)) is not None:
        yield piece


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
