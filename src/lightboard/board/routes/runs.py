"""The runs of the logdir."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.query.columns import ColumnRequest
from lightboard.schema.columns import ColumnsAnswer, ColumnsQuestion
from lightboard.schema.runs import EventFileList, RestartList, RunList, RunQuery


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
    query = read_query(request, RunQuery)
    return await board.json(request, restart_list, board, query.run)


def restart_list(board: Board, run: str) -> dict[str, Any]:
    """The fields of RestartList."""
    return {"run": run, "restarts": [session._asdict() for session in board.provider.restarts(run)]}


async def list_files(request: Request) -> Response:
    """GET /api/v1/runs/files"""
    board = board_of(request)
    query = read_query(request, RunQuery)
    return await board.json(request, file_list, board, query.run)


def file_list(board: Board, run: str) -> dict[str, Any]:
    """The fields of EventFileList."""
    return {"run": run, "files": [file._asdict() for file in board.provider.files(run)]}


async def read_columns(request: Request) -> Response:
    """POST /api/v1/runs/columns"""
    board = board_of(request)
    question = await read_body(request, ColumnsQuestion)
    return await board.json(request, columns_of, board, question)


def columns_of(board: Board, question: ColumnsQuestion) -> dict[str, Any]:
    """The fields of ColumnsAnswer."""
    generation = board.provider.generation
    asked = [ColumnRequest(column.tag, column.stat) for column in question.columns]
    return {"generation": generation, **board.provider.columns(asked, question.orphans)._asdict()}


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
        query=RunQuery,
        answer=RestartList,
        errors=(400, 404),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/runs/files",
        handler=list_files,
        summary="The event files of one run",
        query=RunQuery,
        answer=EventFileList,
        errors=(400, 404),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/runs/columns",
        handler=read_columns,
        summary="Columns of the run table: one figure of one tag for every run",
        body=ColumnsQuestion,
        answer=ColumnsAnswer,
        errors=(400,),
    ),
)
