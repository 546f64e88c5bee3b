"""The programs of the document of DCE, with TensorFlow: A2, A3, A9 to A11; those of B are the same."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from websockets.sync.client import connect

from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from support.framework_environment import program, source_dir
from support.hub_cli import HubCli
from support.hub_process import HubProcess
from support.kernel_channels import run_code
from support.shown_board import ShownBoard

pytestmark = pytest.mark.frameworks

IN_LOG_FOLDER = 'cd "$PAI_OUTPUT_TENSORBOARD" && python "$PAI_WORKING_DIR/train.py"'
"""The document logs to `logs`, relative to the folder in which the program starts."""
TAPE = "attempt-1/rank-0/logs/gradient_tape"
EPOCHS, BATCHES = [0, 1, 2], {"train": 4, "val": 2}
LAYERS = [f"sequential/{layer}/{part}/histogram" for layer in ("dense", "dense_1") for part in ("bias", "kernel")]


def run_in_notebook(hub: HubProcess, id: str, code: str) -> None:
    """Run a cell, as the page of JupyterLab does."""
    path = f"/notebooks/{id}/api/kernels"
    kernel = hub.json("POST", path, {"name": "python3", "path": "first.ipynb"})["id"]
    address = f"{hub.url.replace('http', 'ws')}{path}/{kernel}/channels"
    headers = {"Authorization": f"Bearer {hub.token}"}
    with connect(address, additional_headers=headers, max_size=None) as opened:
        run_code(opened, code)


def test_a2_a3_a9_b9_a_notebook_shows_curves_and_weights(hub: HubProcess, session: Session, cli: HubCli) -> None:
    """The program runs in a cell while its TensorBoard is open, and its runs appear without a restart of anything.

    Training and validation have a point for each epoch in one chart (A2), and each layer a histogram of its weights,
    as `histogram_freq=1` says (A3).
    """
    made = json.loads(cli("notebook", "create", "--name", "lab", "--image", "lab", "--tensorboard", "--json"))
    board = ShownBoard(TensorBoard(made["tensorboard"]["id"], session).wait().app_uri, hub.token)
    before = board.ask("data/runs")
    run_in_notebook(hub, made["id"], program("dce_fit"))
    cli("notebook", "stop", "lab")
    runs = board.ask("data/runs")
    curves = {(run, tag): steps(board.points(run, tag)) for run in runs for tag in ("epoch_loss", "epoch_accuracy")}
    weights = {tag: steps(board.histograms(runs[0], tag)) for tag in board.ask("data/plugin/histograms/tags")[runs[0]]}

    assert (before, [re.sub(r"\d{8}-\d{6}", "TIME", run) for run in runs]) == (
        [], ["fit/TIME/train", "fit/TIME/validation"],
    )  # fmt: skip
    assert list(curves.values()) == [list(range(5))] * 4
    assert weights == {layer: list(range(5)) for layer in LAYERS}
    assert board.ask("data/plugins_listing")["distributions"]["enabled"]


def test_a10_a11_b10_b11_a_t1_a_job_shows_its_own_loop(hub: HubProcess, session: Session, cli: HubCli) -> None:
    """Loss and accuracy from a writer for training and one for validation (A10), a rate and gradients (A11).

    There is a point for each batch, at the step of its epoch; all of them are kept (A-T1).
    """
    code = str(source_dir(cli.folder, "dce_gradient_tape"))
    cli("job", "submit", "--name", "tape", "--image", "frameworks", "--source-dir", code, "--follow", IN_LOG_FOLDER)
    board = ShownBoard(TrainingJob.get("tape", session).tensorboard().app_uri, hub.token)
    found = {
        (part, tag): steps(board.points(f"{TAPE}/{part}", tag)) for part in BATCHES for tag in ("accuracy", "loss")
    }
    each_batch = {part: [epoch for epoch in EPOCHS for _ in range(count)] for part, count in BATCHES.items()}

    assert [board.scalars(f"{TAPE}/{part}") for part in BATCHES] == [
        ["accuracy", "learning_rate", "loss"], ["accuracy", "loss"],
    ]  # fmt: skip
    assert found == {(part, tag): each_batch[part] for part, tag in found}
    assert board.points(f"{TAPE}/train", "learning_rate") == [(epoch, pytest.approx(0.001)) for epoch in EPOCHS]
    assert steps(board.histograms(f"{TAPE}/train", "gradients")) == EPOCHS


def steps(values: Sequence[tuple[int, Any]]) -> list[int]:
    """The steps of points or histograms."""
    return [step for step, _ in values]
