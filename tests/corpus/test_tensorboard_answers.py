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
PLAIN = [q for q in RECORDED["plain"] if q not in CUT]


@pytest.fixture(scope="module")
def board() -> Iterator[CorpusBoard]:
    with CorpusBoard() as server:
        yield server


@pytest.fixture(scope="module")
def prefixed() -> Iterator[CorpusBoard]:
    with CorpusBoard("--path_prefix", "/some/prefix") as server:
        yield server


def find_faults(board: CorpusBoard, questions: list[dict[str, Any]]) -> list[tuple[str, Any, Any]]:
    """Questions with the answer and the one that it should have been, where these differ."""
    told = [(request_name(q), board.request(q), ours(q, expected_response(q))[0]) for q in questions]
    return [fault for fault in told if fault[1] != fault[2]]


def test_responses_equal_tensorboards(board: CorpusBoard) -> None:
    """Except for the listed differences."""
    assert find_faults(board, PLAIN) == []


def test_responses_under_a_prefix_equal_tensorboards(prefixed: CorpusBoard) -> None:
    """Inside and outside."""
    assert find_faults(prefixed, RECORDED["prefix"]) == []


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


def test_every_listed_difference_is_used() -> None:
    """No row of the table is about nothing."""
    lists = ("plain", "prefix", "kinds", "with_tensorflow")
    questions = [q for name in lists for q in RECORDED[name] if q not in CUT]
    used = {reason for q in questions for reason in ours(q, expected_response(q))[1]}
    assert [difference.reason for difference in DIFFERENCES if difference.reason not in used] == []
