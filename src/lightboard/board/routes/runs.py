"""The runs of the logdir."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_query
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.schema.runs import RestartList, RestartsQuery, RunList


async def list_runs(request: Request) -> Response:
    """GET /api/v1/runs"""
    board = board_of(request)
    return await board.json(request, run_list, board)


def run_list(board: Board) -> dict[str, Any]:
    """The fields of RunList."""
    generation = board.provider.generation
    return {"generation": generation, "runs": board.provider.runs()}


async def list_restarts(request: Request) -> Response:
    """GET /api/v1/runs/restarts"""
    board = board_of(request)
    query = read_query(request, RestartsQuery)
    return await board.json(request, restart_list, board, query.run)


def restart_list(board: Board, run: str) -> dict[str, Any]:
    """The fields of RestartList."""
    return {"run": run, "restarts": [session._asdict() for session in board.provider.restarts(run)]}


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/runs",
        handler=list_runs,
        summary="Every run, ordered by slot",
        answer=RunList,
    ),
    Endpoint(
        method="GET",
        path="/api/v1/runs/restarts",
        handler=list_restarts,
        summary="Where the writers of one run began again",
        query=RestartsQuery,
        answer=RestartList,
        errors=(400, 404),
    ),
)
