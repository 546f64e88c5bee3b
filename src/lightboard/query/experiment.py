"""The hparams of a logdir by TensorBoard's rules: its sessions, and its experiment as declared or as they tell it.

A session is a run that says how it began. Where several runs declare an experiment, it is the union of what they say
(TensorBoard takes the first, which hides the parameters of all others). Where none does, parameters are those of the
sessions, and metrics the scalars of the runs in their folders. Not here: filters, groups of sessions
(`query.sessions`); which run stands for which (`series.folding`).
"""

import math
import posixpath
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from lightboard.cancellation import finish
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

T = TypeVar("T")


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


Steps: TypeAlias = Generator[None, None, T]
"""Work that gives way to others between its steps, and what it comes to (`cancellation.finish`)."""


def read_sessions(provider: Provider) -> list[Session]:
    """Every session, by slot of its run."""
    return finish(session_steps(provider))


def session_steps(provider: Provider) -> Steps[list[Session]]:
    """The same, session by session."""
    ends = {}
    for run, metadata in metadata_of(provider, END_TAG):
        ends[run] = session_end_of(metadata)
        yield
    sessions = []
    for run, metadata in metadata_of(provider, START_TAG):
        sessions.append(Session(run, session_start_of(metadata), ends.get(run)))
        yield
    return sessions


def metadata_of(provider: Provider, tag: str) -> Iterator[tuple[str, bytes]]:
    """(run, the metadata of a hparams tag) for every run that has it, by slot."""
    holders = {run for info in provider.tags(PLUGIN) if info.tag == tag for run in info.runs}
    for row in provider.runs() if holders else ():
        if row.id in holders:
            try:
                yield row.name, provider.values(PLUGIN, row.name, tag).metadata
            except NotFound:
                continue  # gone since the list was made


def declared_experiments(provider: Provider) -> list[Experiment]:
    """What runs declare, by the time of their first event."""
    said = dict(metadata_of(provider, EXPERIMENT_TAG))
    return [experiment_of(said[run]) for run in provider.run_names() if run in said] if said else []


def united(experiments: Sequence[Experiment]) -> Experiment:
    """Several declarations as one: of what can only be said once, the first that says it; there is at least one."""
    parameters: dict[str, Parameter] = {}
    metrics: dict[MetricName, Metric] = {}
    for experiment in experiments:
        for parameter in experiment.parameters:
            known = parameters.get(parameter.name)
            parameters[parameter.name] = parameter if known is None else united_parameter(known, parameter)
        for metric in experiment.metrics:
            metrics.setdefault(metric.name, metric)
    return Experiment(
        name=next((one.name for one in experiments if one.name), ""),
        description=next((one.description for one in experiments if one.description), ""),
        user=next((one.user for one in experiments if one.user), ""),
        time_created=min((one.time_created for one in experiments if one.time_created), default=0.0),
        parameters=tuple(parameters.values()),
        metrics=tuple(metrics.values()),
    )


def united_parameter(one: Parameter, other: Parameter) -> Parameter:
    """Two declarations of a parameter: of two domains one that holds both, any where they are of two kinds."""
    kinds = {one.type, other.type} - {"unset"}
    values, interval = one.values, one.interval
    if values is None and interval is None:
        values, interval = other.values, other.interval
    elif values is not None and other.values is not None:
        # A flag is no number, though Python takes true for 1.
        values = tuple({(type(value), value): value for value in (*values, *other.values)}.values())
    elif interval is not None and other.interval is not None:
        interval = Interval(min(interval.low, other.interval.low), max(interval.high, other.interval.high))
    elif other.values is not None or other.interval is not None:
        values = interval = None
    return one._replace(
        display_name=one.display_name or other.display_name,
        description=one.description or other.description,
        type="string" if len(kinds) > 1 else next(iter(kinds), "unset"),
        values=values,
        interval=interval,
        differs=one.differs or other.differs,
    )


def read_experiment(provider: Provider, sessions: Sequence[Session], *, with_metrics: bool = True) -> Experiment:
    """The experiment as declared or inferred; parameters that differ first, then by name."""
    return finish(experiment_steps(provider, sessions, with_metrics=with_metrics))


def experiment_steps(
    provider: Provider, sessions: Sequence[Session], *, with_metrics: bool = True
) -> Steps[Experiment]:
    """The same, run by run."""
    declared = declared_experiments(provider)
    yield
    if declared:
        found = united(declared)
    else:
        parameters = yield from parameter_steps(session.start for session in sessions)
        metrics = (yield from metric_steps(provider, sessions)) if parameters and with_metrics else ()
        found = Experiment(parameters=parameters, metrics=metrics)
    ordered = tuple(sorted(found.parameters, key=lambda parameter: (not parameter.differs, parameter.name)))
    return found._replace(parameters=ordered, metrics=found.metrics if with_metrics else ())


def infer_parameters(starts: Iterable[SessionStart]) -> tuple[Parameter, ...]:
    """What the sessions' parameters have in common: texts and flags are lists, numbers intervals, a mixture texts."""
    return finish(parameter_steps(starts))


def parameter_steps(starts: Iterable[SessionStart]) -> Steps[tuple[Parameter, ...]]:
    """The same, parameter by parameter."""
    values: dict[str, list[Scalar]] = {}
    for start in starts:
        for name, value in start.config.items():
            values.setdefault(name, []).append(value)
        yield
    found = []
    for name, several in values.items():
        found.append(infer_parameter(name, several))
        yield
    return tuple(found)


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


def metric_steps(provider: Provider, sessions: Iterable[Session]) -> Steps[tuple[Metric, ...]]:
    """Every scalar of the runs at and below the sessions, by tag, then group."""
    names = {session.run for session in sessions}
    places: dict[int, str] = {}
    for row in provider.runs():
        session = session_above(names, row.name)
        if session is not None:
            places[row.id] = group_below(session, row.name)
        yield
    found: set[tuple[str, str]] = set()
    for info in provider.tags("scalars"):  # kept by the provider, unlike the tags of each run
        found.update((info.tag, places[run]) for run in info.runs if run in places)
        yield
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


def last_value_steps(
    provider: Provider, sessions: Sequence[Session], metrics: Sequence[Metric]
) -> Steps[dict[tuple[str, str], Value]]:
    """(run, tag) -> the last point, for all metrics of these sessions."""
    ids = {row.id: row.name for row in provider.runs()}
    groups = {metric.name.group for metric in metrics}
    wanted: set[str] = set()
    for session in sessions:
        wanted.update(run_of(session.run, group) for group in groups)
        yield
    runs = frozenset(run_id for run_id, name in ids.items() if name in wanted)
    found = provider.stats(dict.fromkeys(metric.name.tag for metric in metrics), runs)
    values = {}
    for tag, run_id, stats in found:
        if stats.held and run_id in ids:
            values[ids[run_id], tag] = Value(stats.last_value, stats.last_step, stats.last_wall)
        yield
    return values
