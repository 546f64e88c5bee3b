"""What the document about plain TensorBoard says that there is besides scalars (E4): images, audio and more."""

import tensorflow as tf

summary_writer = tf.summary.create_file_writer("./tensorboard")

with summary_writer.as_default():
    tf.summary.image("image", tf.random.uniform([1, 16, 16, 3]), step=0)
    tf.summary.audio("audio", tf.random.uniform([1, 800, 1]), sample_rate=8000, step=0)
    tf.summary.text("text", "some *text*", step=0)
    tf.summary.histogram("histogram", tf.random.normal([100]), step=0)
