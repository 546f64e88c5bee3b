"""The runs of the logdir."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.schema.runs import RunList


async def list_runs(request: Request) -> Response:
    """GET /api/v1/runs"""
    board = board_of(request)
    return await board.json(request, run_list, board)


def run_list(board: Board) -> dict[str, Any]:
    """The fields of RunList."""
    generation = board.provider.generation
    return {"generation": generation, "runs": board.provider.runs()}


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/runs",
        handler=list_runs,
        summary="Every run, ordered by slot",
        answer=RunList,
    ),
)
