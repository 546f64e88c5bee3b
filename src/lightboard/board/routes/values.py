"""Values that are no scalars: where those of each series lie, and the bytes of one as they are in the file."""

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.board import media
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.errors import NotFound
from lightboard.query.values import Values
from lightboard.schema.values import ValuePreview, ValueQuery, ValuesAnswer, ValuesQuestion, ValueSteps


async def list_values(request: Request) -> Response:
    """POST /api/v1/values"""
    board = board_of(request)
    question = await read_body(request, ValuesQuestion)
    return await board.json(request, values_of, board, question)


def values_of(board: Board, question: ValuesQuestion) -> dict[str, Any]:
    """The fields of ValuesAnswer."""
    generation = board.provider.generation
    series = [
        {
            "tag": found.tag,
            "run": run,
            "steps": list(found.steps),
            "walls": list(found.walls),
            "sizes": list(found.lengths),
            "keys": found.keys(),
        }
        for run, found in series_of(board, question)
    ]
    return {"generation": generation, "series": series}


def series_of(board: Board, question: ValuesQuestion) -> Iterator[tuple[int, Values]]:
    """Id of the run and values of each series asked for, by tag and slot."""
    provider = board.provider
    names = {run.id: run.name for run in provider.runs()}
    wanted = None if question.tags is None else set(question.tags)
    runs = None if question.runs is None else set(question.runs)
    for info in provider.tags(question.plugin):
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
    question = await read_body(request, ValuesQuestion)
    return await board.json(request, steps_of, board, question)


def steps_of(board: Board, question: ValuesQuestion) -> dict[str, Any]:
    """The fields of ValueSteps."""
    generation = board.provider.generation
    steps: set[int] = set()
    for _, found in series_of(board, question):
        steps.update(found.steps)
    return {"generation": generation, "steps": sorted(steps)}


async def read_raw(request: Request) -> Response:
    """GET /api/v1/values/raw"""
    board = board_of(request)
    query = read_query(request, ValueQuery)
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
