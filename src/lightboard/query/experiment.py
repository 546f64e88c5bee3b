"""The hparams of a logdir by TensorBoard's rules: its sessions and its experiment, declared or inferred.

A session is a run with a session start message. If several runs declare an experiment, the declarations are merged;
TensorBoard uses only the first, which hides the parameters of all others. Without a declaration, the parameters are
inferred from the sessions, and the metrics are the scalars of the runs in their folders. Not here: filtering and
grouping sessions (`query.sessions`), runs that describe other runs (`series.run_setups`).
"""

import math
import posixpath
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from lightboard.cancellation import finish
from lightboard.errors import NotFound
from lightboard.query.provider import DataProvider, IndexProvider
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
    parse_experiment,
    read_session_end,
    read_session_start,
)
from lightboard.series.hparams import END_TAG, PLUGIN, START_TAG, Scalar

T = TypeVar("T")


class Session(NamedTuple):
    """A run that is a session. `end` is None if it has no session end message."""

    run: str
    start: SessionStart
    end: SessionEnd | None


class Value(NamedTuple):
    """The last point of a metric."""

    value: float
    step: int
    wall_time: float


Steps: TypeAlias = Generator[None, None, T]
"""Work that yields after each step, so that other work can run, and returns a result (see `cancellation.finish`)."""


def read_sessions(provider: DataProvider) -> list[Session]:
    """All sessions, by slot of their runs."""
    return finish(session_steps(provider))


def session_steps(provider: DataProvider) -> Steps[list[Session]]:
    """Like `read_sessions`, in steps of one session."""
    ends = {}
    for run, metadata in metadata_of(provider, END_TAG):
        ends[run] = read_session_end(metadata)
        yield
    sessions = []
    for run, metadata in metadata_of(provider, START_TAG):
        sessions.append(Session(run, read_session_start(metadata), ends.get(run)))
        yield
    return sessions


def metadata_of(provider: DataProvider, tag: str) -> Iterator[tuple[str, bytes]]:
    """(run name, metadata) of an hparams tag for each run that has it, by slot."""
    holders = {run for info in provider.tags(PLUGIN) if info.tag == tag for run in info.runs}
    for row in provider.runs() if holders else ():
        if row.id in holders:
            try:
                yield row.name, provider.values(PLUGIN, row.name, tag).metadata
            except NotFound:
                continue  # removed since the runs were listed


def declared_experiments(provider: DataProvider) -> list[Experiment]:
    """The experiments that runs declare, by the time of the run's first event."""
    metadata = dict(metadata_of(provider, EXPERIMENT_TAG))
    return [parse_experiment(metadata[run]) for run in provider.run_names() if run in metadata] if metadata else []


def merge_experiments(experiments: Sequence[Experiment]) -> Experiment:
    """Merge one or more declarations. Of texts and metrics the first counts, of creation times the earliest."""
    parameters: dict[str, Parameter] = {}
    metrics: dict[MetricName, Metric] = {}
    for experiment in experiments:
        for parameter in experiment.parameters:
            known = parameters.get(parameter.name)
            parameters[parameter.name] = parameter if known is None else merge_declarations(known, parameter)
        for metric in experiment.metrics:
            metrics.setdefault(metric.name, metric)
    return Experiment(
        name=next((each.name for each in experiments if each.name), ""),
        description=next((each.description for each in experiments if each.description), ""),
        user=next((each.user for each in experiments if each.user), ""),
        time_created=min((each.time_created for each in experiments if each.time_created), default=0.0),
        parameters=tuple(parameters.values()),
        metrics=tuple(metrics.values()),
    )


def merge_declarations(first: Parameter, second: Parameter) -> Parameter:
    """Merge two declarations of a parameter. The domain includes both domains; it is open if one is a list of values
    and the other an interval. The type is "string" if the types differ."""
    kinds = {first.type, second.type} - {"unset"}
    values, interval = first.values, first.interval
    if values is None and interval is None:
        values, interval = second.values, second.interval
    elif values is not None and second.values is not None:
        # Keyed by type too, because True == 1 in Python.
        values = tuple({(type(value), value): value for value in (*values, *second.values)}.values())
    elif interval is not None and second.interval is not None:
        interval = Interval(min(interval.low, second.interval.low), max(interval.high, second.interval.high))
    elif second.values is not None or second.interval is not None:
        values = interval = None
    return first._replace(
        display_name=first.display_name or second.display_name,
        description=first.description or second.description,
        type="string" if len(kinds) > 1 else next(iter(kinds), "unset"),
        values=values,
        interval=interval,
        differs=first.differs or second.differs,
    )


def read_experiment(provider: DataProvider, sessions: Sequence[Session], *, with_metrics: bool = True) -> Experiment:
    """The declared or inferred experiment, with its parameters by name, those that differ between sessions first."""
    return finish(experiment_steps(provider, sessions, with_metrics=with_metrics))


