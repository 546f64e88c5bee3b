"""Groups of sessions: put together, kept, ordered, summed up."""

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
    Question,
    among,
    between,
    list_groups,
    matching,
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


def asked(*columns: Column, **more: object) -> tuple[list[str], int]:
    """Names of the groups on the page, and how many there are."""
    question = Question(columns=columns, statuses=ALL, size=100)._replace(**more)  # type: ignore[arg-type]
    groups, total = list_groups(SESSIONS, METRICS, VALUES, question)
    return [group.name for group in groups], total


def test_sessions_of_one_name_are_a_group() -> None:
    """Others are each their own; names are in order; what JSON has no number for is no parameter."""
    groups, total = list_groups(SESSIONS, METRICS, VALUES, Question(statuses=ALL, size=100))

    assert [(group.name, group.config, [told.session.run for told in group.sessions]) for group in groups] == [
        ("c", {"lr": 0.01, "opt": "adam", "big": True}, ["c"]),
        ("d", {"opt": "lion"}, ["d"]),
        ("twins", {"lr": 0.1, "opt": "sgd"}, ["a", "b"]),
    ]
    assert total == 3


def test_only_sessions_of_these_statuses_count() -> None:
    """Who said nothing of an end is unknown; no status asked for is none."""
    assert asked(statuses=frozenset([0])) == (["d"], 1)
    assert asked(statuses=frozenset([2])) == (["twins"], 1)
    assert asked(statuses=frozenset()) == ([], 0)


def test_a_page_is_cut_out() -> None:
    """The total is that of all pages."""
    assert asked(start=1, size=1) == (["d"], 3)
    assert asked(size=0) == ([], 3)


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [
        (0, (MetricValue(ACC, 0.6, 11, 101.5), MetricValue(LOSS, 1.0, 10, 100.0))),
        (LOWEST, (MetricValue(ACC, 0.5, 10, 100.0), MetricValue(LOSS, 1.0, 10, 100.0))),
        (MEDIAN, (MetricValue(ACC, 0.5, 10, 100.0), MetricValue(LOSS, 1.0, 10, 100.0))),
        (HIGHEST, (MetricValue(ACC, 0.7, 13, 103.0),)),
    ],
)
def test_groups_are_summed_up(aggregation: int, expected: Sequence[MetricValue]) -> None:
    """By averages over those that have the metric, or by the session that counts."""
    question = Question(statuses=ALL, size=9, aggregation=aggregation, aggregation_metric=ACC)
    groups, _ = list_groups(SESSIONS, METRICS, VALUES, question)

    found = {group.name: group.metrics for group in groups}
    assert found["twins"] == tuple(one._replace(value=pytest.approx(one.value)) for one in expected)
    assert found["d"] == ()


def test_an_average_of_finite_values_is_finite() -> None:
    """Though their sum is beyond all numbers; what is no number stays none."""
    values = {("a", "acc"): Value(2.0**1023, 1, 1.0), ("b", "acc"): Value(1.5 * 2.0**1023, 1, 1.0)}
    values |= {("a/val", "loss"): Value(float("inf"), 1, 1.0), ("b/val", "loss"): Value(1.0, 1, 1.0)}
    groups, _ = list_groups(SESSIONS, METRICS, values, Question(statuses=ALL, size=100))

    assert [metric.value for group in groups for metric in group.metrics] == [1.25 * 2.0**1023, float("inf")]


def test_an_aggregation_nobody_knows_is_refused() -> None:
    """Rather than taken for another."""
    with pytest.raises(BadRequest):
        asked(aggregation=7, aggregation_metric=ACC)


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
def test_groups_are_ordered(column: Column, expected: list[str]) -> None:
    """What is missing comes last unless asked for first; equals stay in the order of names."""
    assert asked(column)[0] == expected


def test_numbers_come_before_texts() -> None:
    """A parameter may be both."""
    both = [session("x", {"p": "1"}), session("y", {"p": 2.0})]
    groups, _ = list_groups(both, (), {}, Question((Column("p", order=ASCENDING),), ALL, size=9))

    assert [group.name for group in groups] == ["y", "x"]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (Column("opt", keep=matching("^(s|l)")), ["d", "twins"]),
        (Column("lr", keep=between(Interval(0.05, 0.1))), ["d", "twins"]),
        (Column("lr", keep=between(Interval(0.05, 0.1)), drop_missing=True), ["twins"]),
        (Column("big", keep=among([1.0]), drop_missing=True), ["c"]),
        (Column(metric=LOSS, drop_missing=True), ["twins"]),
    ],
)
def test_groups_are_kept(column: Column, expected: list[str]) -> None:
    """By text, number, list or because there is a value at all."""
    assert asked(column) == (expected, len(expected))


def test_a_filter_must_fit_the_values() -> None:
    """In TensorBoard's words."""
    with pytest.raises(BadRequest, match=r"Cannot use a regexp filter for a value of type <class 'float'>"):
        asked(Column("lr", keep=matching("1")))
    with pytest.raises(BadRequest, match=r"Cannot use an interval filter for a value of type: <class 'str'>"):
        asked(Column("opt", keep=between(Interval(0, 1))))


@pytest.mark.parametrize("pattern", ["(", "x" * 1001])
def test_patterns_that_are_none_are_refused(pattern: str) -> None:
    """Before anything is looked at."""
    with pytest.raises(BadRequest):
        matching(pattern)


def test_no_pattern_takes_long() -> None:
    """Nor does one that Python's own engine would follow for years."""
    endless = [session("x", {"p": "a" * 60 + "b"})]
    question = Question((Column("p", keep=matching("(a+)+$")),), ALL, size=9)

    assert list_groups(endless, (), {}, question) == ([], 0)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("a", True), ("^a", False), ("da$", True), ("^(?:L|l)amb", True), ("(?i)LAMB", True), ("", True), ("x|d", True)],
)
def test_patterns_are_found_anywhere(pattern: str, found: bool) -> None:
    """As TensorBoard looks for them."""
    assert matching(pattern)("lambda") is found


def test_parameters_may_be_left_out() -> None:
    """As soon as one column says whether it is wanted, only named ones come."""
    question = Question((Column("lr"), Column("opt", included=False)), ALL, size=9)
    groups, _ = list_groups(SESSIONS, METRICS, VALUES, question)

    assert [group.config for group in groups] == [{"lr": 0.01}, {}, {"lr": 0.1}]
