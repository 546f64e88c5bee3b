"""/data/plugin/mesh: names, what was written at which step, one part of it as raw numbers."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.answers import respond
from lightboard.asgi.query_string import first
from lightboard.board.board import Board, board_of
from lightboard.errors import BadRequest, NotFound
from lightboard.events.meshtags import KNOWN_VERSION, PARTS, PLUGIN, MeshTag, mesh_tag
from lightboard.query.thinning import kept_indices
from lightboard.query.values import Values

ROUTE = "/data/plugin/mesh"

SAMPLES = 100
"""Values of one series that TensorBoard tells of when nothing else is asked."""

TYPES = {"VERTEX": "<f4", "FACE": "<i4", "COLOR": "u1"}


async def tags(request: Request) -> Response:
    """GET /tags: run -> mesh -> how many are in a value."""
    board = board_of(request)
    return await board.json(request, tag_words, board)


def tag_words(board: Board) -> dict[str, Any]:
    """All meshes by run."""
    return {
        run: {
            told.name: {"samples": told.shape[0]}
            for told, _ in series_of(board, run)
            if told.version <= KNOWN_VERSION and told.shape
        }
        for run in board.provider.tags_by_run(PLUGIN)
    }


def series_of(board: Board, run: str, name: str | None = None) -> list[tuple[MeshTag, Values]]:
    """The series of a run that belong to the mesh `name`, or to any."""
    found = []
    for tag in board.provider.tags_by_run(PLUGIN).get(run, ()):
        try:
            values = board.provider.values(PLUGIN, run, tag)
        except NotFound:
            continue
        told = mesh_tag(tag, values.metadata)
        if name is None or told.name == name:
            found.append((told, values))
    return found


async def meshes(request: Request) -> Response:
    """GET /meshes?run&tag: [{wall_time, step, content_type, components, config, data_shape}, ...] by step."""
    board = board_of(request)
    run, tag = asked(request)
    return await board.json(request, meshes_body, board, run, tag)


def asked(request: Request) -> tuple[str, str]:
    """Run and name of the mesh; of none there is nothing. Raises BadRequest."""
    run = first(request, "run")
    if run is None:
        raise BadRequest("run must be specified")
    return run, first(request, "tag") or ""


def meshes_body(board: Board, run: str, tag: str) -> list[dict[str, Any]]:
    """Every value of every part."""
    found = [
        {
            "wall_time": values.walls[at],
            "step": values.steps[at],
            "content_type": 0 if told.part is None else PARTS.index(told.part) + 1,
            "components": told.components,
            "config": told.config,
            "data_shape": list(told.shape),
        }
        for told, values in series_of(board, run, tag)
        for at in chosen(board, values)
    ]
    return sorted(found, key=lambda one: one["step"])


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
    body = await board.pool.call(data_body, board, (run, tag, kind), step, sample)
    return await respond(request, body, "arraybuffer", pool=board.pool)


def number(request: Request, name: str) -> float:
    """A parameter that is a number, 0 where it is left out. Raises BadRequest."""
    text = first(request, name)
    try:
        return float(text) if text is not None else 0.0
    except ValueError:
        raise BadRequest(f"{name} must be a number: {text!r}") from None


def data_body(board: Board, mesh: tuple[str, str, str], step: float, sample: float) -> bytes:
    """All values of a part (run, mesh, content type) at a step. Raises NotFound, Unshowable."""
    import numpy as np  # not on the way of the start

    from lightboard.events.arrays import numbers_of

    run, tag, kind = mesh
    found = b""
    for told, values in series_of(board, run, tag):
        if told.part != kind.lower():
            continue
        for at in chosen(board, values):
            if values.steps[at] != step:
                continue
            numbers = numbers_of(board.provider.window(values.place(at)))
            if numbers.ndim < 1 or not 0 <= sample < len(numbers) or sample % 1:
                raise NotFound(f"No mesh of number {sample:g} in {tag!r} of run {run!r} at step {step:g}")
            with np.errstate(invalid="ignore", over="ignore"):
                found += np.ascontiguousarray(numbers[int(sample)]).astype(TYPES[kind]).tobytes()
    return found


ROUTES = (
    Route(f"{ROUTE}/tags", tags),
    Route(f"{ROUTE}/meshes", meshes),
    Route(f"{ROUTE}/data", data),
)
