"""Values of all kinds but scalars: their steps and keys, and the bytes of one."""

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces, media
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.board.value_columns import value_columns
from lightboard.errors import NotFound, OverBudget
from lightboard.query.provider import DataProvider, ValueProvider
from lightboard.query.values import Values
from lightboard.schema.values import ValuePreview, ValueQuery, ValuesRequest, ValuesResponse, ValueSteps

MAX_STEPS = 2_000_000
"""Limit of the steps in one response."""

STEP_BYTES = 100
"""Memory of a step in a set."""


async def list_values(request: Request) -> Response:
    """POST /api/v1/values"""
    board = board_of(request)
    body = await read_body(request, ValuesRequest, board.pool)
    return await board.responses.stream(request, values_of(board.provider, body))


def values_of(provider: DataProvider, body: ValuesRequest) -> Pieces:
    """The fields of ValuesResponse."""
    generation = provider.generation
    members = (None if series is None else series_pieces(*series) for series in series_of(provider, body))
    yield from json_pieces.fields_then({"generation": generation}, "series", json_pieces.array(members))


def series_pieces(run: int, values: Values) -> Pieces:
    """The fields of one series."""
    yield encode({"tag": values.tag, "run": run}).removesuffix(b"}")
    yield from value_columns(values, sizes=True)
    yield b"}"


def series_of(provider: DataProvider, body: ValuesRequest) -> Iterator[tuple[int, Values] | None]:
    """Run id and values of each requested series, by tag and slot. None yields to other work."""

    names = {run.id: run.name for run in provider.runs()}
    tags = None if body.tags is None else set(body.tags)
    runs = None if body.runs is None else set(body.runs)
    for info in provider.tags(body.plugin):
        yield None
        if tags is not None and info.tag not in tags:
            continue
        for run in info.runs:
            if (runs is not None and run not in runs) or run not in names:
                continue
            try:
                yield run, provider.values(body.plugin, names[run], info.tag, body.orphans)
            except NotFound:
                continue  # removed meanwhile, or of another kind


async def list_steps(request: Request) -> Response:
    """POST /api/v1/values/steps"""
    board = board_of(request)
    body = await read_body(request, ValuesRequest, board.pool)
    return await board.responses.stream(request, steps_of(board.provider, body))


def steps_of(provider: DataProvider, body: ValuesRequest) -> Pieces:
    """The fields of ValueSteps. Raises OverBudget before its first bytes."""
    generation = provider.generation
    steps: set[int] = set()
    for series in series_of(provider, body):
        steps.update(series[1].steps if series else ())
        if len(steps) > MAX_STEPS:
            raise OverBudget(f"over {MAX_STEPS:,} steps", hint="request fewer tags or runs at once")
        yield STEP_BYTES * len(steps)
    in_order = json_pieces.column(sorted(steps))
    yield from json_pieces.fields_then({"generation": generation}, "steps", in_order)


async def read_raw(request: Request) -> Response:
    """GET /api/v1/values/raw"""
    board = board_of(request)
    query = await read_series_query(request, ValueQuery, request.query_params.get("plugin", ""))
    byte_range, step = await board.pool.call(locate_raw, board.provider, query)
    name = f"{query.run}-{query.tag}-{step}.pb"
    return await media.stream(
        request, board.provider, board.pool, byte_range, "application/octet-stream", media.attachment(name)
    )


def locate_raw(provider: ValueProvider, query: ValueQuery) -> tuple[media.ByteRange, int]:
    """The range of a whole value, and its step. Raises NotFound."""
    values = provider.values(query.plugin, query.run, query.tag, orphans=True)
    index = values.find(query.at)
    return media.ByteRange(values.location(index), 0, values.lengths[index]), values.steps[index]


async def read_preview(request: Request) -> Response:
    """GET /api/v1/values/preview"""
    board = board_of(request)
    return await board.responses.json(request, preview, board.provider, read_query(request, ValueQuery))


def preview(provider: ValueProvider, query: ValueQuery) -> dict[str, Any]:
    """The fields of ValuePreview. Raises NotFound, Unshowable."""
    from lightboard.query.preview import preview_of  # imports NumPy

    byte_range, _ = locate_raw(provider, query)
    return preview_of(provider.window(byte_range.location))._asdict()


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/values",
        handler=list_values,
        summary="The values of series of all kinds but scalars: steps, times, sizes and keys",
        body=ValuesRequest,
        response=ValuesResponse,
        errors=(400, 413),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/values/steps",
        handler=list_steps,
        summary="All steps at which series of a kind have values",
        body=ValuesRequest,
        response=ValueSteps,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/values/preview",
        handler=read_preview,
        summary="A preview of one value of any kind: type, shape, its first numbers or texts",
        query=ValueQuery,
        response=ValuePreview,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/values/raw",
        handler=read_raw,
        summary="One value as in the file: a serialized Summary.Value, or the graph for graphs",
        query=ValueQuery,
        response="application/octet-stream",
        errors=(400, 404),
    ),
)
