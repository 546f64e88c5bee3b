"""PR curves of a tag: one for each run at a step, and how average precision went over the steps.

Not here: what the numbers of a value mean (`events.pr_curves`), JSON.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lightboard.errors import LightboardError, NotFound
from lightboard.events.pr_curves import (
    LATEST_VERSION,
    PLUGIN,
    Figures,
    PrCurve,
    curve_of,
    figures_of,
    version_of,
)
from lightboard.events.sampling import kept_indices
from lightboard.query.provider import Provider
from lightboard.query.values import Values
from lightboard.types import Step, WallTime


class CurveAt(NamedTuple):
    """The curve of run `run` (id) at `step`; None and `error` where it cannot be shown. `wall` in seconds."""

    run: int
    step: Step
    wall: WallTime
    key: str
    curve: PrCurve | None
    error: str


class Progress(NamedTuple):
    """Figures of run `run` (id) at its steps; `held` is how many steps there are. NaN where a value is unreadable."""

    run: int
    held: int
    steps: list[Step]
    walls: list[WallTime]
    figures: list[Figures]


def curves_at(
    provider: Provider, tag: str, runs: Sequence[int] | None, step: Step | None, orphans: bool = False
) -> Iterator[CurveAt]:
    """The curve of each run whose step is nearest to `step` (None = the last); runs without the tag are left out."""
    for run, values in series_of(provider, tag, runs, orphans):
        at = len(values) - 1 if step is None else values.nearest(step)
        curve, error = _read(provider, values, at)
        yield CurveAt(run, values.steps[at], values.walls[at], values.key(at), curve, error)


def progress_of(
    provider: Provider, tag: str, runs: Sequence[int] | None, most: int, orphans: bool = False
) -> Iterator[Progress | None]:
    """Figures over the steps, at most `most` of each run, evenly chosen. None after each value that was read."""
    for run, values in series_of(provider, tag, runs, orphans):
        kept = kept_indices(len(values), most)
        figures = []
        for at in kept:
            curve, _ = _read(provider, values, at)
            figures.append(figures_of(curve) if curve is not None else _UNKNOWN)
            yield None
        steps, walls = [values.steps[at] for at in kept], [values.walls[at] for at in kept]
        yield Progress(run, len(values), steps, walls, figures)


def samples_of(provider: Provider, run: str, tag: str, most: int) -> Iterator[tuple[Step, WallTime, PrCurve]]:
    """At most `most` curves of one run (by name), 0 = all. Raises RunNotFound, TagNotFound, Unshowable."""
    values = provider.values(PLUGIN, run, tag)
    for at in kept_indices(len(values), most):
        yield values.steps[at], values.walls[at], curve_of(provider.window(values.place(at)))


def known(metadata: bytes) -> bool:
    """Is a tag of that metadata of a version that is understood?"""
    return version_of(metadata) <= LATEST_VERSION


def series_of(provider: Provider, tag: str, runs: Sequence[int] | None, orphans: bool) -> Iterator[tuple[int, Values]]:
    """(id of the run, its values) for those of `runs` (None = all) that hold curves of `tag`, by slot."""
    names = {run.id: run.name for run in provider.runs()}
    wanted = None if runs is None else set(runs)
    for run in _runs_of(provider, tag):
        if run not in names or (wanted is not None and run not in wanted):
            continue
        try:
            values = provider.values(PLUGIN, names[run], tag, orphans)
        except NotFound:
            continue  # gone since the list was made
        if len(values) and known(values.metadata):
            yield run, values


def _runs_of(provider: Provider, tag: str) -> Iterable[int]:
    return next((info.runs for info in provider.tags(PLUGIN) if info.tag == tag), ())


def _read(provider: Provider, values: Values, at: int) -> tuple[PrCurve | None, str]:
    """A curve, or why there is none: one bad value must not hide the others."""
    try:
        return curve_of(provider.window(values.place(at))), ""
    except LightboardError as error:
        return None, str(error)


_UNKNOWN = Figures(float("nan"), float("nan"), float("nan"))
