"""TensorBoard's hparams API: an experiment with domains and metrics, and sessions of every status."""

# ruff: isort: off
import neutral

import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

import numpy as np
import tensorflow as tf
from tensorboard.plugins.hparams import api as hp
from tensorboard.plugins.hparams import api_pb2
from tensorboard.plugins.hparams import summary

root = neutral.folder("hparams_api")
tf.random.set_seed(34)
numbers = np.random.default_rng(34)

UNITS = hp.HParam("units", hp.IntInterval(8, 64), display_name="Units", description="width of *the* layer")
RATE = hp.HParam("rate", hp.RealInterval(1e-4, 0.5))
OPTIMIZER = hp.HParam("optimizer", hp.Discrete(["adam", "sgd"]))
NORM = hp.HParam("norm", hp.Discrete([False, True]))
FREE = hp.HParam("free")
METRICS = [
    hp.Metric("accuracy", group="validation", display_name="accuracy (val.)", description="of *unseen* ones"),
    hp.Metric("loss", group="train", dataset_type=hp.Metric.TRAINING),
    hp.Metric("score"),
]
# units, rate, optimizer, norm, free, group, status, how many steps
SESSIONS = [
    (8, 0.1, "adam", True, "x", "small", api_pb2.STATUS_SUCCESS, 6),
    (8, 0.1, "adam", True, "x", "small", api_pb2.STATUS_SUCCESS, 6),
    (16, 0.01, "sgd", True, 3.0, None, api_pb2.STATUS_SUCCESS, 5),
    (32, 3e-4, "adam", False, None, None, api_pb2.STATUS_FAILURE, 2),
    (64, 0.5, "sgd", False, "y", None, api_pb2.STATUS_RUNNING, 3),
    (64, 0.25, "sgd", False, "z", None, None, 0),
]


def write(pb: object, step: int = 0) -> None:
    """A summary message, through the writer in force."""
    tf.summary.experimental.write_raw_pb(pb.SerializeToString(), step=step)


def curve(place: str, tag: str, steps: int, height: float) -> None:
    writer = tf.summary.create_file_writer(place)
    with writer.as_default():
        for step in range(steps):
            tf.summary.scalar(tag, height * (1 - np.exp(-step / 2)), step=step)
    writer.close()


def session(i: int) -> None:
    units, rate, optimizer, norm, free, group, status, steps = SESSIONS[i]
    values = {UNITS: units, RATE: rate, OPTIMIZER: optimizer, NORM: norm}
    if free is not None:
        values[FREE] = free
    place = str(root / f"session_{i}")
    writer = tf.summary.create_file_writer(place)
    with writer.as_default():
        write(hp.hparams_pb(values, trial_id=group, start_time_secs=neutral.START + i * 100))
        for step in range(steps):
            tf.summary.scalar("score", units / 64 + step, step=step)
        if status is not None:
            write(summary.session_end_pb(status, end_time_secs=neutral.START + i * 100 + 50))
    writer.close()
    if steps:
        curve(f"{place}/train", "loss", steps, rate)
        curve(f"{place}/validation", "accuracy", steps, units / 70)


writer = tf.summary.create_file_writer(str(root))
with writer.as_default():
    write(hp.hparams_config_pb([UNITS, RATE, OPTIMIZER, NORM, FREE], METRICS, time_created_secs=neutral.START))
writer.close()
for i in range(len(SESSIONS)):
    session(i)
