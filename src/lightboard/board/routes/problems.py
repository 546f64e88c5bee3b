"""Damaged and unreadable files, and problems of the process."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.process_problems import process_problems
from lightboard.schema.problems import ProblemList


async def list_problems(request: Request) -> Response:
    """GET /api/v1/problems"""
    board, own_problems = board_of(request), process_problems(request.scope)
    return await board.responses.json(request, lambda: {"problems": [*own_problems, *board.provider.problems()]})


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/problems",
        handler=list_problems,
        summary="Damaged byte ranges and unreadable files, and limits of connections and descriptors that are reached",
        response=ProblemList,
    ),
)
