"""Groups of sessions as TensorBoard lists them: put together, kept by filters, ordered, summed up, a page at a time.

Pure: what the sessions and their metrics are comes from `query.experiment`.
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
from lightboard.untrusted.patterns import BadPattern, Machine, Work

ASCENDING, DESCENDING = 1, 2
AVERAGE, MEDIAN, LOWEST, HIGHEST = 1, 2, 3, 4

FLAGS = re.compile(r"((?:\(\?[aimsux]+\))?)([\s\S]*)")
"""What holds for a whole pattern stands before it."""

MOST_TOLD = 200
"""Characters of a pattern that are told back."""

Keep = Callable[[Scalar], bool]


class MetricValue(NamedTuple):
    """A metric of a session, or of a group; times in seconds."""

    name: MetricName
    value: float
    step: int
    wall_time: float


class Told(NamedTuple):
    """A session with what its metrics came to."""

    session: Session
    metrics: tuple[MetricValue, ...]

    @property
    def status(self) -> int:
        """The number that travels; unknown where nothing was said of an end."""
        return self.session.end.status if self.session.end else 0


class Group(NamedTuple):
    """Sessions of one name, usually with equal parameters; these are the first one's."""

    name: str
    config: dict[str, Scalar]
    metrics: tuple[MetricValue, ...]
    sessions: list[Told]
    monitor_url: str


class Column(NamedTuple):
    """What is asked of a parameter, or of `metric` where there is one. `keep` None: any; `included` None: not said."""

    parameter: str = ""
    metric: MetricName | None = None
    order: int = 0
    missing_first: bool = False
    keep: Keep | None = None
    drop_missing: bool = False
    included: bool | None = None

    def value(self, group: Group) -> Scalar | None:
        """What a group has here."""
        if self.metric is None:
            return group.config.get(self.parameter)
        return next((one.value for one in group.metrics if one.name == self.metric), None)

    def keeps(self, group: Group) -> bool:
        """Does the group pass? Raises BadRequest for a filter that does not fit the value."""
        value = self.value(group)
        if value is None:
            return not self.drop_missing
        return self.keep is None or self.keep(value)


class Question(NamedTuple):
    """`statuses` that sessions may have; `aggregation` 0 and 1 are the average, others take the metrics of one session
    by `aggregation_metric`; `size` groups from `start` on."""

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
    question: Question,
) -> tuple[list[Group], int]:
    """The groups of the page asked for, and how many there are on all pages. Raises BadRequest."""
    return finish(group_steps(sessions, metrics, values, question))


def group_steps(
    sessions: Iterable[Session],
    metrics: Sequence[Metric],
    values: Mapping[tuple[str, str], Value],
    question: Question,
) -> Steps[tuple[list[Group], int]]:
    """The same, session by session."""
    told = []
    for session in sessions:
        told.append(Told(session, metrics_of(session, metrics, values)))
        yield
    groups = []
    for one in grouped(one for one in told if one.status in question.statuses):
        group = summed_up(one, question)
        if all(column.keeps(group) for column in question.columns):
            groups.append(group)
        yield
    groups.sort(key=lambda group: group.name)
    for column in reversed(question.columns):
        sort_by(groups, column)
        yield
    page = groups[question.start : question.start + question.size]
    return [reduced(group, question.columns) for group in page], len(groups)


def metrics_of(
    session: Session, metrics: Iterable[Metric], values: Mapping[tuple[str, str], Value]
) -> tuple[MetricValue, ...]:
    """The metrics that a session has."""
    return tuple(
        MetricValue(metric.name, *found)
        for metric in metrics
        if (found := values.get((run_of(session.run, metric.name.group), metric.name.tag)))
    )


def grouped(told: Iterable[Told]) -> list[Group]:
    """Sessions by the name of their group, or each by itself; what JSON has no number for is no parameter here."""
    groups: dict[str, Group] = {}
    for one in told:
        start = one.session.start
        name = start.group_name or one.session.run
        if name not in groups:
            config = {key: value for key, value in start.config.items() if is_writable(value)}
            groups[name] = Group(name, config, (), [], start.monitor_url)
        groups[name].sessions.append(one)
    for group in groups.values():
        group.sessions.sort(key=lambda one: one.session.run)
    return list(groups.values())


def is_writable(value: Scalar) -> bool:
    """Has JSON a word for it?"""
    return not isinstance(value, float) or math.isfinite(value)


