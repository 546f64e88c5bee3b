"""The hparams of a logdir by TensorBoard's rules: its sessions, and its experiment as declared or as they tell it.

A session is a run that says how it began. Where several runs declare an experiment the first one counts. Where none
does, parameters are those of the sessions, and metrics the scalars of the runs in their folders. Not here: filters,
groups of sessions (`query.sessions`); which run stands for which (`series.folding`).
"""

import math
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lightboard.errors import NotFound
from lightboard.query.provider import Provider
from lightboard.series.experiment import (
    EXPERIMENT_TAG,
    Experiment,
    Interval,
    Metric,
    MetricName,
    Parameter,
    SessionEnd,
    SessionStart,
    Type,
    experiment_of,
    session_end_of,
    session_start_of,
)
from lightboard.series.hparams import END_TAG, PLUGIN, START_TAG, Scalar


class Session(NamedTuple):
    """A run that is a session; `end` is None where nothing was said of its end."""

    run: str
    start: SessionStart
    end: SessionEnd | None


class Value(NamedTuple):
    """The last point of a metric."""

    value: float
    step: int
    wall_time: float


def read_sessions(provider: Provider) -> list[Session]:
    """Every session, by slot of its run."""
    said = {tag: dict(metadata_of(provider, tag)) for tag in (START_TAG, END_TAG)}
    ends = said[END_TAG]
    return [
        Session(run, session_start_of(metadata), session_end_of(ends[run]) if run in ends else None)
        for run, metadata in said[START_TAG].items()
    ]


def metadata_of(provider: Provider, tag: str) -> Iterator[tuple[str, bytes]]:
    """(run, the metadata of a hparams tag) for every run that has it, by slot."""
    holders = {run for info in provider.tags(PLUGIN) if info.tag == tag for run in info.runs}
    for row in provider.runs() if holders else ():
        if row.id in holders:
            try:
                yield row.name, provider.values(PLUGIN, row.name, tag).metadata
            except NotFound:
                continue  # gone since the list was made


def declared_experiment(provider: Provider) -> Experiment | None:
    """What the first run that declares one says, by the time of its first event; None where none does."""
    said = dict(metadata_of(provider, EXPERIMENT_TAG))
    first = next((run for run in provider.run_names() if run in said), None) if said else None
    return None if first is None else experiment_of(said[first])


def read_experiment(provider: Provider, sessions: Sequence[Session], *, with_metrics: bool = True) -> Experiment:
    """The experiment as declared or inferred; parameters that differ first, then by name."""
    found = declared_experiment(provider)
    if found is None:
        parameters = infer_parameters(session.start for session in sessions)
        metrics = infer_metrics(provider, sessions) if parameters and with_metrics else ()
        found = Experiment(parameters=parameters, metrics=metrics)
    ordered = tuple(sorted(found.parameters, key=lambda parameter: (not parameter.differs, parameter.name)))
    return found._replace(parameters=ordered, metrics=found.metrics if with_metrics else ())


def infer_parameters(starts: Iterable[SessionStart]) -> tuple[Parameter, ...]:
    """What the sessions' parameters have in common: texts and flags are lists, numbers intervals, a mixture texts."""
    values: dict[str, list[Scalar]] = {}
    for start in starts:
        for name, value in start.config.items():
            values.setdefault(name, []).append(value)
    return tuple(infer_parameter(name, several) for name, several in values.items())


def infer_parameter(name: str, values: Sequence[Scalar]) -> Parameter:
    """One parameter from all its values."""
    types = {type_of(value) for value in values}
    if types == {"float64"}:
        numbers = [float(value) for value in values]
        real = [number for number in numbers if not math.isnan(number)] or [math.nan]
        different = len(set(real)) + (len(real) < len(numbers)) > 1
        return Parameter(name, type="float64", interval=Interval(min(real), max(real)), differs=different)
    kind: Type = types.pop() if len(types) == 1 else "string"
    distinct: list[Scalar] = (
        sorted({bool(value) for value in values})
        if kind == "bool"
        else sorted({spelt(value) for value in values if not is_unwritable(value)})
    )
    return Parameter(name, type=kind, values=tuple(distinct), differs=len(distinct) > 1)


def type_of(value: Scalar) -> Type:
    """The type of one value."""
    if isinstance(value, bool):
        return "bool"
    return "string" if isinstance(value, str) else "float64"


def spelt(value: Scalar) -> str:
    """A value among texts: flags as JSON has them, whole numbers with their fraction."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def is_unwritable(value: Scalar) -> bool:
    """Is it a number that JSON has no word for?"""
    return isinstance(value, float) and not math.isfinite(value)


def infer_metrics(provider: Provider, sessions: Iterable[Session]) -> tuple[Metric, ...]:
    """Every scalar of the runs at and below the sessions, by tag, then group."""
    names = {session.run for session in sessions}
    found: set[tuple[str, str]] = set()
    for run, tags in provider.tags_by_run("scalars").items():
        session = session_above(names, run)
        if session is not None:
            group = group_below(session, run)
            found.update((tag, group) for tag in tags)
    return tuple(Metric(MetricName(group, tag)) for tag, group in sorted(found))


def session_above(sessions: set[str], run: str) -> str | None:
    """The nearest session whose folder holds the run, itself included. TensorBoard finds none in the logdir itself
    for the runs below it."""
    while run and run not in sessions:
        run = run.rpartition("/")[0]
    return run or None


def group_below(session: str, run: str) -> str:
    """Where a run lies below its session; "" if it is the session itself, which is called "." in the logdir."""
    if run == session:
        return "." if run.endswith(".") else ""
    return posixpath.relpath(run, session)


def run_of(session: str, group: str) -> str:
    """The run that holds the metrics of a group, as TensorBoard joins the two."""
    return posixpath.normpath(posixpath.join(session, group)) if group in ("", ".") else posixpath.join(session, group)


def last_values(
    provider: Provider, sessions: Sequence[Session], metrics: Sequence[Metric]
) -> dict[tuple[str, str], Value]:
    """(run, tag) -> the last point, for all metrics of these sessions."""
    ids = {row.id: row.name for row in provider.runs()}
    wanted = {run_of(session.run, metric.name.group) for session in sessions for metric in metrics}
    runs = frozenset(run_id for run_id, name in ids.items() if name in wanted)
    found = provider.stats(dict.fromkeys(metric.name.tag for metric in metrics), runs)
    return {
        (ids[run_id], tag): Value(stats.last_value, stats.last_step, stats.last_wall)
        for tag, run_id, stats in found
        if stats.held and run_id in ids
    }
