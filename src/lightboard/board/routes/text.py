"""Texts: one value as written or as sanitised HTML, and a search over all texts."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces, media
from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.query.provider import DataProvider, ValueProvider
from lightboard.query.text import PLUGIN, read_cell, read_text
from lightboard.query.text_search import Position, Query, search_steps, targets_of
from lightboard.schema.text import TextDataQuery, TextQuery, TextSearchRequest, TextSearchResponse, TextValue
from lightboard.untrusted.rendering import Budget

MARKDOWN_BYTES = 65_536
"""Limit of the bytes of one value that are rendered."""


async def read_value(request: Request) -> Response:
    """GET /api/v1/text/value"""
    board = board_of(request)
    return await board.responses.stream(request, value_pieces(board.provider, read_query(request, TextQuery)))


def value_pieces(provider: ValueProvider, query: TextQuery) -> Pieces:
    """The fields of TextValue. Yields after each cell."""
    as_html = query.form == "markdown"
    limit = min(query.most, MARKDOWN_BYTES) if as_html else query.most
    text = read_text(provider, query.run, query.tag, query.at, limit, query.slice)
    cells, plain, budget = text.cells, False, Budget()
    if as_html:
        cells = []
        for cell in text.cells:
            rendered = budget.render_keeping_json(cell)
            cells.append(rendered.html)
            plain = plain or rendered.plain
            yield None
    head = {**text._asdict(), "plain": plain}
    del head["cells"]
    yield from json_pieces.fields_then(head, "cells", json_pieces.rows(cells))


async def read_data(request: Request) -> Response:
    """GET /api/v1/text/data"""
    board = board_of(request)
    query = await read_series_query(request, TextDataQuery, PLUGIN)
    byte_range = await board.pool.call(read_cell, board.provider, query.run, query.tag, query.at, query.cell)
    headers = media.attachment(f"{query.run}-{query.tag}-{query.cell}.txt") if query.save else {}
    return await media.stream(
        request, board.provider, board.pool, media.ByteRange(*byte_range), "text/plain; charset=utf-8", headers
    )


async def search_texts(request: Request) -> Response:
    """POST /api/v1/text/search"""
    board = board_of(request)
    body = await read_body(request, TextSearchRequest, board.pool)
    return await board.responses.stream(request, search_pieces(board.provider, body))


def search_pieces(provider: DataProvider, body: TextSearchRequest) -> Pieces:
    """The fields of TextSearchResponse. Raises BadRequest."""
    runs = None if body.runs is None else frozenset(body.runs)
    targets = []
    for target in targets_of(provider, body.tags, runs, body.orphans):
        targets.append(target)
        yield None
    after = Position(body.after.tag, body.after.run, body.after.at) if body.after else None
    query = Query(body.pattern, body.regex, body.case)
    result = yield from search_steps(targets, query, after=after, most=body.most)
    head = result._asdict() | {"last": result.last and result.last._asdict()}
    del head["hits"]
    yield from json_pieces.fields_then(head, "hits", json_pieces.rows(hit._asdict() for hit in result.hits))


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/text/value",
        handler=read_value,
        summary="One text, or the table of texts of one value: as written, or as sanitised HTML",
        query=TextQuery,
        response=TextValue,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/text/data",
        handler=read_data,
        summary="One string of one value, of any length",
        query=TextDataQuery,
        response="text/plain",
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/text/search",
        handler=search_texts,
        summary="Search texts over all steps; returns the first match of each text with its context",
        body=TextSearchRequest,
        response=TextSearchResponse,
        errors=(400, 413),
    ),
)
