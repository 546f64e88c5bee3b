"""The trials of a logdir: runs with hyper-parameters of their own, the runs that belong to each, and what is measured.

One trial may have been told in several folders; `series.folding` says which run stands for them. Everything that was
declared is put together with everything there is.
Figures are not here: a metric is a tag, and `query.columns` has its figures for every run.
"""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lightboard.cancellation import finish
from lightboard.query.experiment import Session, Steps, declared_experiments, parameter_steps, session_steps, united
from lightboard.query.provider import Provider
from lightboard.query.runs import RunRow
from lightboard.series.experiment import Experiment, Metric, MetricName, Parameter
from lightboard.series.folding import above


class Trial(NamedTuple):
    """`run` is the id of the run that stands for it; `members` are the ids of the runs that hold its metrics, by the
    group of these metrics: "" is the run itself, others lie below. Times in seconds, None where nobody said."""

    run: int
    start_time: float | None
    end_time: float | None
    model_uri: str
    monitor_url: str
    members: dict[str, list[int]]


class Study(NamedTuple):
    """Everything about hyper-parameters; `experiment` has the parameters that differ first, and of the metrics those
    that were declared first; `counts` says for each metric how many trials have it."""

    experiment: Experiment
    counts: list[int]
    trials: list[Trial]


def read_study(provider: Provider) -> Study:
    """The whole answer; trials by slot."""
    return finish(study_steps(provider))


def study_steps(provider: Provider) -> Steps[Study]:
    """The same, session by session."""
    sessions = yield from session_steps(provider)
    rows = provider.runs() if sessions else []
    trials = yield from trial_steps(rows, sessions)
    declared = united(declared_experiments(provider)) if sessions else Experiment()
    yield
    counts = yield from count_steps(provider, trials)
    metrics = merged_metrics(declared, counts)
    parameters = yield from merged_parameters(declared, sessions)
    experiment = declared._replace(parameters=parameters, metrics=metrics)
    return Study(experiment, [counts.get(metric.name, 0) for metric in metrics], trials)


def trial_steps(rows: Sequence[RunRow], sessions: Sequence[Session]) -> Steps[list[Trial]]:
    """The trials of these sessions."""
    by_name = {row.name: row for row in rows}
    names = {row.id: row.name for row in rows}
    told: dict[str, list[Session]] = {}
    for session in sessions:
        row = by_name.get(session.run)
        if row is not None:
            told.setdefault(names[row.id if row.folded_into is None else row.folded_into], []).append(session)
    describing = {session.run for session in sessions}
    members: dict[str, dict[str, list[int]]] = {name: {} for name in told}
    for row in sorted(rows, key=lambda row: (row.folded_into is not None, row.slot)):
        # A run that describes another lends it its metrics; other parts keep their own name.
        standing = names[row.folded_into] if row.name in describing and row.folded_into is not None else row.name
        trial = next((name for name in (standing, *above(standing)) if name in told), None)
        if trial is not None:
            members[trial].setdefault(group_below(trial, standing), []).append(row.id)
        yield
    return [trial_of(row.id, told[row.name], members[row.name]) for row in rows if row.name in told]


def group_below(trial: str, run: str) -> str:
    """Where a run lies below the run of its trial; "" for that itself."""
    return "" if run == trial else posixpath.relpath(run, trial)


def trial_of(run: int, sessions: Sequence[Session], members: dict[str, list[int]]) -> Trial:
    """One trial out of what its sessions said."""
    starts = [session.start.time for session in sessions if session.start.time]
    ends = [session.end.time for session in sessions if session.end and session.end.time]
    uris = [session.start.model_uri for session in sessions if session.start.model_uri]
    urls = [session.start.monitor_url for session in sessions if session.start.monitor_url]
    return Trial(run, min(starts, default=None), max(ends, default=None), last(uris), last(urls), members)


def last(words: Sequence[str]) -> str:
    """The last one, "" where there is none."""
    return words[-1] if words else ""


def count_steps(provider: Provider, trials: Iterable[Trial]) -> Steps[dict[MetricName, int]]:
    """Every scalar of the trials, and how many of them have it."""
    places = {run: (trial.run, group) for trial in trials for group, runs in trial.members.items() for run in runs}
    holders: dict[MetricName, set[int]] = {}
    for info in provider.tags("scalars") if places else ():
        for run in info.runs:
            if run in places:
                trial, group = places[run]
                holders.setdefault(MetricName(group, info.tag), set()).add(trial)
        yield
    return {name: len(runs) for name, runs in holders.items()}


def merged_metrics(declared: Experiment, counts: Mapping[MetricName, int]) -> tuple[Metric, ...]:
    """What was declared, in its order, then all the rest."""
    found = {metric.name: metric for metric in declared.metrics}
    names = dict.fromkeys([*found, *sorted(counts, key=lambda name: (name.group, name.tag))])
    return tuple(found.get(name) or Metric(name) for name in names)


def merged_parameters(declared: Experiment, sessions: Iterable[Session]) -> Steps[tuple[Parameter, ...]]:
    """What was declared of each parameter, with the type and domain that its values have where that says none; those
    that differ first, then in the order declared."""
    words = {parameter.name: parameter for parameter in declared.parameters}
    seen = yield from parameter_steps(session.start for session in sessions)
    inferred = {parameter.name: parameter for parameter in seen}
    found = [completed(words.get(name), inferred.get(name)) for name in dict.fromkeys([*words, *inferred])]
    return tuple(sorted(found, key=lambda parameter: not parameter.differs))


def completed(said: Parameter | None, seen: Parameter | None) -> Parameter:
    """A declaration with what is known of the values; one of the two must be there."""
    if said is None or seen is None:
        found = said or seen
        assert found is not None
        return found
    bare = said.values is None and said.interval is None
    return said._replace(
        type=seen.type if said.type == "unset" else said.type,
        values=seen.values if bare else said.values,
        interval=seen.interval if bare else said.interval,
        differs=seen.differs,
    )
