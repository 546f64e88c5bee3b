"""The status of the board, and a rescan on request."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.schema.status import Status


async def read_status(request: Request) -> Response:
    """GET /api/v1/status"""
    board = board_of(request)
    return await board.responses.json(request, board.provider.status)


async def reload(request: Request) -> Response:
    """POST /api/v1/reload"""
    board = board_of(request)
    await board.pool.call(board.provider.reload)
    return await read_status(request)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/status",
        handler=read_status,
        summary="The logdir, the progress of reading, and what could not be read",
        response=Status,
    ),
    Endpoint(
        method="POST",
        path="/api/v1/reload",
        handler=reload,
        summary="Rescan all files now; responds after the scan",
        response=Status,
    ),
)
