"""What could not be read, and what the process lacks to take requests and to read."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.lack import list_lacks
from lightboard.schema.problems import ProblemList


async def list_problems(request: Request) -> Response:
    """GET /api/v1/problems"""
    board, lacks = board_of(request), list_lacks(request.scope)
    return await board.json(request, lambda: {"problems": [*lacks, *board.provider.problems()]})


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/problems",
        handler=list_problems,
        summary="Damaged byte ranges and unreadable files, by file and byte; connections and descriptors used up",
        answer=ProblemList,
    ),
)
