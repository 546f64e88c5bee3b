"""The program of the document of Neu.ro, with TensorFlow, run by `make`: C6 to C8, C20, C21, C23, C24."""

import re
import shutil
import struct
from typing import NamedTuple

import pytest

from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from support.framework_environment import PROGRAMS
from support.hub_cli import HubCli
from support.hub_process import HubProcess
from support.neuro_project import Project
from support.shown_board import ShownBoard

IN_LOG_FOLDER = """TRAIN='cd "$$LIGHTBOARD_LOG_DIR" && python "$$PAI_WORKING_DIR/train.py"'"""
"""The document logs to `results`, relative to the folder in which the program starts."""
EPOCHS = list(range(25))
RGBA = 6
"""The colour type of PNG."""
METRICS = ["epoch_accuracy", "epoch_loss"]


class Trained(NamedTuple):
    """The TensorBoard of the project, and the name of the folder in which the program logged."""

    board: ShownBoard
    run: str


@pytest.fixture(scope="module")
def trained(hub: HubProcess, session: Session, cli: HubCli) -> Trained:
    """What the project of the document shows after `make setup`, `make train` and `make tensorboard`."""
    project = Project(cli, image="frameworks")
    shutil.copy(PROGRAMS / "neuro_train.py", project.folder / "modules" / "train.py")
    project.make("setup")
    project.make("train", IN_LOG_FOLDER)
    with project.start("tensorboard") as process:
        project.interrupt(process, "TensorBoard at ")
    (board,) = [each for each in TensorBoard.list(session) if each.info()["name"] == "tensorboard-image"]
    shown = ShownBoard(board.app_uri, hub.token)
    return Trained(shown, next(run.removesuffix("/cm") for run in shown.ask("data/runs") if run.endswith("/cm")))


def test_c7_the_callback_and_a_second_writer_log_below_results(trained: Trained) -> None:
    """In a folder with the time; their runs are those of the callback and the other writer's."""
    runs = trained.board.ask("data/runs")

    assert re.fullmatch(r"train-image_\w{6}/tensorboard/attempt-1/rank-0/results/image/\d{8}-\d{6}", trained.run)
    assert runs == [f"{trained.run}/{part}" for part in ("cm", "train", "validation")]


@pytest.mark.parametrize("part", ["train", "validation"])
def test_c6_c21_accuracy_and_loss_have_a_point_for_each_epoch(trained: Trained, part: str) -> None:
    """Of training and of validation, of 25 epochs."""
    run = f"{trained.run}/{part}"

    assert {tag: [step for step, _ in trained.board.points(run, tag)] for tag in METRICS} == dict.fromkeys(
        METRICS, EPOCHS
    )


def test_c23_there_is_an_image_for_each_epoch(trained: Trained) -> None:
    """On our page; TensorBoard's routes give a sample of them."""
    (series,) = trained.board.values("images")

    assert (series["tag"], series["steps"]) == ("Confusion Matrix", EPOCHS)


def test_c8_the_images_are_the_figures_that_were_drawn(trained: Trained) -> None:
    """8 by 8 inches, as PNG with transparency."""
    images = trained.board.images(f"{trained.run}/cm", "Confusion Matrix")

    assert {png_header(data) for _, data in images} == {(800, 800, RGBA)}


def test_c20_scalars_images_and_graphs_are_there(trained: Trained) -> None:
    """The tabs that the document names."""
    listing = trained.board.ask("data/plugins_listing")

    assert {name for name in ("scalars", "images", "graphs") if listing[name]["enabled"]} == {
        "scalars", "images", "graphs",
    }  # fmt: skip


def test_c24_the_model_is_logged_once_by_the_training(trained: Trained) -> None:
    """With its layers."""
    (series,) = trained.board.values("graph_keras_model")
    model = trained.board.first_value("graph_keras_model", f"{trained.run}/train", series)

    assert (series["tag"], series["steps"]) == ("keras", [0])
    assert [layer for layer in (b"Flatten", b"Dense", b"softmax") if layer not in model] == []


def png_header(data: bytes) -> tuple[int, int, int]:
    """Width, height and colour type of a PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, _, colour = struct.unpack(">IIBB", data[16:26])
    return width, height, colour
