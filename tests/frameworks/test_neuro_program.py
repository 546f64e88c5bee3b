"""The program of the document of Neu.ro, with TensorFlow, run by `make`: C6 to C8, C20, C21, C23, C24."""

import re
import shutil
import struct

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


def test_c6_to_c8_c20_to_c24_the_program_shows_curves_matrices_and_its_model(
    hub: HubProcess, session: Session, cli: HubCli
) -> None:
    """After `make setup`, `make train` and `make tensorboard`.

    The callback and a second writer log below `results` (C7); accuracy and loss have a point for each epoch (C6, C21),
    and the confusion matrix an image (C8, C23): 8 by 8 inches with transparency. The model is there with its layers
    (C24), and so are the tabs that the document names (C20).
    """
    project = Project(cli, image="frameworks")
    shutil.copy(PROGRAMS / "neuro_train.py", project.folder / "modules" / "train.py")
    project.make("setup")
    project.make("train", IN_LOG_FOLDER)
    with project.start("tensorboard") as process:
        project.interrupt(process, "TensorBoard ")
    (found,) = TensorBoard.list(session)
    board = ShownBoard(found.app_uri, hub.token)
    cm, train, validation = board.ask("data/runs")
    listing = board.ask("data/plugins_listing")
    (matrix,), (model,) = board.values("images"), board.values("graph_keras_model")
    layers = board.first_value("graph_keras_model", train, model)

    assert re.fullmatch(r"train-image_\w{6}/tensorboard/attempt-1/rank-0/results/image/\d{8}-\d{6}/cm", cm)
    for run in (train, validation):
        assert {tag: [step for step, _ in board.points(run, tag)] for tag in METRICS} == dict.fromkeys(METRICS, EPOCHS)
    assert (matrix["tag"], matrix["steps"]) == ("Confusion Matrix", EPOCHS)
    assert {png_header(data) for _, data in board.images(cm, "Confusion Matrix")} == {(800, 800, RGBA)}
    assert (model["tag"], [name for name in (b"Flatten", b"Dense", b"softmax") if name not in layers]) == ("keras", [])
    assert [name for name in ("scalars", "images", "graphs") if not listing[name]["enabled"]] == []


def png_header(data: bytes) -> tuple[int, int, int]:
    """Width, height and colour type of a PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, _, colour = struct.unpack(">IIBB", data[16:26])
    return width, height, colour