def summed_up(group: Group, question: Question) -> Group:
    """The group with the metrics of all its sessions, or of the one that counts."""
    if question.aggregation in (0, AVERAGE):
        return group._replace(metrics=averages(group.sessions))
    measured = [
        (one.value, told) for told in group.sessions for one in told.metrics if one.name == question.aggregation_metric
    ]
    if not measured:
        return group
    if question.aggregation == MEDIAN:
        measured.sort(key=lambda pair: pair[0])
        chosen = measured[(len(measured) - 1) // 2]
    elif question.aggregation in (LOWEST, HIGHEST):
        choose = min if question.aggregation == LOWEST else max
        chosen = choose(measured, key=lambda pair: pair[0])
    else:
        raise BadRequest(f"Unknown aggregation_type in request: {question.aggregation}")
    return group._replace(metrics=chosen[1].metrics)


def averages(sessions: Iterable[Told]) -> tuple[MetricValue, ...]:
    """The mean of each metric over the sessions that have it; of steps rounded down."""
    found: dict[MetricName, list[MetricValue]] = {}
    for told in sessions:
        for one in told.metrics:
            found.setdefault(one.name, []).append(one)
    return tuple(
        MetricValue(
            name,
            mean_of_metric([one.value for one in several]),
            sum(one.step for one in several) // len(several),
            sum(one.wall_time for one in several) / len(several),
        )
        for name, several in found.items()
    )


def mean_of_metric(values: Sequence[float]) -> float:
    """TensorBoard's mean to the last digit, and that of values whose sum is beyond all numbers as well."""
    mean = sum(values) / len(values)
    return mean_of(values) if not math.isfinite(mean) and all(map(math.isfinite, values)) else mean


def sort_by(groups: list[Group], column: Column) -> None:
    """In place; equal ones keep their order."""
    if column.order not in (ASCENDING, DESCENDING):
        return
    missing_is_largest = column.missing_first == (column.order == DESCENDING)
    groups.sort(key=lambda group: rank(column.value(group), missing_is_largest), reverse=column.order == DESCENDING)


def rank(value: Scalar | None, missing_is_largest: bool) -> tuple[bool, int, float, str]:
    """Where a value comes: numbers and flags, what is no number, texts."""
    if value is None:
        return missing_is_largest, 0, 0.0, ""
    if isinstance(value, str):
        return not missing_is_largest, 2, 0.0, value
    number = float(value)
    return not missing_is_largest, int(math.isnan(number)), 0.0 if math.isnan(number) else number, ""


def reduced(group: Group, columns: Iterable[Column]) -> Group:
    """The group with the parameters asked for: all, unless some column says whether it is wanted."""
    columns = list(columns)
    if all(column.included is None for column in columns):
        return group
    wanted = {column.parameter for column in columns if column.included is not False and column.metric is None}
    return group._replace(config={key: value for key, value in group.config.items() if key in wanted})


# Filters, with TensorBoard's words for values that they do not fit


def matching(pattern: str) -> Keep:
    """Texts in which `pattern` is found, in a time that no pattern can blow up.

    Raises BadRequest for a pattern that is none, or of a kind that is not followed (see `untrusted.patterns`).
    """
    try:
        re.compile(pattern)  # before it stands in brackets
        flags, inner = FLAGS.fullmatch(pattern).groups()  # type: ignore[union-attr]  # fits any text
        machine = Machine(rf"{flags}[\s\S]*(?:{inner})")
    except (re.error, RecursionError, OverflowError, BadPattern) as error:
        raise BadRequest(f"{pattern[:MOST_TOLD]!r} is no regular expression: {error}") from None
    work, known = Work(), dict[str, bool]()

    def keep(value: Scalar) -> bool:
        if not isinstance(value, str):
            raise BadRequest(f"Cannot use a regexp filter for a value of type {type(value)}. Value: {value}")
        try:
            if value not in known:
                known[value] = machine.fits(value, work)
        except BadPattern as error:
            raise BadRequest(f"{pattern[:MOST_TOLD]!r}: {error}") from None
        return known[value]

    return keep


def between(interval: Interval) -> Keep:
    """Numbers of an interval, ends included."""

    def keep(value: Scalar) -> bool:
        if isinstance(value, str):
            raise BadRequest(f"Cannot use an interval filter for a value of type: {type(value)}, Value: {value}")
        return interval.low <= value <= interval.high

    return keep


def among(values: Sequence[object]) -> Keep:
    """One of these; True is 1, as for Python."""
    return lambda value: value in values
