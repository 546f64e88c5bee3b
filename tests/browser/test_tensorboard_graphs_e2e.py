"""TensorBoard's own graph page over Lightboard's routes draws what it draws over TensorBoard's."""

import pathlib
import shutil

import pytest

from support.board_process import BoardStarter
from support.page_driver import PageDriver
from support.tensorboard_frontend import GraphChoice, TensorBoardServer, draw, open_graphs, serve_frontend

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
RUNS = {
    "a_tensorflow_v1": "tf-v1-all",
    "keras": "keras/everything/train",
    "keras_215": "tf215-keras-full/train",
    "tensorflow": "tensorflow/everything",
    "torch": "torch/everything",
    "traced": "tf215-trace-seed004",
}
"""The page begins with the first run, which must have a graph of the whole run."""
CHOICES = {
    "a graph of TensorFlow 1": GraphChoice("a_tensorflow_v1", None, "op_graph"),
    "its run metadata": GraphChoice("a_tensorflow_v1", "step005", "profile"),
    "torch's add_graph": GraphChoice("torch", None, "op_graph"),
    "torch's run metadata": GraphChoice("torch", "step1", "profile"),
    "a trace of TensorFlow 2": GraphChoice("tensorflow", "trace", "op_graph"),
    "the functions of a trace": GraphChoice("traced", "model_trace", "op_graph"),
    "Keras 3, conceptual": GraphChoice("keras", "keras", "conceptual_graph"),
    "Keras 2, conceptual": GraphChoice("keras_215", "keras", "conceptual_graph"),
}
SIZES = {
    "a graph of TensorFlow 1": [51, 22, 47],
    "its run metadata": [51, 22, 47],
    "torch's add_graph": [17, 10, 11],
    "torch's run metadata": [17, 10, 11],
    "a trace of TensorFlow 2": [7, 4, 8],
    "the functions of a trace": [47, 16, 44],
    "Keras 3, conceptual": [4, 2, 5],
    "Keras 2, conceptual": [8, 6, 9],
}
"""How many boxes and lines TensorBoard draws, and how many nodes it has read."""


@pytest.mark.frameworks
def test_tensorboards_own_page_draws_the_same_graphs(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """Boxes, lines and captions with the outermost scopes open, and all nodes and edges that the page has read."""
    logdir = tmp_path / "logs"
    for run, folder in RUNS.items():
        shutil.copytree(LOGS / folder, logdir / run)
    driver.expect_error("Multiple instances of Three.js")
    board = start_board(logdir, "--reload_task", "blocking")
    with TensorBoardServer(logdir) as tensorboard:
        theirs = driver.take_page(1440, 900, "light", own=True, strict=False)
        open_graphs(theirs, tensorboard.url)
        wanted = {name: draw(theirs, choice) for name, choice in CHOICES.items()}
    ours = driver.take_page(1440, 900, "light", own=True, strict=False)
    serve_frontend(ours)
    open_graphs(ours, board.url)

    assert {name: draw(ours, choice) for name, choice in CHOICES.items()} == wanted
    assert {name: [len(drawn[part]) for part in ("boxes", "lines", "nodes")] for name, drawn in wanted.items()} == SIZES
