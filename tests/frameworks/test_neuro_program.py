"""The program of the document of Neu.ro, with TensorFlow, run by `make`: C2, C5 to C8, C20, C21, C23, C24, C-T1."""

import gzip
import pathlib
import re
import shutil
import struct

import numpy as np
import pytest

from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from support.board_process import BoardProcess
from support.framework_environment import NEURO_LOG, PROGRAMS
from support.hub_cli import HubCli, delete_boards
from support.hub_process import HubProcess
from support.neuro_project import Project
from support.shown_board import ShownBoard

pytestmark = pytest.mark.frameworks

DATASETS = "FLAGS=--input datasets=storage:datasets"
FASHION_MNIST = "datasets/fashion-mnist"
"""Where Keras looks for the data set, in a folder that the job gets as an input."""
EPOCHS = list(range(25))
GRAPH = {"tag": "keras", "conceptual": "true"}
RGBA = 6
"""The colour type of PNG."""
METRICS = ["epoch_accuracy", "epoch_loss"]


def test_c2_c5_to_c8_c20_to_c24_the_program_shows_curves_matrices_and_its_model(
    hub: HubProcess, session: Session, cli: HubCli
) -> None:
    """After `make setup train tensorboard`, with random images in the place of those of Fashion-MNIST.

    The program of the document runs with the indentation that it lost there (C-T1), and the one of the template logs
    the same in another training. The environment of the hub has what the requirements name. The callback and a second
    writer log below `results` (C7); accuracy and loss have a point for each epoch (C6, C21), and the confusion matrix
    an image (C8, C23): 8 by 8 inches with transparency. The model is there with its layers (C24), those of the log that
    the test of the page opens, and so are the tabs that the document names (C20). Another viewer shows the same (C2).
    """
    write_fashion_mnist(hub.home / "hub" / "storage" / "image" / FASHION_MNIST)
    project = Project(cli, image="frameworks")
    shutil.copy(PROGRAMS / "neuro_train.py", project.folder / "modules" / "document.py")
    project.make("setup")
    project.make("train", DATASETS, "RUN=ours")
    with project.start("setup", "train", "tensorboard", DATASETS, "TRAIN=python modules/document.py") as process:
        project.interrupt(process, "TensorBoard ")
    board = only_board(hub, session)
    *ours, cm, train, validation = board.ask("data/runs")
    listing = board.ask("data/plugins_listing")
    matrices, (_, model) = board.values("images"), board.values("graph_keras_model")
    layers = board.first_value("graph_keras_model", train, model)
    curves = {run: {tag: board.points(run, tag) for tag in METRICS} for run in (train, validation)}
    images = board.images(cm, "Confusion Matrix")
    our_curves = [{tag: len(board.points(run, tag)) for tag in METRICS} for run in ours[1:]]
    our_images = board.images(ours[0], "Confusion Matrix")
    graph = board.fetch("data/plugin/graphs/graph", run=train, **GRAPH)
    with BoardProcess(NEURO_LOG, "--reload_task", "blocking") as kept:
        kept_graph = ShownBoard(kept.url).fetch("data/plugin/graphs/graph", run="train", **GRAPH)

    assert re.fullmatch(r"train-image_\w{6}/attempt-1/rank-0/image/\d{8}-\d{6}/cm", cm)
    assert {
        run: {tag: [step for step, _ in points] for tag, points in tags.items()} for run, tags in curves.items()
    } == {run: dict.fromkeys(METRICS, EPOCHS) for run in (train, validation)}
    assert [(matrix["tag"], matrix["steps"]) for matrix in matrices] == [("Confusion Matrix", EPOCHS)] * 2
    assert [len(each) for each in (images, our_images)] == [10, 10]
    assert {png_header(data) for _, data in [*images, *our_images]} == {(800, 800, RGBA)}
    assert [run.split("/")[-1] for run in ours] == ["cm", "train", "validation"]
    assert our_curves == [dict.fromkeys(METRICS, len(EPOCHS))] * 2
    assert (model["tag"], [name for name in (b"Flatten", b"Dense", b"softmax") if name not in layers]) == ("keras", [])
    assert graph == kept_graph
    assert [name for name in ("scalars", "images", "graphs") if not listing[name]["enabled"]] == []

    delete_boards(session)
    with project.start("tensorboard") as process:
        project.interrupt(process, "TensorBoard ")
    other = only_board(hub, session)

    assert other.url != board.url
    assert {run: {tag: other.points(run, tag) for tag in METRICS} for run in (train, validation)} == curves
    assert other.images(cm, "Confusion Matrix") == images


def write_fashion_mnist(folder: pathlib.Path) -> None:
    """The four files of the data set, in their format, with a few random images."""
    folder.mkdir(parents=True)
    for part, count in (("train", 200), ("t10k", 50)):
        images = np.random.default_rng(count).integers(0, 256, (count, 28, 28), np.uint8)
        labels = (np.arange(count) % 10).astype(np.uint8)
        (folder / f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(bytes(16) + images.tobytes()))
        (folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(bytes(8) + labels.tobytes()))


def only_board(hub: HubProcess, session: Session) -> ShownBoard:
    """The only TensorBoard that there is."""
    (found,) = TensorBoard.list(session)
    return ShownBoard(found.app_uri, hub.token)


def png_header(data: bytes) -> tuple[int, int, int]:
    """Width, height and colour type of a PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, _, colour = struct.unpack(">IIBB", data[16:26])
    return width, height, colour