def experiment_steps(
    provider: DataProvider, sessions: Sequence[Session], *, with_metrics: bool = True
) -> Steps[Experiment]:
    """Like `read_experiment`, in steps of one run."""
    declared = declared_experiments(provider)
    yield
    if declared:
        experiment = merge_experiments(declared)
    else:
        parameters = yield from parameter_steps(session.start for session in sessions)
        metrics = (yield from metric_steps(provider, sessions)) if parameters and with_metrics else ()
        experiment = Experiment(parameters=parameters, metrics=metrics)
    ordered = tuple(sorted(experiment.parameters, key=lambda parameter: (not parameter.differs, parameter.name)))
    return experiment._replace(parameters=ordered, metrics=experiment.metrics if with_metrics else ())


def infer_parameters(starts: Iterable[SessionStart]) -> tuple[Parameter, ...]:
    """Infer parameters from the values in sessions, in order of appearance (see `infer_parameter`)."""
    return finish(parameter_steps(starts))


def parameter_steps(starts: Iterable[SessionStart]) -> Steps[tuple[Parameter, ...]]:
    """Like `infer_parameters`, in steps of one session or parameter."""
    values: dict[str, list[Scalar]] = {}
    for start in starts:
        for name, value in start.config.items():
            values.setdefault(name, []).append(value)
        yield
    parameters = []
    for name, own_values in values.items():
        parameters.append(infer_parameter(name, own_values))
        yield
    return tuple(parameters)


def infer_parameter(name: str, values: Sequence[Scalar]) -> Parameter:
    """Infer a parameter from all its values.

    The domain of numbers is an interval, that of strings and booleans a sorted list. Values of several types are listed
    as strings, without non-finite numbers. NaN is a value that may differ, but is not part of an interval.
    """
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
        else sorted({text_of(value) for value in values if not is_nonfinite(value)})
    )
    return Parameter(name, type=kind, values=tuple(distinct), differs=len(distinct) > 1)


def type_of(value: Scalar) -> Type:
    """The type of one value."""
    if isinstance(value, bool):
        return "bool"
    return "string" if isinstance(value, str) else "float64"


def text_of(value: Scalar) -> str:
    """A value as a string: booleans as in JSON, integral numbers with a decimal point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def is_nonfinite(value: Scalar) -> bool:
    """Whether a value is NaN or an infinity, which JSON cannot represent."""
    return isinstance(value, float) and not math.isfinite(value)


def metric_steps(provider: IndexProvider, sessions: Iterable[Session]) -> Steps[tuple[Metric, ...]]:
    """All scalars of the runs at and below the sessions, by tag, then group."""
    names = {session.run for session in sessions}
    groups: dict[int, str] = {}
    for row in provider.runs():
        session = session_above(names, row.name)
        if session is not None:
            groups[row.id] = group_below(session, row.name)
        yield
    names_by_tag: set[tuple[str, str]] = set()
    for info in provider.tags("scalars"):  # cached by the provider, unlike the tags of each run
        names_by_tag.update((info.tag, groups[run]) for run in info.runs if run in groups)
        yield
    return tuple(Metric(MetricName(group, tag)) for tag, group in sorted(names_by_tag))


def session_above(sessions: set[str], run: str) -> str | None:
    """The nearest session at or above a run, or None.

    As in TensorBoard, a session in the logdir itself does not include the runs below it.
    """
    while run and run not in sessions:
        run = run.rpartition("/")[0]
    return run or None


def group_below(session: str, run: str) -> str:
    """The path of a run relative to its session. The session itself is "", or "." if it is the logdir."""
    if run == session:
        return "." if run.endswith(".") else ""
    return posixpath.relpath(run, session)


def run_of(session: str, group: str) -> str:
    """The run with the metrics of a group, joined from the two as in TensorBoard."""
    return posixpath.normpath(posixpath.join(session, group)) if group in ("", ".") else posixpath.join(session, group)


def last_value_steps(
    provider: DataProvider, sessions: Sequence[Session], metrics: Sequence[Metric]
) -> Steps[dict[tuple[str, str], Value]]:
    """(run, tag) -> the last point, for all metrics of these sessions."""
    names = {row.id: row.name for row in provider.runs()}
    groups = {metric.name.group for metric in metrics}
    wanted: set[str] = set()
    for session in sessions:
        wanted.update(run_of(session.run, group) for group in groups)
        yield
    runs = frozenset(run_id for run_id, name in names.items() if name in wanted)
    series = provider.stats(dict.fromkeys(metric.name.tag for metric in metrics), runs)
    values = {}
    for tag, run_id, stats in series:
        if stats.held and run_id in names:
            values[names[run_id], tag] = Value(stats.last_value, stats.last_step, stats.last_wall)
        yield
    return values
