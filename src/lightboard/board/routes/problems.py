"""What could not be read."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.schema.problems import ProblemList


async def list_problems(request: Request) -> Response:
    """GET /api/v1/problems"""
    board = board_of(request)
    return await board.json(request, lambda: {"problems": board.provider.problems()})


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/problems",
        handler=list_problems,
        summary="Damaged byte ranges and unreadable files, by file and byte",
        answer=ProblemList,
    ),
)
