"""Meshes and point clouds: their series, and single meshes in binary or as files."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, RunId, Whole
from lightboard.schema.scalars import RunIds, TagName
from lightboard.schema.values import ValueKey


class MeshesRequest(RequestModel):
    """Meshes of `runs` (null = all). `orphans` adds values that a restart superseded."""

    runs: RunIds | None = None
    orphans: bool = False


class MeshSeries(ResponseModel):
    """One mesh of one run. Each value has `samples` meshes.

    `tag` is the tag of its vertices. `steps`, `walls` and `keys` have one item for each value of the vertices: its
    step, its wall time in seconds since the epoch, and its key. `parts` are those of "vertex", "face" and "color" that
    exist. `description` is sanitised HTML, and `config` the writer's scene configuration as unvalidated JSON; both may
    be "".
    """

    name: str
    run: RunId
    tag: str
    description: str
    samples: int
    steps: list[int]
    walls: list[Number]
    keys: list[str]
    parts: list[str]
    config: str


class MeshesResponse(ResponseModel):
    """Meshes, ordered by name in natural order, then by run."""

    generation: int
    meshes: list[MeshSeries]


class MeshFileQuery(RequestModel):
    """One mesh, by the names of its run and of the mesh, the key `at` of its vertices, and its index in the batch."""

    run: str
    name: TagName
    at: ValueKey
    sample: Whole = 0


class MeshQuery(MeshFileQuery):
    """One mesh for drawing. Point clouds are downsampled to `most` points."""

    most: Annotated[int, Field(ge=1, le=2_000_000)] = 200_000
