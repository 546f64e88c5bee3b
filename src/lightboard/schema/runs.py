"""Runs, their restarts, and their event files."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, RunId

Parameter = Annotated[bool | Number | str, Field(union_mode="smart")]
"""The value of a hyperparameter. The strings NaN, Infinity and -Infinity may also stand for numbers."""


class NonfiniteEnd(ResponseModel):
    """`tags` scalar series of a run had finite values and end in values that are not finite.

    `tag` and `step` are those of the first such point; its `value` is NaN or infinite.
    """

    tag: str
    step: int
    value: Number
    tags: int


class Run(ResponseModel):
    """A run: a folder with event files. `slot` is its position in the colour order, which never changes.

    Wall times are in seconds since the epoch, null before the first event. `duration_secs` is the time from the first
    to the last scalar point, or between events if there are no scalars. `points` is the number of scalar points in
    memory. `nonfinite_end` is null unless the run diverged, whatever its `outcome`. `restarts` counts how often a
    writer restarted.

    `config` has the hyperparameters of the run: its own and those of runs folded into it, or else those of the nearest
    run above. `outcome` and `group_name` ("" for none) are those that writers declared for the session. A run with
    `folded_into` only describes that run and has no row of its own.
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


class RunListQuery(RequestModel):
    """Selects runs. Without parameters, all runs are returned.

    `filter` is a part of the name (case-insensitive); `limit` and `offset` select a page of the matching runs. With
    `after`, the slot of the last run of the previous page, pages have no gaps or duplicates even if runs are added or
    removed meanwhile. `since` is the `version` of an earlier list of all runs, to get only the runs that changed.
    """

    filter: str = Field(default="", max_length=1024)
    limit: int | None = Field(default=None, ge=1, le=100_000)
    offset: int = Field(default=0, ge=0, le=2**53)
    after: int | None = Field(default=None, ge=0, le=2**53)
    since: str = Field(default="", max_length=64)


class RunList(ResponseModel):
    """Runs, ordered by slot.

    `version` identifies this state of the list, `total` is the number of matching runs. If `since` is not null, `runs`
    are only those that changed after that version, and `ids` are the ids of all runs if runs were added or removed,
    else null.
    """

    generation: int
    version: str
    since: str | None
    total: int
    ids: list[RunId] | None
    runs: list[Run]


class RunQuery(RequestModel):
    """Selects a run by its name."""

    run: str


class Restart(ResponseModel):
    """A writer restarted at this step, according to a SessionLog START event or because steps went back."""

    step: int
    wall_time: Number
    reason: Literal["start", "regression"]


class RestartList(ResponseModel):
    """The restarts of a run in the order of its files.

    At most 4,096 restarts without a SessionLog are listed per file; `Run.restarts` counts all.
    """

    run: str
    restarts: list[Restart]


class EventFile(ResponseModel):
    """One event file. `file` is its full path, `size` its size in bytes at the last scan.

    `last_wall_time` is that of its latest event, null if it has none. `points` is the number of scalar points in
    memory.
    """

    file: str
    size: int
    last_wall_time: Number | None
    points: int


class EventFileList(ResponseModel):
    """The event files of a run, ordered by name, which is also the order of their points."""

    run: str
    files: list[EventFile]
