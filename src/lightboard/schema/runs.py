"""Runs as a list, where one began again, and its files."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, RunId

Parameter = Annotated[bool | Number | str, Field(union_mode="smart")]
"""A hyper-parameter; a text may also be one of the words that stand for what is no number."""


class NonfiniteEnd(Answer):
    """Scalar series that had numbers once and end in points that are none: `tags` of them.

    `tag` and `step` are those of the first such point; `value` is NaN or an infinity.
    """

    tag: str
    step: int
    value: Number
    tags: int


class Run(Answer):
    """One folder with event files. `slot` is its place in the colour order and never changes.

    Wall times are seconds since the epoch, null before the first event; `duration_secs` is from the first scalar point
    to the last (of all events where there is no scalar); `points` counts scalar points held; `nonfinite_end` tells of a
    run that diverged, whatever its `outcome`, and is null for all others. `restarts` counts how often a writer began
    again. `config` are the hyper-parameters that count for the run: its own and those of the runs folded into it, or
    else those of the nearest run above; `outcome` and `group_name` ("" for none) are what the writers said of the
    session. A run with `folded_into` describes that run and is no row of its own.
    """

    id: RunId
    name: str
    slot: int
    start_wall_time: Number | None
    last_wall_time: Number | None
    duration_secs: Number | None
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
    nonfinite_end: NonfiniteEnd | None


class RunListQuery(Question):
    """Which runs; without anything, all.

    `filter` is a part of a name, in any case; `limit` and `offset` cut a page out of what it leaves. `after` is the
    slot of the last run of the page before: pages that are asked for so fit together whatever comes and goes meanwhile.
    `since` is the `version` of an earlier answer about all runs: only those that are different now are wanted.
    """

    filter: str = Field(default="", max_length=1024)
    limit: int | None = Field(default=None, ge=1, le=100_000)
    offset: int = Field(default=0, ge=0, le=2**53)
    after: int | None = Field(default=None, ge=0, le=2**53)
    since: str = Field(default="", max_length=64)


class RunList(Answer):
    """Runs, ordered by slot.

    `version` names this moment, `total` counts the runs that the filter leaves. Where `since` is a text, `runs` are
    only those that became different after that version, and `ids` are those of all runs if any came or went, else null.
    """

    generation: int
    version: str
    since: str | None
    total: int
    ids: list[RunId] | None
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
