"""Session groups: grouping, filtering, ordering, aggregation."""

from collections.abc import Sequence

import pytest

from lightboard.errors import BadRequest
from lightboard.query.experiment import Session, Value
from lightboard.query.sessions import (
    ASCENDING,
    DESCENDING,
    HIGHEST,
    LOWEST,
    MEDIAN,
    Column,
    MetricValue,
    SessionQuery,
    choice_filter,
    interval_filter,
    list_groups,
    regex_filter,
)
from lightboard.series.experiment import Interval, Metric, MetricName, SessionEnd, SessionStart
from lightboard.series.hparams import Scalar

ACC, LOSS = MetricName("", "acc"), MetricName("val", "loss")
METRICS = (Metric(ACC), Metric(LOSS))
ALL = frozenset(range(4))


def session(run: str, config: dict[str, Scalar], group: str = "", status: int | None = None) -> Session:
    """A session of that run."""
    return Session(run, SessionStart(config, group_name=group), None if status is None else SessionEnd(status))


SESSIONS = [
    session("b", {"lr": 0.1, "opt": "sgd"}, "twins", 1),
    session("a", {"lr": 0.1, "opt": "sgd"}, "twins", 2),
    session("c", {"lr": 0.01, "opt": "adam", "big": True}, status=1),
    session("d", {"opt": "lion", "lr": float("nan")}),
]
VALUES = {
    ("a", "acc"): Value(0.5, 10, 100.0),
    ("b", "acc"): Value(0.7, 13, 103.0),
    ("c", "acc"): Value(0.9, 20, 200.0),
    ("a/val", "loss"): Value(1.0, 10, 100.0),
}


def list_names(*columns: Column, **more: object) -> tuple[list[str], int]:
    """Names of the groups on the page, and the total."""
    query = SessionQuery(columns=columns, statuses=ALL, size=100)._replace(**more)  # type: ignore[arg-type]
    groups, total = list_groups(SESSIONS, METRICS, VALUES, query)
    return [group.name for group in groups], total


def test_sessions_are_grouped_by_name() -> None:
    """Sessions without a group form their own. Nonfinite numbers are no parameters."""
    groups, total = list_groups(SESSIONS, METRICS, VALUES, SessionQuery(statuses=ALL, size=100))

    assert [(group.name, group.config, [member.session.run for member in group.sessions]) for group in groups] == [
        ("c", {"lr": 0.01, "opt": "adam", "big": True}, ["c"]),
        ("d", {"opt": "lion"}, ["d"]),
        ("twins", {"lr": 0.1, "opt": "sgd"}, ["a", "b"]),
    ]
    assert total == 3


def test_sessions_are_filtered_by_status() -> None:
    """Sessions without an end are unknown; no status in the request matches none."""
    assert list_names(statuses=frozenset([0])) == (["d"], 1)
    assert list_names(statuses=frozenset([2])) == (["twins"], 1)
    assert list_names(statuses=frozenset()) == ([], 0)


def test_groups_are_paged() -> None:
    """With the total of all pages."""
    assert list_names(start=1, size=1) == (["d"], 3)
    assert list_names(size=0) == ([], 3)


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [
        (0, (MetricValue(ACC, 0.6, 11, 101.5), MetricValue(LOSS, 1.0, 10, 100.0))),
        (LOWEST, (MetricValue(ACC, 0.5, 10, 100.0), MetricValue(LOSS, 1.0, 10, 100.0))),
        (MEDIAN, (MetricValue(ACC, 0.5, 10, 100.0), MetricValue(LOSS, 1.0, 10, 100.0))),
        (HIGHEST, (MetricValue(ACC, 0.7, 13, 103.0),)),
    ],
)
def test_groups_are_aggregated(aggregation: int, expected: Sequence[MetricValue]) -> None:
    """By the mean of existing metrics, or by one session."""
    query = SessionQuery(statuses=ALL, size=9, aggregation=aggregation, aggregation_metric=ACC)
    groups, _ = list_groups(SESSIONS, METRICS, VALUES, query)

    found = {group.name: group.metrics for group in groups}
    assert found["twins"] == tuple(one._replace(value=pytest.approx(one.value)) for one in expected)
    assert found["d"] == ()


