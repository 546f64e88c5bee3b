"""Many series at once, to take away."""

from collections.abc import Iterator
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body_or_form
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream_as_is
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.export import export
from lightboard.board.export.names import fit
from lightboard.schema.export import ExportQuestion

PATH = "/api/v1/export"

MEDIA_TYPES = {".csv": "text/csv; charset=utf-8", ".json": "application/json", ".zip": "application/zip"}


async def export_series(request: Request) -> Response:
    """POST /api/v1/export"""
    board = board_of(request)
    question = await read_body_or_form(request, ExportQuestion, board.pool)
    ending = ".zip" if question.archive else f".{question.format}"
    headers = {"cache-control": "no-cache", "content-disposition": attachment(fit(question.name) + ending)}
    return await stream_as_is(
        request, pieces_of(board, question), MEDIA_TYPES[ending], pool=board.pool, headers=headers
    )


def pieces_of(board: Board, question: ExportQuestion) -> Pieces:
    """The whole answer; nothing is done before the first piece is asked for."""
    read, series, orphans = board.provider.long_series, chosen(board, question), question.orphans
    if question.archive:
        texts = [export.Text(file.name, file.text) for file in question.files]
        yield from export.archive(read, series, texts, format=question.format, orphans=orphans)
    elif question.format == "csv":
        yield from export.table(read, series, orphans=orphans)
    else:
        yield from export.document(read, series, orphans=orphans)


def chosen(board: Board, question: ExportQuestion) -> Iterator[export.Chosen]:
    """Every series asked for that is there: tags in the order asked, runs by slot."""
    for asked in question.series:
        wanted = None if asked.runs is None else frozenset(asked.runs)
        for run in board.provider.runs_having(asked.tag, wanted):
            yield export.Chosen(run, asked.tag)


def attachment(name: str) -> str:
    """The header that makes a browser save the answer under `name`; old ones get it without odd characters."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_").replace("%", "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


ENDPOINTS = (
    Endpoint(
        method="POST",
        path=PATH,
        handler=export_series,
        summary="Every point of many series: one table, one JSON document, or a ZIP with a file for each; streamed",
        body=ExportQuestion,
        answer="text/csv, application/json, application/zip",
        errors=(400, 413),
    ),
)
