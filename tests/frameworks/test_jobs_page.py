"""What docs/jobs.md says about how frameworks find the log folder of a job, run as it is written there."""

import re

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.hub_cli import HubCli
from support.hub_process import HubProcess
from support.shown_board import ShownBoard
from support.wheels import ROOT

pytestmark = pytest.mark.frameworks

ROW = re.compile(r"^\| (\w+) \| `(.+?)`", re.M)
PROGRAM = """
import os

import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential
from tensorflow.keras.callbacks import TensorBoard
from tensorflow.keras.layers import Dense

with {TensorFlow}.as_default():
    tf.summary.scalar("of_tensorflow", 0.5, step=1)

model = Sequential([Dense(1)])
model.compile(loss="mse")
model.fit(np.ones((4, 1)), np.ones((4, 1)), verbose=0, callbacks=[{Keras}])

from torch.utils.tensorboard import SummaryWriter

with {PyTorch} as writer:
    writer.add_scalar("of_torch", 0.5, 1)
"""


def test_the_lines_of_the_page_log_to_the_folder_of_the_job(hub: HubProcess, session: Session, cli: HubCli) -> None:
    """Those of TensorFlow, Keras and PyTorch; that of Transformers is in the program of PAI's document."""
    lines = dict(ROW.findall((ROOT / "docs" / "jobs.md").read_text()))
    code = cli.folder / "code"
    code.mkdir()
    (code / "train.py").write_text(PROGRAM.format(**lines))
    words = ("--name", "lines", "--image", "frameworks", "--source-dir", str(code), "--follow")
    cli("job", "submit", *words, "python train.py")
    board = ShownBoard(TrainingJob.get("lines", session).tensorboard().app_uri, hub.token)

    assert {run: board.scalars(run) for run in board.ask("data/runs")} == {
        "attempt-1/rank-0": ["of_tensorflow", "of_torch"],
        "attempt-1/rank-0/train": ["epoch_learning_rate", "epoch_loss"],
    }
