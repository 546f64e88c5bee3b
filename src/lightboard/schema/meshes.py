"""Meshes and point clouds: which there are, at which steps, and one of them to draw or to keep."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, RunId, Whole
from lightboard.schema.scalars import RunIds, TagName
from lightboard.schema.values import ValueKey


class MeshesQuestion(Question):
    """Meshes of `runs` (null = all). `orphans` adds superseded values."""

    runs: RunIds | None = None
    orphans: bool = False


class MeshSeries(Answer):
    """One mesh of one run: the tag of its vertices, what was said of it as safe HTML or ""; `samples` in each value;
    step, wall time in seconds and key of the vertices for each value; which parts it has ("vertex", "face", "color");
    the scene in its writer's words (JSON, unchecked, or "")."""

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


class MeshesAnswer(Answer):
    """By name in natural order, then by run."""

    generation: int
    meshes: list[MeshSeries]


class MeshFileQuery(Question):
    """One mesh: run by name, name of the mesh, key of the value of its vertices, number in the batch."""

    run: str
    name: TagName
    at: ValueKey
    sample: Whole = 0


class MeshQuery(MeshFileQuery):
    """The same to draw it: `most` points of a cloud."""

    most: Annotated[int, Field(ge=1, le=2_000_000)] = 200_000
