"""TensorBoard's addresses answer what TensorBoard 2.21 answered about the same logs.

The questions and TensorBoard's answers are in tests/data/tensorboard_answers.json.gz; where its two servers differ,
the Python one's count. Where Lightboard means to differ is said, reason by reason, in `differences.py`.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from answers import Lightboard, expected, name_of, recorded
from differences import DIFFERENCES, SAMPLES, one_series, ours
from oracle import exact, visible

RECORDED = recorded()
# Long series are thinned, by each program in its own way: see the test of its own.
CUT = [q for q in RECORDED["plain"] if "json_cut" in expected(q) or "text_cut" in expected(q)]
PLAIN = [pytest.param(q, id=name_of(q)) for q in RECORDED["plain"] if q not in CUT]
PREFIXED = [pytest.param(q, id=name_of(q)) for q in RECORDED["prefix"]]


@pytest.fixture(scope="module")
def board() -> Iterator[Lightboard]:
    with Lightboard() as server:
        yield server


@pytest.fixture(scope="module")
def prefixed() -> Iterator[Lightboard]:
    with Lightboard("--path_prefix", "/some/prefix") as server:
        yield server


@pytest.mark.parametrize("question", PLAIN)
def test_answers_as_tensorboard_does(board: Lightboard, question: dict[str, Any]) -> None:
    """Status, content type, Location, Allow and body, differences of `differences.py` aside."""
    answer, _ = ours(question, expected(question))
    assert board.ask(question) == answer


@pytest.mark.parametrize("question", PREFIXED)
def test_answers_so_under_a_path_prefix(prefixed: Lightboard, question: dict[str, Any]) -> None:
    """The same with --path_prefix, inside it and outside."""
    answer, _ = ours(question, expected(question))
    assert prefixed.ask(question) == answer


@pytest.mark.parametrize("question", [pytest.param(q, id=name_of(q)) for q in CUT])
def test_long_series_are_thinned_to_as_many_real_points(board: Lightboard, question: dict[str, Any]) -> None:
    """TensorBoard draws lots; we keep first, last and extremes. Both send at most 1,000 points and the last one."""
    key = one_series(question)
    assert key
    points = {(p.wall, p.step, *exact([p.value])): p for p in visible(*key)}
    rows = board.ask(question)["json"]
    kept = [points[wall, step, *exact([value])] for wall, step, value in rows]
    everything = list(points.values())
    assert len(rows) <= SAMPLES
    assert [kept[0], kept[-1]] == [everything[0], everything[-1]]
    lowest, highest = (limit(everything, key=lambda p: p.value) for limit in (min, max))
    assert {lowest, highest} <= set(kept)


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.reason)
def test_each_difference_is_still_one(difference: Any) -> None:
    """No row of the table is about nothing."""
    lists = ("plain", "prefix", "kinds", "with_tensorflow")
    questions = [q for name in lists for q in RECORDED[name] if q not in CUT]
    assert any(difference.reason in ours(q, expected(q))[1] for q in questions)
