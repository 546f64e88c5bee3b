"""Logs by `tf.summary` (TensorFlow 2): float32 scalars, and one of each other kind."""

# ruff: isort: off
import neutral

import math
import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

import numpy as np
import tensorflow as tf
from tensorboard.plugins.hparams import api as hp

root = neutral.folder("tensorflow")
tf.random.set_seed(22)
numbers = np.random.default_rng(22)


def loss(step: int) -> float:
    return 2.5 * math.exp(-step / 25) + 0.1 * float(numbers.standard_normal())


def scalars(run: str, steps: range) -> None:
    writer = tf.summary.create_file_writer(str(root / run))
    with writer.as_default():
        for step in steps:
            tf.summary.scalar("loss", loss(step), step=step)
            tf.summary.scalar("accuracy", 1 - loss(step), step=step, description="share of *right* answers")
            with tf.name_scope("optimizer"):
                tf.summary.scalar("lr", tf.constant(0.1 / (1 + step), tf.float64), step=step)
                tf.summary.scalar("count", tf.constant(step * 3, tf.int64), step=step)
        for step, value in enumerate([math.nan, math.inf, -math.inf, -0.0]):
            tf.summary.scalar("not finite", value, step=step)
    writer.close()


@tf.function
def traced(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(x * 2.0)


def everything() -> None:
    writer = tf.summary.create_file_writer(str(root / "everything"), filename_suffix=".custom.v2")
    with writer.as_default(step=3):
        tf.summary.scalar("loss", 0.5)
        tf.summary.histogram("weights", numbers.standard_normal(200), buckets=8)
        tf.summary.image("image", numbers.random((2, 8, 8, 3)))
        tf.summary.audio("audio", numbers.random((1, 200, 1), dtype=np.float32) - 0.5, sample_rate=8000)
        tf.summary.text("text", ["**bold**", "plain"])
        tf.summary.write("bare", tf.constant([1.5, 2.5]))
        tf.summary.write("bare scalar", tf.constant(0.25))
        hp.hparams({"lr": 0.1, "opt": "sgd"}, trial_id="trial")
        hp.hparams_config([hp.HParam("lr", hp.RealInterval(0.01, 0.1))], [hp.Metric("loss")])
        tf.summary.trace_on(graph=True)
        traced(tf.constant([1.0, 2.0]))
        tf.summary.trace_export("trace")
    writer.close()


def exact_numbers() -> None:
    """Tensor summaries of every numeric type through the C++ writer, which stores them its own way."""
    kinds = (tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.bool)
    whole = (tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64)
    writer = tf.summary.create_file_writer(str(root / "types"))
    metadata = tf.compat.v1.SummaryMetadata()
    metadata.plugin_data.plugin_name = "scalars"
    with writer.as_default():
        for dtype in kinds + whole:
            for step, value in enumerate([0, 1, 0.1, 100, dtype.max if dtype.is_integer else 1.5]):
                number = (
                    tf.cast(tf.constant(value, tf.float64), dtype)
                    if step < 4
                    else tf.constant(value, dtype)
                    if dtype != tf.bool
                    else tf.constant(True)
                )
                tf.summary.write(dtype.name, number, step=step, metadata=metadata)
    writer.close()


scalars("train", range(0, 120, 2))
scalars("eval", range(0, 120, 20))
exact_numbers()
everything()
