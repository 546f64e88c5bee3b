"""PR curves of a tag: the curve of each run at a step, and statistics over the steps.

Not here: parsing values (`events.pr_curves`), JSON.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lightboard.errors import LightboardError, NotFound
from lightboard.events.pr_curves import (
    LATEST_VERSION,
    PLUGIN,
    PrCurve,
    PrCurveStats,
    curve_stats,
    read_curve,
    version_of,
)
from lightboard.events.sampling import sample_indices
from lightboard.query.provider import DataProvider, IndexProvider, ValueProvider
from lightboard.query.values import Values
from lightboard.types import Step, WallTime


class CurveAt(NamedTuple):
    """The curve of the run with id `run` at `step`. If it cannot be shown it is None, and `error` says why.

    `wall` is in seconds since the epoch; `key` identifies the value (see `query.values`).
    """

    run: int
    step: Step
    wall: WallTime
    key: str
    curve: PrCurve | None
    error: str


class Progress(NamedTuple):
    """Statistics of the run with id `run`, at a sample of its `held` values. NaN for values that cannot be read."""

    run: int
    held: int
    steps: list[Step]
    walls: list[WallTime]
    figures: list[PrCurveStats]


def curves_at(
    provider: DataProvider, tag: str, runs: Sequence[int] | None, step: Step | None, orphans: bool = False
) -> Iterator[CurveAt]:
    """The curve of each run nearest to `step` (None: the last one). Runs without the tag are left out.

    `runs` are ids (None: all); `orphans` includes superseded values.
    """
    for run, values in series_of(provider, tag, runs, orphans):
        index = len(values) - 1 if step is None else values.nearest(step)
        curve, error = _read(provider, values, index)
        yield CurveAt(run, values.steps[index], values.walls[index], values.key(index), curve, error)


def progress_of(
    provider: DataProvider, tag: str, runs: Sequence[int] | None, most: int, orphans: bool = False
) -> Iterator[Progress | None]:
    """Statistics of an even sample of at most `most` values of each run. Yields None after each value read."""
    for run, values in series_of(provider, tag, runs, orphans):
        indices = sample_indices(len(values), most)
        figures = []
        for index in indices:
            curve, _ = _read(provider, values, index)
            figures.append(curve_stats(curve) if curve is not None else _UNKNOWN)
            yield None
        steps, walls = [values.steps[index] for index in indices], [values.walls[index] for index in indices]
        yield Progress(run, len(values), steps, walls, figures)


def samples_of(provider: ValueProvider, run: str, tag: str, most: int) -> Iterator[tuple[Step, WallTime, PrCurve]]:
    """An even sample of at most `most` curves (0: all) of the run named `run`.

    Raises RunNotFound, TagNotFound, Unshowable, ValueNotFound.
    """
    values = provider.values(PLUGIN, run, tag)
    for index in sample_indices(len(values), most):
        yield values.steps[index], values.walls[index], read_curve(provider.window(values.location(index)))


def known(metadata: bytes) -> bool:
    """Whether the version of a tag with this SummaryMetadata is supported."""
    return version_of(metadata) <= LATEST_VERSION


def series_of(
    provider: DataProvider, tag: str, runs: Sequence[int] | None, orphans: bool
) -> Iterator[tuple[int, Values]]:
    """(run id, values) for each of `runs` (None: all) that has curves `tag`, by slot."""
    names = {run.id: run.name for run in provider.runs()}
    wanted = None if runs is None else set(runs)
    for run in _runs_of(provider, tag):
        if run not in names or (wanted is not None and run not in wanted):
            continue
        try:
            values = provider.values(PLUGIN, names[run], tag, orphans)
        except NotFound:
            continue  # removed since the tags were listed
        if len(values) and known(values.metadata):
            yield run, values


def _runs_of(provider: IndexProvider, tag: str) -> Iterable[int]:
    return next((info.runs for info in provider.tags(PLUGIN) if info.tag == tag), ())


def _read(provider: ValueProvider, values: Values, index: int) -> tuple[PrCurve | None, str]:
    """A curve, or None and the reason, because one bad value must not hide the others."""
    try:
        return read_curve(provider.window(values.location(index))), ""
    except LightboardError as error:
        return None, str(error)


_UNKNOWN = PrCurveStats(float("nan"), float("nan"), float("nan"))
