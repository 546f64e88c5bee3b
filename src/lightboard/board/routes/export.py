"""Downloads of many series."""

from collections.abc import Iterator
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body_or_form
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream_as_is
from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.export import export
from lightboard.board.export.names import fit
from lightboard.query.provider import ScalarProvider
from lightboard.schema.export import ExportRequest

PATH = "/api/v1/export"

MEDIA_TYPES = {".csv": "text/csv; charset=utf-8", ".json": "application/json", ".zip": "application/zip"}


async def export_series(request: Request) -> Response:
    """POST /api/v1/export"""
    board = board_of(request)
    body = await read_body_or_form(request, ExportRequest, board.pool)
    ending = ".zip" if body.archive else f".{body.format}"
    headers = {"cache-control": "no-cache", "content-disposition": attachment(fit(body.name) + ending)}
    return await stream_as_is(
        request, pieces_of(board.provider, body), MEDIA_TYPES[ending], pool=board.pool, headers=headers
    )


def pieces_of(provider: ScalarProvider, body: ExportRequest) -> Pieces:
    """The file in pieces. Nothing is read before the first piece is requested."""
    read, series, orphans = provider.long_series, series_of(provider, body), body.orphans
    if body.archive:
        texts = [export.TextFile(file.name, file.text) for file in body.files]
        yield from export.archive(read, series, texts, format=body.format, orphans=orphans)
    elif body.format == "csv":
        yield from export.table(read, series, orphans=orphans)
    else:
        yield from export.document(read, series, orphans=orphans)


def series_of(provider: ScalarProvider, body: ExportRequest) -> Iterator[export.SeriesId]:
    """The requested series that exist: tags in the requested order, runs by slot."""
    for item in body.series:
        run_ids = None if item.runs is None else frozenset(item.runs)
        for run in provider.runs_having(item.tag, run_ids):
            yield export.SeriesId(run, item.tag)


def attachment(name: str) -> str:
    """The header that makes browsers save the response as `name`, with an ASCII name for old browsers."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_").replace("%", "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


ENDPOINTS = (
    Endpoint(
        method="POST",
        path=PATH,
        handler=export_series,
        summary="All points of many series as one CSV, one JSON document, or a ZIP with a file per series; streamed",
        body=ExportRequest,
        response="text/csv, application/json, application/zip",
        errors=(400, 413),
    ),
)
