"""Runs as a list."""

from typing import Literal

from lightboard.schema.model import Answer, Number, RunId


class Run(Answer):
    """One folder with event files. `slot` is its place in the colour order and never changes.

    Wall times are seconds since the epoch, null before the first event; `points` counts scalar points held.
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


class RunList(Answer):
    """Every run, ordered by slot."""

    generation: int
    runs: list[Run]
