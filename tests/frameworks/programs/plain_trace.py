"""The same with a trace of graph and profile (E8): `log_dir` is the folder of the records (E-T2).

TensorFlow wants it when the trace begins (E-T1); given only at the end, as printed, it records no profile.
"""

import tensorflow as tf

num_batches = 3
log_dir = "./tensorboard"


@tf.function
def train(weights, images):
    return tf.reduce_mean(tf.square(tf.matmul(images, weights)))


# (1)
summary_writer = tf.summary.create_file_writer("./tensorboard")

# (2)
tf.summary.trace_on(graph=True, profiler=True, profiler_outdir=log_dir)

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
with summary_writer.as_default():
    tf.summary.trace_export(name="model_trace", step=0, profiler_outdir=log_dir)
