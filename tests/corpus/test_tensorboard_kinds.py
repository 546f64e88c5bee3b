"""TensorBoard's addresses of every kind of data but scalars answer what TensorBoard 2.21 answered about the same logs.

Asked by `scripts/corpus/ask_kinds.py` of its Python server; where Lightboard means to differ is said in
`differences.py`. Where TensorBoard fails (500), Lightboard answers or says in a line what is wrong.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from support.tensorboard_answers import LOGDIR, CorpusBoard, expected_response, load_recorded, request_name
from support.tensorboard_differences import is_void, ours

RECORDED = load_recorded()
TEXT = "text/plain; charset=utf-8"
PLAIN_TEXT = {"content-type": TEXT}


def kind(question: dict[str, Any]) -> str:
    """The plugin a question is put to."""
    return str(question["url"].split("/")[3].split("?")[0])


def told(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those whose values our lists tell of."""
    return [question for question in questions if not is_void(question)]


ASKED = told(RECORDED["kinds"])
KINDS = sorted({kind(question) for question in ASKED})
CHECKPOINTS = [
    question
    for question in RECORDED["with_tensorflow"]
    if "tensorflow_kinds" in question["url"] and "/info" not in question["url"]
]


def fails(question: dict[str, Any]) -> bool:
    return bool(expected_response(question)["status"] == 500)


@pytest.fixture(scope="module")
def board() -> Iterator[CorpusBoard]:
    with CorpusBoard(RECORDED["kinds_flag"]) as server:
        yield server


def find_faults(board: CorpusBoard, questions: list[dict[str, Any]]) -> list[tuple[str, Any, Any]]:
    """Questions with the answer and the one that it should have been, where these differ."""
    told = [(request_name(question), *compare(board, question)) for question in questions]
    return [fault for fault in told if fault[1] != fault[2]]


def compare(board: CorpusBoard, question: dict[str, Any]) -> tuple[Any, Any]:
    """What is found, and what should be."""
    found = board.request(question)
    answer, reasons = ours(question, expected_response(question))
    if kind(question) == "hparams" and answer.get("html") and answer["status"] == 400:
        # TensorBoard sends a page; a question that makes no sense is told in text like every other error.
        return (found["status"], found["headers"]), (400, PLAIN_TEXT)
    if fails(question) and not reasons:
        good = found["status"] == 200 or (found["status"] < 500 and found["headers"]["content-type"] == TEXT)
        return found, found if good else "an answer, or a line that says what is wrong"
    return found, answer


def test_checkpoints_are_read_as_by_tensorflow(board: CorpusBoard) -> None:
    """TensorBoard needs TensorFlow for this."""
    assert find_faults(board, CHECKPOINTS) == []


@pytest.mark.parametrize("name", KINDS)
def test_responses_of_kinds_equal_tensorboards(board: CorpusBoard, name: str) -> None:
    """Lists, values and bytes for every run, tag, sample and step, and errors."""
    assert find_faults(board, [question for question in ASKED if kind(question) == name]) == []


@pytest.mark.parametrize("folder", RECORDED["folders"])
def test_responses_for_single_folders_equal_tensorboards(folder: str) -> None:
    """Layouts and experiments depend on all runs. The folder is served by itself."""
    with CorpusBoard(logdir=f"{LOGDIR}/{folder}") as board:
        assert find_faults(board, told(RECORDED["folders"][folder])) == []
