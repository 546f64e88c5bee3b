"""The runs of the logdir."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import page_of, read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.errors import BadRequest
from lightboard.query.columns import ColumnRequest
from lightboard.schema.columns import ColumnsAnswer, ColumnsQuestion
from lightboard.schema.runs import EventFileList, RestartList, RunList, RunListQuery, RunQuery

RUNS_AT_ONCE = 256
"""Encoded in one go, which takes a millisecond."""


async def list_runs(request: Request) -> Response:
    """GET /api/v1/runs"""
    board = board_of(request)
    query = read_query(request, RunListQuery)
    if query.since and query != RunListQuery(since=query.since):
        raise BadRequest("since is for the whole list", hint="leave everything else out, or ask without since")
    if query == RunListQuery():
        table = await board.pool.call(board.provider.run_table)
        return await board.cached_json(request, table.version, whole_run_list, board)
    return await board.stream_json(request, run_list(board, query))


def whole_run_list(board: Board) -> Pieces:
    """The fields of RunList with all runs."""
    return run_list(board, RunListQuery())


def run_list(board: Board, query: RunListQuery) -> Pieces:
    """The fields of RunList, some runs at a time."""
    fields = run_fields(board, query)
    runs = fields.pop("runs")
    lots = (runs[at : at + RUNS_AT_ONCE] for at in range(0, len(runs), RUNS_AT_ONCE))
    yield from json_pieces.fields_then(fields, "runs", json_pieces.batches(lots))


def run_fields(board: Board, query: RunListQuery) -> dict[str, Any]:
    """The fields of RunList."""
    generation = board.provider.generation
    table = board.provider.run_table()
    answer = {"generation": generation, "version": table.version, "since": None, "ids": None}
    known = table.number_of(query.since)
    if known is not None:
        different = [row for row in table.rows if table.remade[row.id] > known]
        ids = [row.id for row in table.rows] if table.listed > known else None
        return {**answer, "since": query.since, "total": len(table.rows), "ids": ids, "runs": different}
    part = query.filter.casefold()
    found = [row for row in table.rows if part in row.name.casefold()] if part else table.rows
    begin = 0 if query.after is None else bisect_right(found, query.after, key=lambda row: row.slot)
    return {**answer, "total": len(found), "runs": page_of(found, begin + query.offset, query.limit)}


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
    question = await read_body(request, ColumnsQuestion, board.pool)
    return await board.stream_json(request, columns_of(board, question))


def columns_of(board: Board, question: ColumnsQuestion) -> Pieces:
    """The fields of ColumnsAnswer: the figures of one tag at a time."""
    generation = board.provider.generation
    asked = [ColumnRequest(column.tag, column.stat) for column in question.columns]
    runs = board.provider.columns([]).runs
    yield encode({"generation": generation}).removesuffix(b"}") + b',"runs":'
    yield from json_pieces.column(runs)
    yield b',"columns":'
    yield from json_pieces.array(map(json_pieces.column, each_column(board, asked, runs, question.orphans)))
    yield b"}"


def each_column(
    board: Board, asked: Sequence[ColumnRequest], runs: Sequence[int], orphans: bool
) -> Iterator[Sequence[float | int | None]]:
    """The columns in the order asked, each with a value for these runs, whatever comes or goes meanwhile."""
    for _, columns in groupby(asked, key=lambda one: one.tag):
        found = board.provider.columns(list(columns), orphans)
        for column in found.columns:
            if found.runs == runs:
                yield column
            else:
                known = dict(zip(found.runs, column, strict=True))
                yield [known.get(run) for run in runs]


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/runs",
        handler=list_runs,
        summary="Runs, ordered by slot: all, those with a name, or those that changed",
        query=RunListQuery,
        answer=RunList,
        errors=(400,),
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
