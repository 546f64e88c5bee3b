"""Texts: one value as it is or as safe HTML, and a search over all of them."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces, media
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.query.text import PLUGIN, read_cell, read_text
from lightboard.query.text_search import Mark, Query, search_steps, targets_of
from lightboard.schema.text import TextDataQuery, TextFound, TextQuery, TextSearch, TextValue
from lightboard.untrusted.rendering import Budget

MARKDOWN_BYTES = 65_536
"""So much of one value is rendered."""


async def read_value(request: Request) -> Response:
    """GET /api/v1/text/value"""
    board = board_of(request)
    return await board.stream_json(request, value_pieces(board, read_query(request, TextQuery)))


def value_pieces(board: Board, query: TextQuery) -> Pieces:
    """The fields of TextValue; gives way after each cell."""
    as_html = query.form == "markdown"
    most = min(query.most, MARKDOWN_BYTES) if as_html else query.most
    text = read_text(board.provider, query.run, query.tag, query.at, most, query.slice)
    cells, plain, budget = text.cells, False, Budget()
    if as_html:
        cells = []
        for cell in text.cells:
            rendered = budget.render_laid_out(cell)
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
    cut = await board.pool.call(read_cell, board.provider, query.run, query.tag, query.at, query.cell)
    headers = media.attachment(f"{query.run}-{query.tag}-{query.cell}.txt") if query.save else {}
    return await media.stream(request, board, media.Cut(*cut), "text/plain; charset=utf-8", headers)


async def search_texts(request: Request) -> Response:
    """POST /api/v1/text/search"""
    board = board_of(request)
    question = await read_body(request, TextSearch, board.pool)
    return await board.stream_json(request, search_pieces(board, question))


def search_pieces(board: Board, question: TextSearch) -> Pieces:
    """The fields of TextFound. Raises BadRequest."""
    runs = None if question.runs is None else frozenset(question.runs)
    targets = []
    for target in targets_of(board.provider, question.tags, runs, question.orphans):
        targets.append(target)
        yield None
    after = Mark(question.after.tag, question.after.run, question.after.at) if question.after else None
    query = Query(question.pattern, question.regex, question.case)
    found = yield from search_steps(targets, query, after=after, most=question.most)
    head = found._asdict() | {"last": found.last and found.last._asdict()}
    del head["hits"]
    yield from json_pieces.fields_then(head, "hits", json_pieces.rows(hit._asdict() for hit in found.hits))


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/text/value",
        handler=read_value,
        summary="One text, or the table of texts of one value: as it is, or as safe HTML",
        query=TextQuery,
        answer=TextValue,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/text/data",
        handler=read_data,
        summary="One string of one value, byte for byte, of any length",
        query=TextDataQuery,
        answer="text/plain",
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/text/search",
        handler=search_texts,
        summary="Which texts match, over all steps: the first match of each with what is around it",
        body=TextSearch,
        answer=TextFound,
        errors=(400, 413),
    ),
)
