"""The runs of the logdir."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.schema.runs import RunList


async def list_runs(request: Request) -> Response:
    """GET /api/v1/runs"""
    board = board_of(request)
    generation = board.provider.generation
    runs = await board.pool.call(board.provider.runs)
    return await board.json(request, RunList(generation=generation, runs=runs))  # type: ignore[arg-type]  # by attribute


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/runs",
        handler=list_runs,
        summary="Every run, ordered by slot",
        answer=RunList,
    ),
)
