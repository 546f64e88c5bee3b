"""Meshes of runs: which series are the parts of one, which values belong to one step, and those read.

Not here: what is done with the numbers (`events.meshes`), JSON.
"""

from collections.abc import Generator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from lightboard.cancellation import finish
from lightboard.errors import NotFound, TagNotFound
from lightboard.events.arrays import numbers_of
from lightboard.events.meshes import Array, Mesh, mesh_of, one_of_batch
from lightboard.events.meshtags import KNOWN_VERSION, PLUGIN, MeshTag, Part, mesh_tag
from lightboard.query.provider import Provider
from lightboard.query.values import Values
from lightboard.series.natural import natural_key

HELD_FOR_A_BYTE = 8
"""A mesh is held as it was written, as numbers and as it is sent; faces and colours take about what vertices do."""

MOST_SAMPLES = 10_000
"""Meshes of one value that can be told apart, whatever the writer says there are."""

WORDS: dict[Part, str] = {"vertex": "vertices", "face": "faces", "color": "colours"}


class PartSeries(NamedTuple):
    """One of the series of a mesh, and what its metadata says."""

    told: MeshTag
    values: Values


@dataclass(slots=True)
class MeshSeries:
    """The mesh `name` of run `run` (by name): its series by part; `description` is Markdown."""

    run: str
    name: str
    description: str = ""
    parts: dict[Part, PartSeries] = field(default_factory=dict)

    @property
    def shape(self) -> Values:
        """The series that says at which steps there is a mesh. Raises TagNotFound."""
        found = self.parts.get("vertex")
        if found is None:
            raise TagNotFound(f"mesh {self.name!r} of run {self.run!r} has no vertices")
        return found.values

    @property
    def config(self) -> str:
        """The scene in its writer's words, "" where it says nothing."""
        return next((part.told.config for part in self.parts.values() if part.told.config), "")

    @property
    def samples(self) -> int:
        """Meshes of one value by its writer's word, at least one."""
        found = self.parts.get("vertex") or next(iter(self.parts.values()))
        return min(MOST_SAMPLES, max(1, found.told.shape[0])) if len(found.told.shape) == 3 else 1


def list_meshes(
    provider: Provider, runs: AbstractSet[int] | None = None, orphans: bool = False
) -> list[tuple[int, MeshSeries]]:
    """Every mesh of the runs with these ids (None = all), with its run's id: by name, then by run."""
    return finish(mesh_steps(provider, runs, orphans))


def mesh_steps(
    provider: Provider, runs: AbstractSet[int] | None = None, orphans: bool = False
) -> Generator[None, None, list[tuple[int, MeshSeries]]]:
    """The same, giving way after each series."""
    names = {run.id: run.name for run in provider.runs()}
    found: dict[tuple[str, int], MeshSeries] = {}
    for info in provider.tags(PLUGIN):
        for run in info.runs:
            if run in names and (runs is None or run in runs):
                said = next((text for text, those in info.descriptions.items() if names[run] in those), "")
                add_part(provider, found, (run, names[run], info.tag), said, orphans)
                yield
    return [
        (run, mesh)
        for (_, run), mesh in sorted(found.items(), key=lambda item: (natural_key(item[0][0]), item[0][1]))
        if "vertex" in mesh.parts
    ]


def add_part(
    provider: Provider,
    found: dict[tuple[str, int], MeshSeries],
    at: tuple[int, str, str],
    description: str,
    orphans: bool,
) -> None:
    """Puts one series (run id, run, tag) to the mesh it belongs to."""
    run, run_name, tag = at
    try:
        values = provider.values(PLUGIN, run_name, tag, orphans)
    except NotFound:
        return  # gone since the list was made, or of this kind only by name
    told = mesh_tag(tag, values.metadata)
    if told.part is None or told.version > KNOWN_VERSION or not len(values):
        return
    mesh = found.setdefault((told.name, run), MeshSeries(run_name, told.name))
    mesh.description = mesh.description or description
    mesh.parts.setdefault(told.part, PartSeries(told, values))


def mesh_series(provider: Provider, run: str, name: str, orphans: bool = False) -> Generator[None, None, MeshSeries]:
    """One mesh of one run (by name), giving way while it is looked for. Raises TagNotFound."""
    ids = {row.id for row in provider.runs() if row.name == run}
    for _, mesh in (yield from mesh_steps(provider, ids, orphans)):
        if mesh.name == name:
            return mesh
    raise TagNotFound(f"run {run!r} has no mesh {name!r}")


def read_mesh(provider: Provider, mesh: MeshSeries, at: int, sample: int) -> Generator[int | None, None, Mesh]:
    """Mesh number `sample` of the value of vertices number `at`, giving way between its parts.

    Says first about how many bytes will be held. Raises Unshowable, ValueNotFound, TagNotFound.
    """
    vertices = mesh.shape
    yield HELD_FOR_A_BYTE * vertices.lengths[at]
    arrays: dict[Part, Array | None] = {"vertex": part_of(provider, vertices, at, sample, "vertex")}
    for part in ("face", "color"):
        yield None
        other = mesh.parts.get(part)
        place = None if other is None else belonging(other.values, vertices, at)
        arrays[part] = None if other is None or place is None else part_of(provider, other.values, place, sample, part)
    shape = arrays["vertex"]
    assert shape is not None
    return mesh_of(shape, arrays["face"], arrays["color"])


def part_of(provider: Provider, values: Values, at: int, sample: int, part: Part) -> Array:
    """The [n, 3] of one part. Raises Unshowable, ValueNotFound."""
    return one_of_batch(numbers_of(provider.window(values.place(at))), sample, WORDS[part])


def belonging(values: Values, shape: Values, at: int) -> int | None:
    """The value of another part that goes with vertices number `at`: of several at that step the one written next to
    it; where there is none the last before that step, for a surface that stays is often written once."""
    step, wall = shape.steps[at], shape.walls[at]
    same = [place for place, other in enumerate(values.steps) if other == step]
    if same:
        return min(same, key=lambda place: (abs(values.walls[place] - wall), -place))
    before = [place for place, other in enumerate(values.steps) if other < step]
    return max(before, key=lambda place: (values.steps[place], place)) if before else None
