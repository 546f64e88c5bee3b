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


def kind(question: dict[str, Any]) -> str:
    """The plugin a question is put to."""
    return str(question["url"].split("/")[3].split("?")[0])


def told(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those whose values our lists tell of."""
    return [question for question in questions if not is_void(question)]


def params(questions: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(question, id=request_name(question)[:150]) for question in questions]


ASKED = told(RECORDED["kinds"])
ALONE = [(folder, q) for folder, questions in RECORDED["folders"].items() for q in told(questions)]


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


@pytest.fixture(scope="module")
def alone(request: pytest.FixtureRequest) -> Iterator[CorpusBoard]:
    """A folder of the corpus, served by itself."""
    with CorpusBoard(logdir=f"{LOGDIR}/{request.param}") as server:
        yield server


def check(board: CorpusBoard, question: dict[str, Any]) -> None:
    found = board.request(question)
    answer, reasons = ours(question, expected_response(question))
    if kind(question) == "hparams" and answer.get("html") and answer["status"] == 400:
        # TensorBoard sends a page; a question that makes no sense is told in text like every other error.
        assert (found["status"], found["headers"]) == (400, {"content-type": "text/plain; charset=utf-8"})
    elif fails(question) and not reasons:
        assert found["status"] < 500
        assert found["status"] == 200 or found["headers"]["content-type"] == "text/plain; charset=utf-8"
    else:
        assert found == answer


@pytest.mark.parametrize("question", params(CHECKPOINTS))
def test_checkpoints_are_read_as_by_tensorflow(board: CorpusBoard, question: dict[str, Any]) -> None:
    """TensorBoard needs TensorFlow for this."""
    check(board, question)


@pytest.mark.parametrize("question", params(ASKED))
def test_responses_of_kinds_equal_tensorboards(board: CorpusBoard, question: dict[str, Any]) -> None:
    """Lists, values and bytes for every run, tag, sample and step, and errors."""
    check(board, question)


@pytest.mark.parametrize(
    ("alone", "question"),
    [pytest.param(f, q, id=f"{f}: {request_name(q)}"[:150]) for f, q in ALONE],
    indirect=["alone"],
    scope="module",
)
def test_responses_for_single_folders_equal_tensorboards(alone: CorpusBoard, question: dict[str, Any]) -> None:
    """Layouts and experiments depend on all runs."""
    check(alone, question)
