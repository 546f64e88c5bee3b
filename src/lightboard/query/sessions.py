"""Groups of sessions as TensorBoard lists them: grouped, filtered, aggregated, sorted and paginated.

Pure functions. `query.experiment` reads the sessions and their metrics.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from lightboard.cancellation import finish
from lightboard.errors import BadRequest
from lightboard.events.mean import mean_of
from lightboard.query.experiment import Session, Steps, Value, run_of
from lightboard.series.experiment import Interval, Metric, MetricName
from lightboard.series.hparams import Scalar
from lightboard.untrusted.patterns import BadPattern, MatchBudget, Nfa

ASCENDING, DESCENDING = 1, 2
AVERAGE, MEDIAN, LOWEST, HIGHEST = 1, 2, 3, 4

FLAGS = re.compile(r"((?:\(\?[aimsux]+\))?)([\s\S]*)")
"""Splits a pattern into its leading global flags, such as (?i), and the rest."""

MAX_SHOWN_CHARS = 200
"""Limit of the characters of a pattern that error messages repeat."""

ValueFilter = Callable[[Scalar], bool]


class MetricValue(NamedTuple):
    """The value of a metric in a session or a group. `wall_time` is in seconds since the epoch."""

    name: MetricName
    value: float
    step: int
    wall_time: float


class MeasuredSession(NamedTuple):
    """A session with the values of its metrics."""

    session: Session
    metrics: tuple[MetricValue, ...]

    @property
    def status(self) -> int:
        """The status as in `SessionEnd`; 0 (unknown) if the session has no end."""
        return self.session.end.status if self.session.end else 0


class Group(NamedTuple):
    """The sessions of one group, usually with equal parameters. `config` and `monitor_url` are those of the first."""

    name: str
    config: dict[str, Scalar]
    metrics: tuple[MetricValue, ...]
    sessions: list[MeasuredSession]
    monitor_url: str


class Column(NamedTuple):
    """Options for the column of a parameter, or of `metric` if it is set.

    `order` is ASCENDING, DESCENDING or 0. Without a `filter` all values match; `drop_missing` drops groups without a
    value. `included` None: by default (see `select_parameters`).
    """

    parameter: str = ""
    metric: MetricName | None = None
    order: int = 0
    missing_first: bool = False
    filter: ValueFilter | None = None
    drop_missing: bool = False
    included: bool | None = None

    def value(self, group: Group) -> Scalar | None:
        """The value of a group in this column, or None."""
        if self.metric is None:
            return group.config.get(self.parameter)
        return next((metric.value for metric in group.metrics if metric.name == self.metric), None)

    def matches(self, group: Group) -> bool:
        """Whether a group passes the filter. Raises BadRequest if the value has the wrong type for the filter."""
        value = self.value(group)
        if value is None:
            return not self.drop_missing
        return self.filter is None or self.filter(value)


class SessionQuery(NamedTuple):
    """A request for `size` groups from index `start`, with sessions of the given `statuses` only.

    `aggregation` is AVERAGE (or 0), or MEDIAN, LOWEST or HIGHEST, which take all metrics from the session with that
    value of `aggregation_metric`.
    """

    columns: Sequence[Column] = ()
    statuses: frozenset[int] = frozenset()
    aggregation: int = 0
    aggregation_metric: MetricName = MetricName("", "")
    start: int = 0
    size: int = 0


def list_groups(
    sessions: Iterable[Session],
    metrics: Sequence[Metric],
    values: Mapping[tuple[str, str], Value],
    query: SessionQuery,
) -> tuple[list[Group], int]:
    """The groups on the requested page, and the number of groups on all pages. Raises BadRequest."""
    return finish(group_steps(sessions, metrics, values, query))


def group_steps(
    sessions: Iterable[Session],
    metrics: Sequence[Metric],
    values: Mapping[tuple[str, str], Value],
    query: SessionQuery,
) -> Steps[tuple[list[Group], int]]:
    """Like `list_groups`, in steps of one session, group or column."""
    measured = []
    for session in sessions:
        measured.append(MeasuredSession(session, metrics_of(session, metrics, values)))
        yield
    groups = []
    for unaggregated in group_sessions(entry for entry in measured if entry.status in query.statuses):
        group = aggregate(unaggregated, query)
        if all(column.matches(group) for column in query.columns):
            groups.append(group)
        yield
    groups.sort(key=lambda group: group.name)
    for column in reversed(query.columns):
        sort_by(groups, column)
        yield
    page = groups[query.start : query.start + query.size]
    return [select_parameters(group, query.columns) for group in page], len(groups)


def metrics_of(
    session: Session, metrics: Iterable[Metric], values: Mapping[tuple[str, str], Value]
) -> tuple[MetricValue, ...]:
    """The values of those metrics that a session has."""
    return tuple(
        MetricValue(metric.name, *value)
        for metric in metrics
        if (value := values.get((run_of(session.run, metric.name.group), metric.name.tag)))
    )


def group_sessions(sessions: Iterable[MeasuredSession]) -> list[Group]:
    """Group sessions by group name. A session without one is a group of its own, named like its run.

    Parameters that JSON cannot represent are left out.
    """
    groups: dict[str, Group] = {}
    for measured in sessions:
        start = measured.session.start
        name = start.group_name or measured.session.run
        if name not in groups:
            config = {key: value for key, value in start.config.items() if is_writable(value)}
            groups[name] = Group(name, config, (), [], start.monitor_url)
        groups[name].sessions.append(measured)
    for group in groups.values():
        group.sessions.sort(key=lambda measured: measured.session.run)
    return list(groups.values())


def is_writable(value: Scalar) -> bool:
    """Whether JSON can represent a value."""
    return not isinstance(value, float) or math.isfinite(value)


def aggregate(group: Group, query: SessionQuery) -> Group:
    """The group with metrics aggregated over its sessions, or taken from one of them.

    Raises BadRequest if `query.aggregation` is unknown.
    """
    if query.aggregation in (0, AVERAGE):
        return group._replace(metrics=averages(group.sessions))
    measured = [
        (metric.value, session)
        for session in group.sessions
        for metric in session.metrics
        if metric.name == query.aggregation_metric
    ]
    if not measured:
        return group
    if query.aggregation == MEDIAN:
        measured.sort(key=lambda pair: pair[0])
        chosen = measured[(len(measured) - 1) // 2]
    elif query.aggregation in (LOWEST, HIGHEST):
        choose = min if query.aggregation == LOWEST else max
        chosen = choose(measured, key=lambda pair: pair[0])
    else:
        raise BadRequest(f"Unknown aggregation_type in request: {query.aggregation}")
    return group._replace(metrics=chosen[1].metrics)


def averages(sessions: Iterable[MeasuredSession]) -> tuple[MetricValue, ...]:
    """The mean of each metric over the sessions that have it. Mean steps are rounded down."""
    by_name: dict[MetricName, list[MetricValue]] = {}
    for session in sessions:
        for metric in session.metrics:
            by_name.setdefault(metric.name, []).append(metric)
    return tuple(
        MetricValue(
            name,
            mean_of_metric([metric.value for metric in metrics]),
            sum(metric.step for metric in metrics) // len(metrics),
            sum(metric.wall_time for metric in metrics) / len(metrics),
        )
        for name, metrics in by_name.items()
    )


def mean_of_metric(values: Sequence[float]) -> float:
    """The mean, equal to TensorBoard's to the last digit. Unlike TensorBoard's it is finite if the sum overflows."""
    mean = sum(values) / len(values)
    return mean_of(values) if not math.isfinite(mean) and all(map(math.isfinite, values)) else mean


def sort_by(groups: list[Group], column: Column) -> None:
    """Sort groups by a column, in place and stably."""
    if column.order not in (ASCENDING, DESCENDING):
        return
    missing_is_largest = column.missing_first == (column.order == DESCENDING)
    groups.sort(key=lambda group: sort_key(column.value(group), missing_is_largest), reverse=column.order == DESCENDING)


def sort_key(value: Scalar | None, missing_is_largest: bool) -> tuple[bool, int, float, str]:
    """The sort key of a value: numbers and booleans, then NaN, then strings; None first or last."""
    if value is None:
        return missing_is_largest, 0, 0.0, ""
    if isinstance(value, str):
        return not missing_is_largest, 2, 0.0, value
    number = float(value)
    return not missing_is_largest, int(math.isnan(number)), 0.0 if math.isnan(number) else number, ""


def select_parameters(group: Group, columns: Iterable[Column]) -> Group:
    """The group with the selected parameters only: all, unless some column sets `included`."""
    columns = list(columns)
    if all(column.included is None for column in columns):
        return group
    wanted = {column.parameter for column in columns if column.included is not False and column.metric is None}
    return group._replace(config={key: value for key, value in group.config.items() if key in wanted})


# Filters. Error messages for values of the wrong type are TensorBoard's


def regex_filter(pattern: str) -> ValueFilter:
    """Matches strings in which `pattern` is found, in time linear in their length.

    Raises BadRequest if the pattern is invalid or its syntax is not supported (see `untrusted.patterns`). The filter
    raises it if matching takes too long.
    """
    try:
        re.compile(pattern)  # validated alone: an unbalanced ")" may be valid inside a group
        flags, inner = FLAGS.fullmatch(pattern).groups()  # type: ignore[union-attr]  # matches any string
        nfa = Nfa(rf"{flags}[\s\S]*(?:{inner})")
    except (re.error, RecursionError, OverflowError, BadPattern) as error:
        raise BadRequest(f"{pattern[:MAX_SHOWN_CHARS]!r} is not a valid regular expression: {error}") from None
    budget, results = MatchBudget(), dict[str, bool]()

    def filter(value: Scalar) -> bool:
        if not isinstance(value, str):
            raise BadRequest(f"Cannot use a regexp filter for a value of type {type(value)}. Value: {value}")
        try:
            if value not in results:
                results[value] = nfa.fits(value, budget)
        except BadPattern as error:
            raise BadRequest(f"{pattern[:MAX_SHOWN_CHARS]!r}: {error}") from None
        return results[value]

    return filter


def interval_filter(interval: Interval) -> ValueFilter:
    """Matches numbers in an interval, ends included."""

    def filter(value: Scalar) -> bool:
        if isinstance(value, str):
            raise BadRequest(f"Cannot use an interval filter for a value of type: {type(value)}, Value: {value}")
        return interval.low <= value <= interval.high

    return filter


def choice_filter(values: Sequence[object]) -> ValueFilter:
    """Matches values in a list. True equals 1, as in Python."""
    return lambda value: value in values
