"""A capture of TensorFlow by `lightboard.profiling`."""

import tensorflow as tf

from lightboard import profiling


@tf.function
def train(weights, images):
    return tf.reduce_mean(tf.square(tf.matmul(images, weights)))


with profiling.capture("tensorboard/steps", framework="tensorflow") as capture:
    for number in range(10, 13):
        with capture.step(number):
            train(tf.ones([4, 2]), tf.ones([8, 4]))