def test_averages_of_finite_values_are_finite() -> None:
    """Even if their sum overflows; NaN stays NaN."""
    values = {("a", "acc"): Value(2.0**1023, 1, 1.0), ("b", "acc"): Value(1.5 * 2.0**1023, 1, 1.0)}
    values |= {("a/val", "loss"): Value(float("inf"), 1, 1.0), ("b/val", "loss"): Value(1.0, 1, 1.0)}
    groups, _ = list_groups(SESSIONS, METRICS, values, SessionQuery(statuses=ALL, size=100))

    assert [metric.value for group in groups for metric in group.metrics] == [1.25 * 2.0**1023, float("inf")]


def test_unknown_aggregations_are_refused() -> None:
    """Not replaced by another one."""
    with pytest.raises(BadRequest):
        list_names(aggregation=7, aggregation_metric=ACC)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (Column("lr", order=ASCENDING), ["c", "twins", "d"]),
        (Column("lr", order=ASCENDING, missing_first=True), ["d", "c", "twins"]),
        (Column("lr", order=DESCENDING), ["twins", "c", "d"]),
        (Column("lr", order=DESCENDING, missing_first=True), ["d", "twins", "c"]),
        (Column(metric=ACC, order=DESCENDING), ["c", "twins", "d"]),
        (Column("opt", order=ASCENDING), ["c", "d", "twins"]),
    ],
)
def test_groups_are_sorted(column: Column, expected: list[str]) -> None:
    """Missing values last by default; ties by name."""
    assert list_names(column)[0] == expected


def test_numbers_sort_before_texts() -> None:
    """A parameter may have both."""
    both = [session("x", {"p": "1"}), session("y", {"p": 2.0})]
    groups, _ = list_groups(both, (), {}, SessionQuery((Column("p", order=ASCENDING),), ALL, size=9))

    assert [group.name for group in groups] == ["y", "x"]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (Column("opt", filter=regex_filter("^(s|l)")), ["d", "twins"]),
        (Column("lr", filter=interval_filter(Interval(0.05, 0.1))), ["d", "twins"]),
        (Column("lr", filter=interval_filter(Interval(0.05, 0.1)), drop_missing=True), ["twins"]),
        (Column("big", filter=choice_filter([1.0]), drop_missing=True), ["c"]),
        (Column(metric=LOSS, drop_missing=True), ["twins"]),
    ],
)
def test_groups_are_filtered(column: Column, expected: list[str]) -> None:
    """By text, number, list, or existence of a value."""
    assert list_names(column) == (expected, len(expected))


def test_filters_must_match_the_type_of_values() -> None:
    """With TensorBoard's messages."""
    with pytest.raises(BadRequest, match=r"Cannot use a regexp filter for a value of type <class 'float'>"):
        list_names(Column("lr", filter=regex_filter("1")))
    with pytest.raises(BadRequest, match=r"Cannot use an interval filter for a value of type: <class 'str'>"):
        list_names(Column("opt", filter=interval_filter(Interval(0, 1))))


@pytest.mark.parametrize("pattern", ["(", "x" * 1001])
def test_invalid_patterns_of_filters_are_refused(pattern: str) -> None:
    """Before any value is matched."""
    with pytest.raises(BadRequest):
        regex_filter(pattern)


def test_catastrophic_filter_patterns_finish() -> None:
    """Python's `re` would take years."""
    endless = [session("x", {"p": "a" * 60 + "b"})]
    query = SessionQuery((Column("p", filter=regex_filter("(a+)+$")),), ALL, size=9)

    assert list_groups(endless, (), {}, query) == ([], 0)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("a", True), ("^a", False), ("da$", True), ("^(?:L|l)amb", True), ("(?i)LAMB", True), ("", True), ("x|d", True)],
)
def test_patterns_match_anywhere(pattern: str, found: bool) -> None:
    """Like TensorBoard's."""
    assert regex_filter(pattern)("lambda") is found


def test_columns_select_parameters() -> None:
    """Once any column is selected, others are omitted."""
    query = SessionQuery((Column("lr"), Column("opt", included=False)), ALL, size=9)
    groups, _ = list_groups(SESSIONS, METRICS, VALUES, query)

    assert [group.config for group in groups] == [{"lr": 0.01}, {}, {"lr": 0.1}]
