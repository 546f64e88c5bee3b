"""The frame of the document about plain TensorBoard (E1, E2), with what it leaves open: the training."""

import tensorflow as tf

num_batches = 10

# (1)
summary_writer = tf.summary.create_file_writer("./tensorboard")

# (2)
for batch_index in range(num_batches):
    loss = tf.constant(1.0 / (1 + batch_index))
    my_scalar = 2 * batch_index

    # (3)
    with summary_writer.as_default():
        tf.summary.scalar("loss", loss, step=batch_index)
        tf.summary.scalar("MyScalar", my_scalar, step=batch_index)
