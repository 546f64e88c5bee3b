"""TensorBoard's addresses answer what TensorBoard 2.21 answered about the same logs.

The questions and TensorBoard's answers are in tests/data/tensorboard_answers.json.gz; where its two servers differ,
the Python one's count. Where Lightboard means to differ is said, reason by reason, in `differences.py`.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from support.tensorboard_answers import CorpusBoard, expected_response, load_recorded, request_name
from support.tensorboard_differences import DIFFERENCES, SAMPLES, one_series, ours
from support.tensorboard_oracle import exact, visible

RECORDED = load_recorded()
# Long series are thinned, by each program in its own way: see the test of its own.
CUT = [q for q in RECORDED["plain"] if "json_cut" in expected_response(q) or "text_cut" in expected_response(q)]
PLAIN = [pytest.param(q, id=request_name(q)) for q in RECORDED["plain"] if q not in CUT]
PREFIXED = [pytest.param(q, id=request_name(q)) for q in RECORDED["prefix"]]


@pytest.fixture(scope="module")
def board() -> Iterator[CorpusBoard]:
    with CorpusBoard() as server:
        yield server


@pytest.fixture(scope="module")
def prefixed() -> Iterator[CorpusBoard]:
    with CorpusBoard("--path_prefix", "/some/prefix") as server:
        yield server


@pytest.mark.parametrize("question", PLAIN)
def test_responses_equal_tensorboards(board: CorpusBoard, question: dict[str, Any]) -> None:
    """Except for the listed differences."""
    answer, _ = ours(question, expected_response(question))
    assert board.request(question) == answer


@pytest.mark.parametrize("question", PREFIXED)
def test_responses_under_a_prefix_equal_tensorboards(prefixed: CorpusBoard, question: dict[str, Any]) -> None:
    """Inside and outside."""
    answer, _ = ours(question, expected_response(question))
    assert prefixed.request(question) == answer


@pytest.mark.parametrize("question", [pytest.param(q, id=request_name(q)) for q in CUT])
def test_long_series_are_sampled_to_the_same_count(board: CorpusBoard, question: dict[str, Any]) -> None:
    """Real points: TensorBoard samples randomly, Lightboard keeps first, last and extremes."""
    key = one_series(question)
    assert key
    points = {(p.wall, p.step, *exact([p.value])): p for p in visible(*key)}
    rows = board.request(question)["json"]
    kept = [points[wall, step, *exact([value])] for wall, step, value in rows]
    everything = list(points.values())
    assert len(rows) <= SAMPLES
    assert [kept[0], kept[-1]] == [everything[0], everything[-1]]
    lowest, highest = (limit(everything, key=lambda p: p.value) for limit in (min, max))
    assert {lowest, highest} <= set(kept)


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.reason)
def test_every_listed_difference_is_used(difference: Any) -> None:
    """No row of the table is about nothing."""
    lists = ("plain", "prefix", "kinds", "with_tensorflow")
    questions = [q for name in lists for q in RECORDED[name] if q not in CUT]
    assert any(difference.reason in ours(q, expected_response(q))[1] for q in questions)
