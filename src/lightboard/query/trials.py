"""The trials of a logdir: runs with hyperparameters, the runs that belong to them, and their metrics.

The sessions of one trial may lie in several folders; `series.run_setups` chooses the run that represents them. Declared
parameters and metrics are merged with those found in the logs. Not here: the values of metrics. A metric is a tag, and
`query.columns` has its statistics for all runs.
"""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lightboard.cancellation import finish
from lightboard.query.experiment import (
    Session,
    Steps,
    declared_experiments,
    merge_experiments,
    parameter_steps,
    session_steps,
)
from lightboard.query.provider import DataProvider, IndexProvider
from lightboard.query.runs import RunRow
from lightboard.series.experiment import Experiment, Metric, MetricName, Parameter
from lightboard.series.run_setups import parent_folders


class Trial(NamedTuple):
    """One trial, represented by the run with id `run`.

    `members` are the ids of the runs with its metrics, by group: the path relative to that run, "" for the run itself.
    Times are in seconds since the epoch, None if unknown.
    """

    run: int
    start_time: float | None
    end_time: float | None
    model_uri: str
    monitor_url: str
    members: dict[str, list[int]]


class Study(NamedTuple):
    """The experiment and its trials.

    Parameters that differ between trials come first, and so do declared metrics. `counts` is the number of trials that
    have each metric.
    """

    experiment: Experiment
    counts: list[int]
    trials: list[Trial]


def read_study(provider: DataProvider) -> Study:
    """The study of a logdir, with its trials by slot."""
    return finish(study_steps(provider))


def study_steps(provider: DataProvider) -> Steps[Study]:
    """Like `read_study`, in steps of one session, run or tag."""
    sessions = yield from session_steps(provider)
    rows = provider.runs() if sessions else []
    trials = yield from trial_steps(rows, sessions)
    declared = merge_experiments(declared_experiments(provider)) if sessions else Experiment()
    yield
    counts = yield from count_steps(provider, trials)
    metrics = merged_metrics(declared, counts)
    parameters = yield from merged_parameters(declared, sessions)
    experiment = declared._replace(parameters=parameters, metrics=metrics)
    return Study(experiment, [counts.get(metric.name, 0) for metric in metrics], trials)


def trial_steps(rows: Sequence[RunRow], sessions: Sequence[Session]) -> Steps[list[Trial]]:
    """The trials of these sessions, in the order of `rows`, which are all runs."""
    by_name = {row.name: row for row in rows}
    names = {row.id: row.name for row in rows}
    sessions_of: dict[str, list[Session]] = {}
    for session in sessions:
        row = by_name.get(session.run)
        if row is not None:
            sessions_of.setdefault(names[row.id if row.folded_into is None else row.folded_into], []).append(session)
    describing = {session.run for session in sessions}
    members: dict[str, dict[str, list[int]]] = {name: {} for name in sessions_of}
    for row in sorted(rows, key=lambda row: (row.folded_into is not None, row.slot)):
        # The metrics of a run that only describes another one belong to the latter. Other folded runs keep their name.
        name = names[row.folded_into] if row.name in describing and row.folded_into is not None else row.name
        trial = next((folder for folder in (name, *parent_folders(name)) if folder in sessions_of), None)
        if trial is not None:
            members[trial].setdefault(group_below(trial, name), []).append(row.id)
        yield
    return [trial_of(row.id, sessions_of[row.name], members[row.name]) for row in rows if row.name in sessions_of]


def group_below(trial: str, run: str) -> str:
    """The path of a run relative to the run of its trial; "" for that run itself."""
    return "" if run == trial else posixpath.relpath(run, trial)


def trial_of(run: int, sessions: Sequence[Session], members: dict[str, list[int]]) -> Trial:
    """A trial from its sessions: the earliest start, the latest end, and the last URLs."""
    starts = [session.start.time for session in sessions if session.start.time]
    ends = [session.end.time for session in sessions if session.end and session.end.time]
    uris = [session.start.model_uri for session in sessions if session.start.model_uri]
    urls = [session.start.monitor_url for session in sessions if session.start.monitor_url]
    start, end = min(starts, default=None), max(ends, default=None)
    return Trial(run, start, end, last_or_empty(uris), last_or_empty(urls), members)


def last_or_empty(texts: Sequence[str]) -> str:
    """The last text, or "" if there is none."""
    return texts[-1] if texts else ""


def count_steps(provider: IndexProvider, trials: Iterable[Trial]) -> Steps[dict[MetricName, int]]:
    """All scalars of the trials, each with the number of trials that have it."""
    groups = {run: (trial.run, group) for trial in trials for group, runs in trial.members.items() for run in runs}
    trials_with: dict[MetricName, set[int]] = {}
    for info in provider.tags("scalars") if groups else ():
        for run in info.runs:
            if run in groups:
                trial, group = groups[run]
                trials_with.setdefault(MetricName(group, info.tag), set()).add(trial)
        yield
    return {name: len(runs) for name, runs in trials_with.items()}


def merged_metrics(declared: Experiment, counts: Mapping[MetricName, int]) -> tuple[Metric, ...]:
    """The declared metrics in their order, then the other scalars of the trials by group and tag."""
    metrics = {metric.name: metric for metric in declared.metrics}
    names = dict.fromkeys([*metrics, *sorted(counts, key=lambda name: (name.group, name.tag))])
    return tuple(metrics.get(name) or Metric(name) for name in names)


def merged_parameters(declared: Experiment, sessions: Iterable[Session]) -> Steps[tuple[Parameter, ...]]:
    """Merge the declared parameters with those inferred from sessions: first those that differ, then in declared order.

    Types and domains are inferred where the declaration has none.
    """
    by_name = {parameter.name: parameter for parameter in declared.parameters}
    parameters = yield from parameter_steps(session.start for session in sessions)
    inferred = {parameter.name: parameter for parameter in parameters}
    names = dict.fromkeys([*by_name, *inferred])
    merged = [complete_declaration(by_name.get(name), inferred.get(name)) for name in names]
    return tuple(sorted(merged, key=lambda parameter: not parameter.differs))


def complete_declaration(declared: Parameter | None, inferred: Parameter | None) -> Parameter:
    """A declaration with missing type and domain inferred. At least one of the two must be given."""
    if declared is None or inferred is None:
        parameter = declared or inferred
        assert parameter is not None
        return parameter
    has_domain = declared.values is not None or declared.interval is not None
    return declared._replace(
        type=inferred.type if declared.type == "unset" else declared.type,
        values=declared.values if has_domain else inferred.values,
        interval=declared.interval if has_domain else inferred.interval,
        differs=inferred.differs,
    )
