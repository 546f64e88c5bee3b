"""The trace as printed (E-T1): its folder is given only at the end, where TensorFlow ignores it and then fails."""

import contextlib

import tensorflow as tf

num_batches = 3
log_dir = "./tensorboard"


@tf.function
def train(weights, images):
    return tf.reduce_mean(tf.square(tf.matmul(images, weights)))


# (1)
summary_writer = tf.summary.create_file_writer("./tensorboard")

# (2)
tf.summary.trace_on(graph=True, profiler=True)

# (3)
for batch_index in range(num_batches):
    # (4)
    loss = train(tf.ones([4, 2]), tf.fill([8, 4], 1.0 / (1 + batch_index)))
    my_scalar = batch_index

    # (5)
    with summary_writer.as_default():
        tf.summary.scalar("loss", loss, step=batch_index)
        tf.summary.scalar("MyScalar", my_scalar, step=batch_index)

# (6)
with summary_writer.as_default(), contextlib.suppress(tf.errors.UnavailableError):
    tf.summary.trace_export(name="model_trace", step=0, profiler_outdir=log_dir)
tf.summary.trace_off()  # as the end of the process does
