"""Runs as a list, where one began again, and its files."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, RunId

Parameter = Annotated[bool | Number | str, Field(union_mode="smart")]
"""A hyper-parameter; a text may also be one of the words that stand for what is no number."""


class Run(Answer):
    """One folder with event files. `slot` is its place in the colour order and never changes.

    Wall times are seconds since the epoch, null before the first event; `points` counts scalar points held. `restarts`
    counts how often a writer began again. `config` are the hyper-parameters that count for the run: its own and those
    of the runs folded into it, or else those of the nearest run above; `outcome` and `group_name` ("" for none) are
    what the writers said of the session. A run with `folded_into` describes that run and is no row of its own.
    """

    id: RunId
    name: str
    slot: int
    start_wall_time: Number | None
    last_wall_time: Number | None
    last_step: int | None
    files: int
    tags: int
    points: int
    damage_bytes: int
    damage_regions: int
    restarts: int
    status: Literal["live", "idle"]
    config: dict[str, Parameter]
    group_name: str
    outcome: Literal["unknown", "success", "failure", "running"]
    folded_into: RunId | None


class RunList(Answer):
    """Every run, ordered by slot."""

    generation: int
    runs: list[Run]


class RunQuery(Question):
    """Of which run; its name."""

    run: str


class Restart(Answer):
    """A writer began again at this step, told by a SessionLog START or seen because steps went back."""

    step: int
    wall_time: Number
    reason: Literal["start", "regression"]


class RestartList(Answer):
    """In file order. Of steps that go back in one file the first 4,096 are here; `Run.restarts` counts all."""

    run: str
    restarts: list[Restart]


class EventFile(Answer):
    """One event file by its full path; `size` in bytes when last looked at.

    `last_wall_time` is that of the latest event in it, null where there is none; `points` counts scalar points held.
    """

    file: str
    size: int
    last_wall_time: Number | None
    points: int


class EventFileList(Answer):
    """In the order of their names, in which their points count."""

    run: str
    files: list[EventFile]
