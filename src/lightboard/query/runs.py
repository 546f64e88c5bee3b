"""Runs as rows of a table."""

import math
import time
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lightboard.errors import RunNotFound
from lightboard.series.catalog import Catalog
from lightboard.series.folding import NOTHING, Setup, setups_of
from lightboard.series.hparams import Outcome, Scalar
from lightboard.series.run import Run
from lightboard.series.sessions import Session

LIVE_SECS = 60.0
"""A run that gave nothing for so long is called idle."""


@dataclass(slots=True)
class RunRow:
    """What `schema.runs.Run` says of a run, as plain values: ten thousand models take long, and thirty megabytes."""

    id: int
    name: str
    slot: int
    start_wall_time: float | None
    last_wall_time: float | None
    last_step: int | None
    files: int
    tags: int
    points: int
    damage_bytes: int
    damage_regions: int
    restarts: int
    status: Literal["live", "idle"]
    config: dict[str, Scalar]
    group_name: str
    outcome: Outcome
    folded_into: int | None


class Kept(NamedTuple):
    """A row, and what it was made from."""

    run: Run
    changed_at: int
    setup: Setup
    live: bool
    row: RunRow


class RunRows:
    """The rows of all runs of a catalog. One is made anew when something in it changed: there may be ten thousand."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._kept: dict[int, Kept] = {}

    def all(self, loaded_at: float) -> list[RunRow]:
        """Every run, by slot. `loaded_at` is when the first reading ended, inf while it goes on."""
        now, catalog, before = time.time(), self._catalog, self._kept
        runs = catalog.runs()
        # Asked before the rows are made: what changes meanwhile changes its generation too, and is made anew.
        changed = [catalog.changed_at(run) for run in runs]
        setups = setups_of(runs)
        kept: dict[int, Kept] = {}
        for run, changed_at in zip(runs, changed, strict=True):
            setup, live, one = setups.get(run.id, NOTHING), is_live(run, loaded_at, now), before.get(run.id)
            if one is None or one[:4] != (run, changed_at, setup, live):
                one = Kept(run, changed_at, setup, live, row_of(run, setup, live))
            kept[run.id] = one
        self._kept = kept
        return [one.row for one in kept.values()]


def is_live(run: Run, loaded_at: float, now: float) -> bool:
    """Is somebody writing this run?

    Judged by our clock where we saw bytes come, for writers' clocks may be wrong; what came with the first reading
    may be of any age and is judged by its events.
    """
    seen = run.changed_at > loaded_at and now - run.changed_at < LIVE_SECS
    return seen or abs(now - run.last_wall_time) < LIVE_SECS


def row_of(run: Run, setup: Setup, live: bool) -> RunRow:
    """One row."""
    damage = run.damage()
    return RunRow(
        id=run.id,
        name=run.name,
        slot=run.slot,
        start_wall_time=finite_or_none(run.start_wall_time),
        last_wall_time=finite_or_none(run.last_wall_time),
        last_step=run.last_step if any(file.decoder.records for file in run.files) else None,
        files=len(run.files),
        tags=len(run.tags()),
        points=run.points,
        damage_bytes=sum([region.length for region in damage]),
        damage_regions=len(damage),
        restarts=run.restarts,
        status="live" if live else "idle",
        config=setup.config,
        group_name=setup.group_name,
        outcome=setup.outcome,
        folded_into=setup.folded_into,
    )


def list_restarts(catalog: Catalog, name: str) -> list[Session]:
    """Where the writers of a run began again. Raises RunNotFound."""
    return run_named(catalog, name).sessions()


class EventFile(NamedTuple):
    """What `schema.runs.EventFile` says of one."""

    file: str
    size: int
    last_wall_time: float | None
    points: int


def list_files(catalog: Catalog, name: str) -> list[EventFile]:
    """The event files of a run, in the order in which their points count. Raises RunNotFound."""
    return [
        EventFile(file.path, file.size, finite_or_none(file.decoder.last_wall_time), file.decoder.points)
        for file in run_named(catalog, name).files
    ]


def run_named(catalog: Catalog, name: str) -> Run:
    """The run. Raises RunNotFound with the hint that people need."""
    try:
        return catalog.run(name)
    except RunNotFound as error:
        raise RunNotFound(error.message, hint="/api/v1/runs lists them") from None


def finite_or_none(number: float) -> float | None:
    """None for what JSON has no number for."""
    return number if math.isfinite(number) else None


def names_by_start(catalog: Catalog) -> list[str]:
    """Names in the order of first events, runs without any last; equals by name. TensorBoard's order."""
    runs = sorted(catalog.runs(), key=lambda run: (finite_or(run.start_wall_time, math.inf), run.name))
    return [run.name for run in runs]


def finite_or(number: float, otherwise: float) -> float:
    """`number`, or the other where it is none."""
    return number if math.isfinite(number) else otherwise
