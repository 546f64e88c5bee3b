"""TensorBoard's addresses of every kind of data but scalars answer what TensorBoard 2.21 answered about the same logs.

Asked by `scripts/corpus/ask_kinds.py` of its Python server; where Lightboard means to differ is said in
`differences.py`. Where TensorBoard fails (500), Lightboard answers or says in a line what is wrong.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from answers import LOGDIR, Lightboard, expected, name_of, recorded
from differences import is_void, ours

RECORDED = recorded()


def kind(question: dict[str, Any]) -> str:
    """The plugin a question is put to."""
    return str(question["url"].split("/")[3].split("?")[0])


def told(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those whose values our lists tell of."""
    return [question for question in questions if not is_void(question)]


def params(questions: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(question, id=name_of(question)[:150]) for question in questions]


ASKED = told(RECORDED["kinds"])
ALONE = [(folder, q) for folder, questions in RECORDED["folders"].items() for q in told(questions)]


CHECKPOINTS = [
    question
    for question in RECORDED["with_tensorflow"]
    if "tensorflow_kinds" in question["url"] and "/info" not in question["url"]
]


def fails(question: dict[str, Any]) -> bool:
    return bool(expected(question)["status"] == 500)


@pytest.fixture(scope="module")
def board() -> Iterator[Lightboard]:
    with Lightboard(RECORDED["kinds_flag"]) as server:
        yield server


@pytest.fixture(scope="module")
def alone() -> Iterator[dict[str, Lightboard]]:
    """Some folders of the corpus, each served by itself."""
    boards: dict[str, Lightboard] = {}
    try:
        for folder in dict.fromkeys(folder for folder, _ in ALONE):
            boards[folder] = Lightboard(logdir=f"{LOGDIR}/{folder}").__enter__()
        yield boards
    finally:
        for server in boards.values():
            server.__exit__(None, None, None)


def check(board: Lightboard, question: dict[str, Any]) -> None:
    found = board.ask(question)
    answer, reasons = ours(question, expected(question))
    if kind(question) == "hparams" and answer.get("html") and answer["status"] == 400:
        # TensorBoard sends a page; a question that makes no sense is told in text like every other error.
        assert (found["status"], found["headers"]) == (400, {"content-type": "text/plain; charset=utf-8"})
    elif fails(question) and not reasons:
        assert found["status"] < 500
        assert found["status"] == 200 or found["headers"]["content-type"] == "text/plain; charset=utf-8"
    else:
        assert found == answer


@pytest.mark.parametrize("question", params(CHECKPOINTS))
def test_checkpoints_are_read_as_by_tensorflow(board: Lightboard, question: dict[str, Any]) -> None:
    """What TensorBoard answers only beside TensorFlow."""
    check(board, question)


@pytest.mark.parametrize("question", params(ASKED))
def test_answers_as_tensorboard_does(board: Lightboard, question: dict[str, Any]) -> None:
    """Lists, values and bytes of every run, tag, sample and step, and what is told to a wrong question."""
    check(board, question)


@pytest.mark.parametrize(("folder", "question"), [pytest.param(f, q, id=f"{f}: {name_of(q)}"[:150]) for f, q in ALONE])
def test_answers_so_about_one_folder(alone: dict[str, Lightboard], folder: str, question: dict[str, Any]) -> None:
    """The same for what depends on all the runs there are: layouts of charts and experiments."""
    check(alone[folder], question)
