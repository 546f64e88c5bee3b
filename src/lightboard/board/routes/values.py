"""Values that are no scalars: where those of each series lie, and the bytes of one as they are in the file."""

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces, media
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.board.value_columns import value_columns
from lightboard.errors import NotFound, OverBudget
from lightboard.query.values import Values
from lightboard.schema.values import ValuePreview, ValueQuery, ValuesAnswer, ValuesQuestion, ValueSteps

MOST_STEPS = 2_000_000
"""Of one answer: far more than a slider has places."""

STEP_BYTES = 100
"""Of a step in a set."""


async def list_values(request: Request) -> Response:
    """POST /api/v1/values"""
    board = board_of(request)
    question = await read_body(request, ValuesQuestion, board.pool)
    return await board.stream_json(request, values_of(board, question))


def values_of(board: Board, question: ValuesQuestion) -> Pieces:
    """The fields of ValuesAnswer, a series at a time."""
    generation = board.provider.generation
    members = (None if one is None else series_pieces(*one) for one in series_of(board, question))
    yield from json_pieces.fields_then({"generation": generation}, "series", json_pieces.array(members))


def series_pieces(run: int, found: Values) -> Pieces:
    """The fields of one series."""
    yield encode({"tag": found.tag, "run": run}).removesuffix(b"}")
    yield from value_columns(found, sizes=True)
    yield b"}"


def series_of(board: Board, question: ValuesQuestion) -> Iterator[tuple[int, Values] | None]:
    """Id of the run and values of each series asked for, by tag and slot; None where there might have been one."""
    provider = board.provider
    names = {run.id: run.name for run in provider.runs()}
    wanted = None if question.tags is None else set(question.tags)
    runs = None if question.runs is None else set(question.runs)
    for info in provider.tags(question.plugin):
        yield None
        if wanted is not None and info.tag not in wanted:
            continue
        for run in info.runs:
            if (runs is not None and run not in runs) or run not in names:
                continue
            try:
                yield run, provider.values(question.plugin, names[run], info.tag, question.orphans)
            except NotFound:
                continue  # gone since the list was made, or of this kind only by name


async def list_steps(request: Request) -> Response:
    """POST /api/v1/values/steps"""
    board = board_of(request)
    question = await read_body(request, ValuesQuestion, board.pool)
    return await board.stream_json(request, steps_of(board, question))


def steps_of(board: Board, question: ValuesQuestion) -> Pieces:
    """The fields of ValueSteps. Raises OverBudget before its first bytes."""
    generation = board.provider.generation
    steps: set[int] = set()
    for one in series_of(board, question):
        steps.update(one[1].steps if one else ())
        if len(steps) > MOST_STEPS:
            raise OverBudget(f"over {MOST_STEPS:,} steps", hint="ask for fewer tags or runs at once")
        yield STEP_BYTES * len(steps)
    in_order = json_pieces.column(sorted(steps))
    yield from json_pieces.fields_then({"generation": generation}, "steps", in_order)


async def read_raw(request: Request) -> Response:
    """GET /api/v1/values/raw"""
    board = board_of(request)
    query = await read_series_query(request, ValueQuery, request.query_params.get("plugin", ""))
    cut, step = await board.pool.call(raw_cut, board, query)
    name = f"{query.run}-{query.tag}-{step}.pb"
    return await media.stream(request, board, cut, "application/octet-stream", media.attachment(name))


def raw_cut(board: Board, query: ValueQuery) -> tuple[media.Cut, int]:
    """All of one value, and its step. Raises NotFound."""
    values = board.provider.values(query.plugin, query.run, query.tag, orphans=True)
    at = values.find(query.at)
    return media.Cut(values.place(at), 0, values.lengths[at]), values.steps[at]


async def read_preview(request: Request) -> Response:
    """GET /api/v1/values/preview"""
    board = board_of(request)
    return await board.json(request, preview, board, read_query(request, ValueQuery))


def preview(board: Board, query: ValueQuery) -> dict[str, Any]:
    """The fields of ValuePreview. Raises NotFound, Unshowable."""
    from lightboard.query.preview import preview_of  # loads NumPy, which the first page does without

    cut, _ = raw_cut(board, query)
    return preview_of(board.provider.window(cut.place))._asdict()


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/values",
        handler=list_values,
        summary="Where the values of series that are no scalars lie: steps, times, sizes and keys",
        body=ValuesQuestion,
        answer=ValuesAnswer,
        errors=(400, 413),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/values/steps",
        handler=list_steps,
        summary="All steps at which series that are no scalars hold something",
        body=ValuesQuestion,
        answer=ValueSteps,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/values/preview",
        handler=read_preview,
        summary="What one value holds, of whatever kind: type, shape, its first numbers or texts",
        query=ValueQuery,
        answer=ValuePreview,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/values/raw",
        handler=read_raw,
        summary="One value as it lies in the file: a serialized Summary.Value, or for graphs the graph itself",
        query=ValueQuery,
        answer="application/octet-stream",
        errors=(400, 404),
    ),
)
