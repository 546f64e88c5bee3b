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
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.errors import BadRequest
from lightboard.query.columns import ColumnRequest
from lightboard.query.provider import DataProvider, IndexProvider, ScalarProvider
from lightboard.schema.columns import ColumnsRequest, ColumnsResponse
from lightboard.schema.runs import EventFileList, RestartList, RunList, RunListQuery, RunQuery

RUNS_AT_ONCE = 256
"""Runs encoded at once, in about a millisecond."""


async def list_runs(request: Request) -> Response:
    """GET /api/v1/runs"""
    board = board_of(request)
    query = read_query(request, RunListQuery)
    if query.since and query != RunListQuery(since=query.since):
        raise BadRequest("since can only be used for the whole list", hint="leave out all other parameters, or since")
    if query == RunListQuery():
        table = await board.pool.call(board.provider.run_table)
        return await board.responses.cached(request, table.version, whole_run_list, board.provider)
    return await board.responses.stream(request, run_list(board.provider, query))


def whole_run_list(provider: IndexProvider) -> Pieces:
    """The fields of RunList with all runs."""
    return run_list(provider, RunListQuery())


def run_list(provider: IndexProvider, query: RunListQuery) -> Pieces:
    """The fields of RunList."""
    fields = run_fields(provider, query)
    runs = fields.pop("runs")
    batches = (runs[start : start + RUNS_AT_ONCE] for start in range(0, len(runs), RUNS_AT_ONCE))
    yield from json_pieces.fields_then(fields, "runs", json_pieces.batches(batches))


def run_fields(provider: IndexProvider, query: RunListQuery) -> dict[str, Any]:
    """The fields of RunList."""
    generation = provider.generation
    table = provider.run_table()
    fields = {"generation": generation, "version": table.version, "since": None, "ids": None}
    known = table.number_of(query.since)
    if known is not None:
        different = [row for row in table.rows if table.remade[row.id] > known]
        ids = [row.id for row in table.rows] if table.listed > known else None
        return {**fields, "since": query.since, "total": len(table.rows), "ids": ids, "runs": different}
    text = query.filter.casefold()
    matching = [row for row in table.rows if text in row.name.casefold()] if text else table.rows
    begin = 0 if query.after is None else bisect_right(matching, query.after, key=lambda row: row.slot)
    return {**fields, "total": len(matching), "runs": page_of(matching, begin + query.offset, query.limit)}


async def list_restarts(request: Request) -> Response:
    """GET /api/v1/runs/restarts"""
    board = board_of(request)
    query = read_query(request, RunQuery)
    return await board.responses.json(request, restart_list, board.provider, query.run)


def restart_list(provider: IndexProvider, run: str) -> dict[str, Any]:
    """The fields of RestartList."""
    return {"run": run, "restarts": [restart._asdict() for restart in provider.restarts(run)]}


async def list_files(request: Request) -> Response:
    """GET /api/v1/runs/files"""
    board = board_of(request)
    query = read_query(request, RunQuery)
    return await board.responses.json(request, file_list, board.provider, query.run)


def file_list(provider: IndexProvider, run: str) -> dict[str, Any]:
    """The fields of EventFileList."""
    return {"run": run, "files": [file._asdict() for file in provider.files(run)]}


async def read_columns(request: Request) -> Response:
    """POST /api/v1/runs/columns"""
    board = board_of(request)
    body = await read_body(request, ColumnsRequest, board.pool)
    return await board.responses.stream(request, columns_of(board.provider, body))


def columns_of(provider: DataProvider, body: ColumnsRequest) -> Pieces:
    """The fields of ColumnsResponse, one tag at a time."""
    generation = provider.generation
    requests = [ColumnRequest(column.tag, column.stat) for column in body.columns]
    runs = provider.columns([]).runs
    yield encode({"generation": generation}).removesuffix(b"}") + b',"runs":'
    yield from json_pieces.column(runs)
    yield b',"columns":'
    yield from json_pieces.array(map(json_pieces.column, each_column(provider, requests, runs, body.orphans)))
    yield b"}"


def each_column(
    provider: ScalarProvider, requests: Sequence[ColumnRequest], runs: Sequence[int], orphans: bool
) -> Iterator[Sequence[float | int | None]]:
    """The columns in the requested order, each with a value for these runs, even if runs change meanwhile."""
    for _, columns in groupby(requests, key=lambda request: request.tag):
        table = provider.columns(list(columns), orphans)
        for column in table.columns:
            if table.runs == runs:
                yield column
            else:
                known = dict(zip(table.runs, column, strict=True))
                yield [known.get(run) for run in runs]


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/runs",
        handler=list_runs,
        summary="Runs, ordered by slot: all, those that match a filter, or those that changed",
        query=RunListQuery,
        response=RunList,
        errors=(400,),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/runs/restarts",
        handler=list_restarts,
        summary="The restarts of one run",
        query=RunQuery,
        response=RestartList,
        errors=(400, 404),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/runs/files",
        handler=list_files,
        summary="The event files of one run",
        query=RunQuery,
        response=EventFileList,
        errors=(400, 404),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/runs/columns",
        handler=read_columns,
        summary="Columns of the run table: one statistic of one tag for all runs",
        body=ColumnsRequest,
        response=ColumnsResponse,
        errors=(400,),
    ),
)
