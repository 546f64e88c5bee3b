"""/data/plugin/mesh: names, the values by step, and one part of a value as raw numbers."""

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
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.config import BoardSettings
from lightboard.errors import BadRequest, NotFound
from lightboard.events.mesh_tags import KNOWN_VERSION, PARTS, PLUGIN, MeshTag, mesh_tag
from lightboard.events.sampling import sample_indices
from lightboard.query.provider import DataProvider, ValueProvider
from lightboard.query.values import Values
from lightboard.untrusted.numbers import double

ROUTE = "/data/plugin/mesh"

SAMPLES = 100
"""TensorBoard's default number of values per series."""

ENTRY_BYTES = 150
"""Memory of an entry while the values of all parts are sorted."""

MEMORY_PER_BYTE = 4
"""Memory for each byte of a value, which is in memory both as written and as numbers."""

TYPES = {"VERTEX": "<f4", "FACE": "<i4", "COLOR": "u1"}


async def tags(request: Request) -> Response:
    """GET /tags: run -> mesh -> number of meshes in a value."""
    board = board_of(request)
    return await board.responses.stream(request, list_tags(board.provider))


def list_tags(provider: DataProvider) -> Pieces:
    """All meshes by run."""
    members = (run_tags(provider, run, tags) for run, tags in provider.tags_by_run(PLUGIN).items())
    yield from json_pieces.object_of(members)


def run_tags(provider: ValueProvider, run: str, tags: Iterable[str]) -> Pieces:
    """The meshes of one run."""
    counts = {}
    for series in series_of(provider, run, tags):
        yield None
        if series is not None and series[0].version <= KNOWN_VERSION and series[0].shape:
            counts[series[0].name] = {"samples": series[0].shape[0]}
    yield encode(run) + b":" + encode(counts)


def series_of(provider: ValueProvider, run: str, tags: Iterable[str]) -> Iterator[tuple[MeshTag, Values] | None]:
    """The metadata and values of these tags of a run; None for removed ones."""
    for tag in tags:
        try:
            values = provider.values(PLUGIN, run, tag)
        except NotFound:
            yield None
            continue
        yield mesh_tag(tag, values.metadata), values


def parts_of(provider: DataProvider, run: str, name: str) -> Iterator[tuple[MeshTag, Values] | None]:
    """The series of a run that belong to the mesh `name`; None for others."""
    for series in series_of(provider, run, provider.tags_by_run(PLUGIN).get(run, ())):
        yield series if series and series[0].name == name else None


async def meshes(request: Request) -> Response:
    """GET /meshes?run&tag: [{wall_time, step, content_type, components, config, data_shape}, ...] by step."""
    board = board_of(request)
    run, tag = run_and_name(request)
    return await board.responses.stream(request, meshes_body(board.provider, board.settings, run, tag))


def run_and_name(request: Request) -> tuple[str, str]:
    """Run and name of the mesh. Raises BadRequest."""
    run = first(request, "run")
    if run is None:
        raise BadRequest("run must be specified")
    return run, first(request, "tag") or ""


def meshes_body(provider: DataProvider, settings: BoardSettings, run: str, tag: str) -> Pieces:
    """Every value of every part."""
    entries: list[tuple[int, MeshTag, float]] = []
    for series in parts_of(provider, run, tag):
        yield None
        if series is not None:
            tag_info, values = series
            entries += [
                (values.steps[index], tag_info, values.walls[index]) for index in sampled_indices(settings, values)
            ]
    yield ENTRY_BYTES * len(entries)
    entries.sort(key=lambda series: series[0])
    yield from json_pieces.rows(starmap(mesh_fields, entries))


def mesh_fields(step: int, tag_info: MeshTag, wall: float) -> dict[str, Any]:
    """One value of one part."""
    return {
        "wall_time": wall,
        "step": step,
        "content_type": 0 if tag_info.part is None else PARTS.index(tag_info.part) + 1,
        "components": tag_info.components,
        "config": tag_info.config,
        "data_shape": list(tag_info.shape),
    }


def sampled_indices(settings: BoardSettings, values: Values) -> list[int]:
    """The indices of the values that TensorBoard's routes return."""
    return sample_indices(len(values), settings.samples.get(PLUGIN, SAMPLES))


async def data(request: Request) -> Response:
    """GET /data?run&tag&content_type&sample&step: little-endian numbers in the type of the part."""
    board = board_of(request)
    run, tag = run_and_name(request)
    kind = first(request, "content_type")
    step, sample = number(request, "step"), number(request, "sample")
    if kind not in TYPES:
        return Response("Bad content_type", 400, media_type="text/plain")
    return await stream(
        request,
        data_pieces(board.provider, board.settings, (run, tag, kind), step, sample),
        "arraybuffer",
        pool=board.pool,
    )


def number(request: Request, name: str) -> float:
    """A numeric parameter, 0 if it is missing. Raises BadRequest."""
    text = first(request, name)
    if text is None:
        return 0.0
    value = double(text)
    if value is None:
        raise BadRequest(f"{name} must be a number: {text[:40]!r}")
    return value


def data_pieces(
    provider: DataProvider, settings: BoardSettings, mesh: tuple[str, str, str], step: float, sample: float
) -> Pieces:
    """All values of a part (run, mesh, content type) at a step. Raises NotFound, Unshowable."""
    import numpy as np  # slow to import

    from lightboard.events.arrays import read_numbers
    from lightboard.events.meshes import chunks_of

    run, tag, kind = mesh
    for series in parts_of(provider, run, tag):
        yield None
        if series is None or series[0].part != kind.lower():
            continue
        values = series[1]
        for index in sampled_indices(settings, values):
            if values.steps[index] != step:
                continue
            yield MEMORY_PER_BYTE * values.lengths[index]
            numbers = read_numbers(provider.window(values.location(index)))
            if numbers.ndim < 1 or not 0 <= sample < len(numbers) or sample % 1:
                raise NotFound(f"No mesh of number {sample:g} in {tag!r} of run {run!r} at step {step:g}")
            with np.errstate(invalid="ignore", over="ignore"):
                rows = np.atleast_1d(numbers[int(sample)]).astype(TYPES[kind])
            yield from chunks_of(rows)


ROUTES = (
    Route(f"{ROUTE}/tags", tags),
    Route(f"{ROUTE}/meshes", meshes),
    Route(f"{ROUTE}/data", data),
)
