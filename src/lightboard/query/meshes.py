"""Meshes of runs: finds the series that form a mesh, matches their values, and reads them.

Not here: processing the numbers (`events.meshes`), JSON.
"""

from collections.abc import Generator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from lightboard.cancellation import finish
from lightboard.errors import NotFound, TagNotFound
from lightboard.events.arrays import read_numbers
from lightboard.events.mesh_tags import KNOWN_VERSION, PLUGIN, MeshTag, Part, mesh_tag
from lightboard.events.meshes import Array, Mesh, make_mesh, select_mesh
from lightboard.query.provider import DataProvider, ValueProvider
from lightboard.query.values import Values
from lightboard.series.natural_sort import natural_key

HELD_BYTES_PER_BYTE = 8
"""Estimated bytes held per byte of vertices: a mesh is held as written, as numbers and as sent, and its faces and
colours are about as large as its vertices."""

MAX_SAMPLES = 10_000
"""Limit of the meshes of one value, since the number in its metadata is not validated."""

PART_NAMES: dict[Part, str] = {"vertex": "vertices", "face": "faces", "color": "colours"}


class PartSeries(NamedTuple):
    """One of the series of a mesh, with its parsed metadata."""

    tag_info: MeshTag
    values: Values


@dataclass(slots=True)
class MeshSeries:
    """The mesh `name` of the run named `run`, with its series by part. `description` is Markdown."""

    run: str
    name: str
    description: str = ""
    parts: dict[Part, PartSeries] = field(default_factory=dict)

    @property
    def shape(self) -> Values:
        """The series of the vertices, which defines the steps of the mesh. Raises TagNotFound."""
        vertices = self.parts.get("vertex")
        if vertices is None:
            raise TagNotFound(f"mesh {self.name!r} of run {self.run!r} has no vertices")
        return vertices.values

    @property
    def config(self) -> str:
        """The description of the scene from the writer, in JSON and not validated; "" if there is none."""
        return next((part.tag_info.config for part in self.parts.values() if part.tag_info.config), "")

    @property
    def samples(self) -> int:
        """The number of meshes of one value as stated by the writer, at least one."""
        part = self.parts.get("vertex") or next(iter(self.parts.values()))
        return min(MAX_SAMPLES, max(1, part.tag_info.shape[0])) if len(part.tag_info.shape) == 3 else 1


def list_meshes(
    provider: DataProvider, runs: AbstractSet[int] | None = None, orphans: bool = False
) -> list[tuple[int, MeshSeries]]:
    """(run id, mesh) for all meshes of the runs with these ids (None: all), by name of the mesh, then by run id.

    `orphans` includes superseded values. Meshes without vertices are left out.
    """
    return finish(mesh_steps(provider, runs, orphans))


def mesh_steps(
    provider: DataProvider, runs: AbstractSet[int] | None = None, orphans: bool = False
) -> Generator[None, None, list[tuple[int, MeshSeries]]]:
    """Like `list_meshes`, in steps of one series."""
    names = {run.id: run.name for run in provider.runs()}
    meshes: dict[tuple[str, int], MeshSeries] = {}
    for info in provider.tags(PLUGIN):
        for run in info.runs:
            if run in names and (runs is None or run in runs):
                description = next((text for text, those in info.descriptions.items() if names[run] in those), "")
                add_part(provider, meshes, (run, names[run], info.tag), description, orphans)
                yield
    return [
        (run, mesh)
        for (_, run), mesh in sorted(meshes.items(), key=lambda item: (natural_key(item[0][0]), item[0][1]))
        if "vertex" in mesh.parts
    ]


def add_part(
    provider: ValueProvider,
    meshes: dict[tuple[str, int], MeshSeries],
    key: tuple[int, str, str],
    description: str,
    orphans: bool,
) -> None:
    """Add one series to the mesh that it belongs to. Series without values or of an unknown version are ignored.

    `meshes` are by name and run id; `key` is run id, run name and tag.
    """
    run, run_name, tag = key
    try:
        values = provider.values(PLUGIN, run_name, tag, orphans)
    except NotFound:
        return  # removed since the tags were listed, or of another kind
    tag_info = mesh_tag(tag, values.metadata)
    if tag_info.part is None or tag_info.version > KNOWN_VERSION or not len(values):
        return
    mesh = meshes.setdefault((tag_info.name, run), MeshSeries(run_name, tag_info.name))
    mesh.description = mesh.description or description
    mesh.parts.setdefault(tag_info.part, PartSeries(tag_info, values))


def mesh_series(
    provider: DataProvider, run: str, name: str, orphans: bool = False
) -> Generator[None, None, MeshSeries]:
    """The mesh `name` of the run named `run`, in steps of one series. Raises TagNotFound."""
    ids = {row.id for row in provider.runs() if row.name == run}
    for _, mesh in (yield from mesh_steps(provider, ids, orphans)):
        if mesh.name == name:
            return mesh
    raise TagNotFound(f"run {run!r} has no mesh {name!r}")


def read_mesh(provider: ValueProvider, mesh: MeshSeries, at: int, sample: int) -> Generator[int | None, None, Mesh]:
    """Read the mesh with index `sample` of the vertices with index `at`.

    Yields an estimate of the bytes held first, then None between parts. Raises Unshowable, ValueNotFound, TagNotFound.
    """
    vertices = mesh.shape
    yield HELD_BYTES_PER_BYTE * vertices.lengths[at]
    arrays: dict[Part, Array | None] = {"vertex": read_part(provider, vertices, at, sample, "vertex")}
    for part in ("face", "color"):
        yield None
        series = mesh.parts.get(part)
        arrays[part] = None
        if series is not None:
            index = matching_index(series.values, vertices, at)
            if index is not None:
                arrays[part] = read_part(provider, series.values, index, sample, part)
    shape = arrays["vertex"]
    assert shape is not None
    return make_mesh(shape, arrays["face"], arrays["color"])


def read_part(provider: ValueProvider, values: Values, at: int, sample: int, part: Part) -> Array:
    """The numbers of one part of one mesh, [n, 3]. Raises Unshowable, ValueNotFound."""
    return select_mesh(read_numbers(provider.window(values.location(at))), sample, PART_NAMES[part])


def matching_index(values: Values, shape: Values, at: int) -> int | None:
    """The index of the value of another part that belongs to the vertices with index `at`, or None.

    It is the value at the same step; of several, the one nearest in wall time. Without one it is the last value at an
    earlier step, because faces and colours that never change are often written only once.
    """
    vertex_step, vertex_wall = shape.steps[at], shape.walls[at]
    same = [index for index, step in enumerate(values.steps) if step == vertex_step]
    if same:
        return min(same, key=lambda index: (abs(values.walls[index] - vertex_wall), -index))
    earlier = [index for index, step in enumerate(values.steps) if step < vertex_step]
    return max(earlier, key=lambda index: (values.steps[index], index)) if earlier else None
