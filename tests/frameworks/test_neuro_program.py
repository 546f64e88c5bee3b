"""The program of the document of Neu.ro, with TensorFlow, run by `make`: C2, C6 to C8, C20, C21, C23, C24."""

import re
import shutil
import struct

import pytest

from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from support.board_process import BoardProcess
from support.framework_environment import NEURO_LOG, PROGRAMS
from support.hub_cli import HubCli, delete_boards
from support.hub_process import HubProcess, wait_for
from support.neuro_project import Project
from support.shown_board import ShownBoard

pytestmark = pytest.mark.frameworks

TRAIN = """TRAIN='cd "$$LIGHTBOARD_LOG_DIR" && python "$$PAI_WORKING_DIR/train.py" && echo trained && sleep 600'"""
"""The document logs to `results`, relative to the folder in which the program starts. Then it waits to be killed."""
EPOCHS = list(range(25))
GRAPH = {"tag": "keras", "conceptual": "true"}
RGBA = 6
"""The colour type of PNG."""
METRICS = ["epoch_accuracy", "epoch_loss"]


def test_c2_c6_to_c8_c20_to_c24_c_t1_the_program_shows_curves_matrices_and_its_model(
    hub: HubProcess, session: Session, cli: HubCli
) -> None:
    """After `make setup`, `make train` and `make tensorboard`.

    The callback and a second writer log below `results` (C7); accuracy and loss have a point for each epoch (C6, C21),
    and the confusion matrix an image (C8, C23): 8 by 8 inches with transparency. The model is there with its layers
    (C24), those of the log that the test of the page opens, and so are the tabs that the document names (C20). All of
    that is shown while the job runs, and still once the job and its viewer have been killed and there is another
    viewer (C2).
    """
    project = Project(cli, image="frameworks")
    shutil.copy(PROGRAMS / "neuro_train.py", project.folder / "modules" / "train.py")
    project.make("setup")
    with project.start("train", TRAIN) as process:
        project.interrupt(process, "trained")
    job, board = TrainingJob.get("train-image", session), start_viewer(project, hub, session)
    cm, train, validation = board.ask("data/runs")
    listing = board.ask("data/plugins_listing")
    (matrix,), (model,) = board.values("images"), board.values("graph_keras_model")
    layers = board.first_value("graph_keras_model", train, model)
    curves = {run: {tag: board.points(run, tag) for tag in METRICS} for run in (train, validation)}
    images = board.images(cm, "Confusion Matrix")
    graph = board.fetch("data/plugin/graphs/graph", run=train, **GRAPH)
    with BoardProcess(NEURO_LOG, "--reload_task", "blocking") as kept:
        kept_graph = ShownBoard(kept.url).fetch("data/plugin/graphs/graph", run="train", **GRAPH)

    assert job.status == "Running"
    assert re.fullmatch(r"train-image_\w{6}/tensorboard/attempt-1/rank-0/results/image/\d{8}-\d{6}/cm", cm)
    assert {
        run: {tag: [step for step, _ in points] for tag, points in tags.items()} for run, tags in curves.items()
    } == {run: dict.fromkeys(METRICS, EPOCHS) for run in (train, validation)}
    assert (matrix["tag"], matrix["steps"]) == ("Confusion Matrix", EPOCHS)
    assert {png_header(data) for _, data in images} == {(800, 800, RGBA)}
    assert (model["tag"], [name for name in (b"Flatten", b"Dense", b"softmax") if name not in layers]) == ("keras", [])
    assert graph == kept_graph
    assert [name for name in ("scalars", "images", "graphs") if not listing[name]["enabled"]] == []

    project.make("kill-train")
    wait_for(lambda: job.status, lambda status: status == "Stopped", "the end of the training")
    delete_boards(session)
    other = start_viewer(project, hub, session)

    assert other.url != board.url
    assert {run: {tag: other.points(run, tag) for tag in METRICS} for run in (train, validation)} == curves
    assert other.images(cm, "Confusion Matrix") == images


def start_viewer(project: Project, hub: HubProcess, session: Session) -> ShownBoard:
    """What `make tensorboard` starts, which is the only TensorBoard."""
    with project.start("tensorboard") as process:
        project.interrupt(process, "TensorBoard ")
    (found,) = TensorBoard.list(session)
    return ShownBoard(found.app_uri, hub.token)


def png_header(data: bytes) -> tuple[int, int, int]:
    """Width, height and colour type of a PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, _, colour = struct.unpack(">IIBB", data[16:26])
    return width, height, colour
