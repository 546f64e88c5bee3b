"""How the board is doing, and a rescan on demand."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.schema.status import Status


async def read_status(request: Request) -> Response:
    """GET /api/v1/status"""
    board = board_of(request)
    return await board.json(request, board.provider.status)


async def reload(request: Request) -> Response:
    """POST /api/v1/reload: looks at all files again, then says how things are."""
    board = board_of(request)
    await board.pool.call(board.provider.reload)
    return await read_status(request)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/status",
        handler=read_status,
        summary="What is served, how far reading has come, what could not be read",
        answer=Status,
    ),
    Endpoint(
        method="POST",
        path="/api/v1/reload",
        handler=reload,
        summary="Look at all files now; answers after the scan",
        answer=Status,
    ),
)
