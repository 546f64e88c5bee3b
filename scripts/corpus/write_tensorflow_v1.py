"""TensorFlow 1's way: summary operations in a graph, and the `FileWriter` (`tf.compat.v1`, tensorboard's `*.op`)."""

# ruff: isort: off
import neutral

import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

import numpy as np
import tensorflow.compat.v1 as tf
from tensorboard.summary import v1 as tb_summary
from tensorboard.plugins.mesh import summary as mesh
from tensorboard.plugins.pr_curve import summary as pr_curve

root = neutral.folder("tensorflow_v1")
tf.disable_eager_execution()
numbers = np.random.default_rng(33)
step = tf.placeholder(tf.float32, [])
noise = tf.placeholder(tf.float32, [60])
labels = tf.placeholder(tf.bool, [60])
ramp = tf.reshape(tf.linspace(0.0, 1.0, 12 * 16), [1, 12, 16, 1])
pictures = tf.concat([ramp * (0.25 + step / 8), 1 - ramp], axis=0)
waves = tf.sin(tf.reshape(tf.range(400.0), [2, 200, 1]) / (9 + step))
cloud = tf.reshape(noise, [1, 20, 3])


def written() -> dict[str, list[tf.Tensor]]:
    """The operations of each run."""
    return {
        "core": [
            tf.summary.scalar("scalar", step / 3),
            tf.summary.histogram("histogram", noise + step),
            tf.summary.histogram("constant", tf.fill([5], 2.0)),
            tf.summary.image("image", pictures, max_outputs=2),
            tf.summary.image("one", pictures, max_outputs=1),
            tf.summary.audio("audio", waves, 8000.0, max_outputs=2),
            tf.summary.text("text", tf.strings.format("step **{}**", step)),
            tf.summary.text("table", tf.constant([["a", "b"], ["c", "d"]])),
            tf.summary.tensor_summary("tensor", noise),
        ],
        "plugins": [
            tb_summary.scalar("scalar", step / 3, display_name="A name", description="a *number*"),
            tb_summary.histogram("histogram", noise + step, bucket_count=6),
            tb_summary.image("image", tf.cast(pictures * 255, tf.uint8), max_outputs=2, description="two"),
            tb_summary.audio("audio", waves, 8000, labels=tf.constant(["one", "**two**"])),
            tb_summary.text("text", tf.constant(["a", "*b*"])),
            pr_curve.op("pr", labels, tf.clip_by_value(noise, 0.0, 1.0), num_thresholds=9),
            mesh.op("cloud", cloud, colors=tf.cast(cloud * 20 + 100, tf.uint8)),
        ],
    }


with tf.Session() as session:
    for name, operations in written().items():
        writer = tf.summary.FileWriter(str(root / name))
        merged = tf.summary.merge(operations)
        for i in range(4):
            fed = {step: i, noise: numbers.standard_normal(60), labels: numbers.integers(0, 2, 60) > 0}
            writer.add_summary(session.run(merged, fed), i)
        writer.close()
