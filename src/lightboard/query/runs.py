"""Runs as rows of a table."""

import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lightboard import cancellation
from lightboard.errors import RunNotFound
from lightboard.query.divergence import NonfiniteEnd, nonfinite_end
from lightboard.series.catalog import Catalog
from lightboard.series.hparams import Outcome, Scalar
from lightboard.series.restarts import Restart
from lightboard.series.run import Run
from lightboard.series.run_setups import EMPTY_SETUP, RunSetup, find_setups

LIVE_SECS = 60.0
"""A run without new data for this long is idle."""


@dataclass(slots=True)
class RunRow:
    """The fields of `schema.runs.Run` as plain values, since ten thousand models are slow and take 30 MB."""

    id: int
    name: str
    slot: int
    start_wall_time: float | None
    last_wall_time: float | None
    duration_secs: float | None
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
    nonfinite_end: NonfiniteEnd | None


class RunTable(NamedTuple):
    """A version of all rows, by slot.

    `remade` maps each run id to the number of the version in which its row last changed, and `listed` is that in which
    runs were last added or removed.
    """

    epoch: str
    number: int
    rows: list[RunRow]
    remade: dict[int, int]
    listed: int

    @property
    def version(self) -> str:
        """Unique to these rows, also after a restart of the server."""
        return f"{self.epoch}.{self.number}"

    def number_of(self, version: str) -> int | None:
        """The number of an earlier version of this table, or None."""
        epoch, _, number = version.partition(".")
        known = epoch == self.epoch and number.isascii() and number.isdigit() and len(number) <= len(str(self.number))
        return int(number) if known and int(number) <= self.number else None


class Origin(NamedTuple):
    """The inputs of a row. It is remade when they change."""

    run: Run
    changed_at: int
    setup: RunSetup
    live: bool


class RunRows:
    """The rows of all runs of a catalog. Only changed rows are remade."""

    def __init__(self, catalog: Catalog, clock: Callable[[], float] = time.time, purge: bool = True) -> None:
        self._catalog = catalog
        self._purge = purge
        self._clock = clock
        self._lock = threading.Lock()
        self._origins: dict[int, Origin] = {}
        self._by_id: dict[int, RunRow] = {}
        self._table = RunTable(secrets.token_hex(4), 0, [], {}, 0)
        self._made_of: tuple[int, float] = (-1, math.inf)
        self._good_until = -math.inf

    def table(self, loaded_at: float) -> RunTable:
        """All runs, by slot. `loaded_at` is the end of the first reading, inf before."""
        with self._lock:
            now = self._clock()
            # Read before the rows are made, so that changes meanwhile lead to another version.
            made_of = (self._catalog.generation, loaded_at)
            if made_of != self._made_of or now >= self._good_until:
                self._update(loaded_at, now)
                self._made_of = made_of  # not before: a cancelled update must be repeated
            return self._table

    def all(self, loaded_at: float) -> list[RunRow]:
        """The rows of `table`. Callers must not modify the list."""
        return self.table(loaded_at).rows

    def _update(self, loaded_at: float, now: float) -> None:
        runs = self._catalog.runs()
        # As above, read before the rows are made.
        changed = [self._catalog.changed_at(run) for run in runs]
        setups = find_setups(runs)
        epoch, number, _, remade, listed = self._table
        before, rows = self._origins, self._by_id
        origins: dict[int, Origin] = {}
        changed_origins: list[Origin] = []
        for run, changed_at in zip(runs, changed, strict=True):
            cancellation.check()
            origin = Origin(run, changed_at, setups.get(run.id, EMPTY_SETUP), is_live(run, loaded_at, now))
            origins[run.id] = origin
            if before.get(run.id) != origin:
                changed_origins.append(origin)
        good_until = min((next_change(run, loaded_at, now) for run in runs), default=math.inf)
        relisted = before.keys() != origins.keys()
        if not changed_origins and not relisted:
            self._good_until = good_until
            return
        number += 1
        made: dict[int, RunRow] = {}
        for origin in changed_origins:
            cancellation.check()
            made[origin.run.id] = row_of(origin.run, origin.setup, origin.live, self._purge)
        self._good_until = good_until
        self._origins = origins
        self._by_id = {id_: made.get(id_) or rows[id_] for id_ in origins}
        remade = {id_: number if id_ in made else remade[id_] for id_ in origins}
        self._table = RunTable(epoch, number, list(self._by_id.values()), remade, number if relisted else listed)


def is_live(run: Run, loaded_at: float, now: float) -> bool:
    """Whether a run is being written.

    New data after the first reading is dated by our clock, since clocks of writers may be wrong. Older data is dated by
    its events.
    """
    seen = run.changed_at > loaded_at and now - run.changed_at < LIVE_SECS
    return seen or abs(now - run.last_wall_time) < LIVE_SECS


def next_change(run: Run, loaded_at: float, now: float) -> float:
    """When `is_live` of the run may change without new data; inf for never."""
    seen_until = run.changed_at + LIVE_SECS if run.changed_at > loaded_at else -math.inf
    last = run.last_wall_time
    return min((when for when in (seen_until, last - LIVE_SECS, last + LIVE_SECS) if when > now), default=math.inf)


def row_of(run: Run, setup: RunSetup, live: bool, purge: bool) -> RunRow:
    """One row."""
    damage = run.damage()
    return RunRow(
        id=run.id,
        name=run.name,
        slot=run.slot,
        start_wall_time=finite_or_none(run.start_wall_time),
        last_wall_time=finite_or_none(run.last_wall_time),
        duration_secs=finite_or_none(run.duration_secs),
        last_step=run.last_step if any(file.decoder.records for file in run.files) else None,
        files=len(run.files),
        tags=len(run.tags()),
        points=run.points,
        damage_bytes=sum([region.length for region in damage]),
        damage_regions=len(damage),
        restarts=run.restart_count,
        status="live" if live else "idle",
        config=setup.config,
        group_name=setup.group_name,
        outcome=setup.outcome,
        folded_into=setup.folded_into,
        nonfinite_end=nonfinite_end(run, purge),
    )


def list_restarts(catalog: Catalog, name: str) -> list[Restart]:
    """The restarts of a run. Raises RunNotFound."""
    return run_named(catalog, name).list_restarts()


class EventFile(NamedTuple):
    """The fields of `schema.runs.EventFile`."""

    file: str
    size: int
    last_wall_time: float | None
    points: int


def list_files(catalog: Catalog, name: str) -> list[EventFile]:
    """The event files of a run, in the order of their points. Raises RunNotFound."""
    return [
        EventFile(file.path, file.size, finite_or_none(file.decoder.last_wall_time), file.decoder.points)
        for file in run_named(catalog, name).files
    ]


def run_named(catalog: Catalog, name: str) -> Run:
    """The run of this name. Raises RunNotFound with a hint."""
    try:
        return catalog.run(name)
    except RunNotFound as error:
        raise RunNotFound(error.message, hint="/api/v1/runs lists them") from None


def finite_or_none(number: float) -> float | None:
    """The number, or None if it is not finite."""
    return number if math.isfinite(number) else None


def names_by_start(catalog: Catalog) -> list[str]:
    """Names by time of the first event, then by name, as in TensorBoard. Runs without events are last."""
    runs = sorted(catalog.runs(), key=lambda run: (finite_or(run.start_wall_time, math.inf), run.name))
    return [run.name for run in runs]


def finite_or(number: float, otherwise: float) -> float:
    """`number`, or `otherwise` if it is not finite."""
    return number if math.isfinite(number) else otherwise
