"""Texts: one value as it is or as safe HTML, and a search over all of them."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.markdown import laid_out_html
from lightboard.asgi.params import read_body, read_query
from lightboard.board import media
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.query.text import read_cell, read_text
from lightboard.query.text_search import Mark, Query, search, targets_of
from lightboard.schema.text import TextDataQuery, TextFound, TextQuery, TextSearch, TextValue

MARKDOWN_BYTES = 65_536
"""What takes longest to read as Markdown takes half a second at this length, and four times that at twice it."""


async def read_value(request: Request) -> Response:
    """GET /api/v1/text/value"""
    board = board_of(request)
    return await board.json(request, value_body, board, read_query(request, TextQuery))


def value_body(board: Board, query: TextQuery) -> dict[str, Any]:
    """The fields of TextValue."""
    as_html = query.form == "markdown"
    most = min(query.most, MARKDOWN_BYTES) if as_html else query.most
    text = read_text(board.provider, query.run, query.tag, query.at, most, query.slice)
    if as_html:
        text = text._replace(cells=[laid_out_html(cell) for cell in text.cells])
    return text._asdict()


async def read_data(request: Request) -> Response:
    """GET /api/v1/text/data"""
    board = board_of(request)
    query = read_query(request, TextDataQuery)
    cut = await board.pool.call(read_cell, board.provider, query.run, query.tag, query.at, query.cell)
    headers = media.attachment(f"{query.run}-{query.tag}-{query.cell}.txt") if query.save else {}
    return await media.stream(request, board, media.Cut(*cut), "text/plain; charset=utf-8", headers)


async def search_texts(request: Request) -> Response:
    """POST /api/v1/text/search"""
    board = board_of(request)
    question = await read_body(request, TextSearch)
    return await board.json(request, search_body, board, question)


def search_body(board: Board, question: TextSearch) -> dict[str, Any]:
    """The fields of TextFound. Raises BadRequest."""
    runs = None if question.runs is None else frozenset(question.runs)
    targets = list(targets_of(board.provider, question.tags, runs, question.orphans))
    after = Mark(question.after.tag, question.after.run, question.after.at) if question.after else None
    query = Query(question.pattern, question.regex, question.case)
    found = search(targets, query, after=after, most=question.most)
    hits = [hit._asdict() for hit in found.hits]
    return found._asdict() | {"hits": hits, "last": found.last and found.last._asdict()}


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
