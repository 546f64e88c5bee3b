"""The programs of the document of DCE, with TensorFlow: A2, A3, A9 to A11; those of B are the same."""

import json
import re

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

IN_LOG_FOLDER = 'cd "$PAI_OUTPUT_TENSORBOARD" && python "$PAI_WORKING_DIR/train.py"'
"""The document logs to `logs`, relative to the folder in which the program starts."""
TAPE = "attempt-1/rank-0/logs/gradient_tape"
EPOCHS, BATCHES = range(3), {"train": 4, "val": 2}


@pytest.fixture(scope="module")
def notebook(hub: HubProcess, session: Session, cli: HubCli) -> ShownBoard:
    """The TensorBoard of a notebook, opened before its kernel has run the program of the document in one cell."""
    made = json.loads(cli("notebook", "create", "--name", "lab", "--image", "lab", "--tensorboard", "--json"))
    board = TensorBoard(made["tensorboard"]["id"], session).wait()
    shown = ShownBoard(board.app_uri, hub.token)
    assert shown.ask("data/runs") == []
    path = f"/notebooks/{made['id']}/api/kernels"
    kernel = hub.json("POST", path, {"name": "python3", "path": "first.ipynb"})["id"]
    address = f"{hub.url.replace('http', 'ws')}{path}/{kernel}/channels"
    headers = {"Authorization": f"Bearer {hub.token}"}
    with connect(address, additional_headers=headers, max_size=None) as opened:
        run_code(opened, program("dce_fit"))
    cli("notebook", "stop", "lab")
    return shown


@pytest.fixture(scope="module")
def job(hub: HubProcess, session: Session, cli: HubCli, tmp_path_factory: pytest.TempPathFactory) -> ShownBoard:
    """The TensorBoard of a job that has run the custom loop."""
    code = source_dir(tmp_path_factory.mktemp("code"), "dce_gradient_tape")
    cli(
        "job", "submit", "--name", "tape", "--image", "frameworks", "--source-dir", str(code), "--follow", IN_LOG_FOLDER
    )
    return ShownBoard(TrainingJob.get("tape", session).tensorboard().app_uri, hub.token)


@pytest.mark.parametrize("tag", ["epoch_loss", "epoch_accuracy"])
def test_a2_a9_training_and_validation_of_a_notebook_share_a_chart(notebook: ShownBoard, tag: str) -> None:
    """The run appears without a restart of anything, with a point for each epoch."""
    runs = [run for run in notebook.ask("data/runs") if tag in notebook.scalars(run)]

    assert [re.sub(r"\d{8}-\d{6}", "TIME", run) for run in runs] == ["fit/TIME/train", "fit/TIME/validation"]
    assert [[step for step, _ in notebook.points(run, tag)] for run in runs] == [list(range(5))] * 2


def test_a3_a9_weights_of_each_layer_are_histograms_at_each_epoch(notebook: ShownBoard) -> None:
    """As `histogram_freq=1` says; Distributions shows the same ones."""
    (run,) = [run for run, tags in notebook.ask("data/plugin/histograms/tags").items() if tags]
    layers = sorted(notebook.ask("data/plugin/histograms/tags")[run])
    found = {tag: [step for step, _ in notebook.histograms(run, tag)] for tag in layers}

    assert run.endswith("/train")
    assert layers == [
        f"sequential/{layer}/{part}/histogram" for layer in ("dense", "dense_1") for part in ("bias", "kernel")
    ]
    assert set(map(tuple, found.values())) == {tuple(range(5))}
    assert notebook.ask("data/plugins_listing")["distributions"]["enabled"]


@pytest.mark.parametrize("part", ["train", "val"])
def test_a10_each_part_has_loss_and_accuracy_at_each_epoch(job: ShownBoard, part: str) -> None:
    """From a writer of its own."""
    run = f"{TAPE}/{part}"

    assert set(job.scalars(run)) >= {"loss", "accuracy"}
    assert {step for tag in ("loss", "accuracy") for step, _ in job.points(run, tag)} == set(EPOCHS)


@pytest.mark.parametrize("part", ["train", "val"])
def test_a_t1_all_points_at_one_step_are_kept(job: ShownBoard, part: str) -> None:
    """The program writes one for each batch, at the step of the epoch."""
    steps = [step for step, _ in job.points(f"{TAPE}/{part}", "loss")]

    assert steps == [epoch for epoch in EPOCHS for _ in range(BATCHES[part])]


def test_a11_custom_logs_are_a_learning_rate_and_gradients(job: ShownBoard) -> None:
    """A scalar and a histogram for each epoch."""
    rates = job.points(f"{TAPE}/train", "learning_rate")
    gradients = job.histograms(f"{TAPE}/train", "gradients")

    assert rates == [(epoch, pytest.approx(0.001)) for epoch in EPOCHS]
    assert [step for step, _ in gradients] == list(EPOCHS)
