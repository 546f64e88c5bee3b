"""/data/plugin/mesh: names, what was written at which step, one part of it as raw numbers."""

from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.errors import BadRequest, NotFound
from lightboard.events.meshtags import KNOWN_VERSION, PARTS, PLUGIN, MeshTag, mesh_tag
from lightboard.events.sampling import kept_indices
from lightboard.query.values import Values
from lightboard.untrusted.numbers import double

ROUTE = "/data/plugin/mesh"

SAMPLES = 100
"""Values of one series that TensorBoard tells of when nothing else is asked."""

PLACE_BYTES = 150
"""Of a value while the values of all parts are put in order."""

HELD_FOR_A_BYTE = 4
"""A value is held as it was written and as numbers."""

TYPES = {"VERTEX": "<f4", "FACE": "<i4", "COLOR": "u1"}


async def tags(request: Request) -> Response:
    """GET /tags: run -> mesh -> how many are in a value."""
    board = board_of(request)
    return await board.stream_json(request, tag_words(board))


def tag_words(board: Board) -> Pieces:
    """All meshes by run."""
    members = (run_words(board, run, tags) for run, tags in board.provider.tags_by_run(PLUGIN).items())
    yield from json_pieces.object_of(members)


def run_words(board: Board, run: str, tags: Iterable[str]) -> Pieces:
    """The meshes of one run."""
    words = {}
    for one in series_of(board, run, tags):
        yield None
        if one is not None and one[0].version <= KNOWN_VERSION and one[0].shape:
            words[one[0].name] = {"samples": one[0].shape[0]}
    yield encode(run) + b":" + encode(words)


def series_of(board: Board, run: str, tags: Iterable[str]) -> Iterator[tuple[MeshTag, Values] | None]:
    """What these tags of a run say, and their values; None for one that is gone."""
    for tag in tags:
        try:
            values = board.provider.values(PLUGIN, run, tag)
        except NotFound:
            yield None
            continue
        yield mesh_tag(tag, values.metadata), values


def parts_of(board: Board, run: str, name: str) -> Iterator[tuple[MeshTag, Values] | None]:
    """The series of a run that belong to the mesh `name`; None for others."""
    for one in series_of(board, run, board.provider.tags_by_run(PLUGIN).get(run, ())):
        yield one if one and one[0].name == name else None


async def meshes(request: Request) -> Response:
    """GET /meshes?run&tag: [{wall_time, step, content_type, components, config, data_shape}, ...] by step."""
    board = board_of(request)
    run, tag = asked(request)
    return await board.stream_json(request, meshes_body(board, run, tag))


def asked(request: Request) -> tuple[str, str]:
    """Run and name of the mesh; of none there is nothing. Raises BadRequest."""
    run = first(request, "run")
    if run is None:
        raise BadRequest("run must be specified")
    return run, first(request, "tag") or ""


def meshes_body(board: Board, run: str, tag: str) -> Pieces:
    """Every value of every part."""
    found: list[tuple[int, MeshTag, float]] = []
    for one in parts_of(board, run, tag):
        yield None
        if one is not None:
            told, values = one
            found += [(values.steps[at], told, values.walls[at]) for at in chosen(board, values)]
    yield PLACE_BYTES * len(found)
    found.sort(key=lambda one: one[0])
    yield from json_pieces.rows(starmap(mesh_fields, found))


def mesh_fields(step: int, told: MeshTag, wall: float) -> dict[str, Any]:
    """One value of one part."""
    return {
        "wall_time": wall,
        "step": step,
        "content_type": 0 if told.part is None else PARTS.index(told.part) + 1,
        "components": told.components,
        "config": told.config,
        "data_shape": list(told.shape),
    }


def chosen(board: Board, values: Values) -> list[int]:
    """The numbers of the values that TensorBoard's addresses tell of."""
    return kept_indices(len(values), board.settings.samples.get(PLUGIN, SAMPLES))


async def data(request: Request) -> Response:
    """GET /data?run&tag&content_type&sample&step: numbers in the type of that part, little-endian."""
    board = board_of(request)
    run, tag = asked(request)
    kind = first(request, "content_type")
    step, sample = number(request, "step"), number(request, "sample")
    if kind not in TYPES:
        return Response("Bad content_type", 400, media_type="text/plain")
    return await stream(request, data_pieces(board, (run, tag, kind), step, sample), "arraybuffer", pool=board.pool)


def number(request: Request, name: str) -> float:
    """A parameter that is a number, 0 where it is left out. Raises BadRequest."""
    text = first(request, name)
    if text is None:
        return 0.0
    found = double(text)
    if found is None:
        raise BadRequest(f"{name} must be a number: {text[:40]!r}")
    return found


def data_pieces(board: Board, mesh: tuple[str, str, str], step: float, sample: float) -> Pieces:
    """All values of a part (run, mesh, content type) at a step. Raises NotFound, Unshowable."""
    import numpy as np  # not on the way of the start

    from lightboard.events.arrays import numbers_of
    from lightboard.events.meshes import pieces_of

    run, tag, kind = mesh
    for one in parts_of(board, run, tag):
        yield None
        if one is None or one[0].part != kind.lower():
            continue
        values = one[1]
        for at in chosen(board, values):
            if values.steps[at] != step:
                continue
            yield HELD_FOR_A_BYTE * values.lengths[at]
            numbers = numbers_of(board.provider.window(values.place(at)))
            if numbers.ndim < 1 or not 0 <= sample < len(numbers) or sample % 1:
                raise NotFound(f"No mesh of number {sample:g} in {tag!r} of run {run!r} at step {step:g}")
            with np.errstate(invalid="ignore", over="ignore"):
                rows = np.atleast_1d(numbers[int(sample)]).astype(TYPES[kind])
            yield from pieces_of(rows)


ROUTES = (
    Route(f"{ROUTE}/tags", tags),
    Route(f"{ROUTE}/meshes", meshes),
    Route(f"{ROUTE}/data", data),
)
