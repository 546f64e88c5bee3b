"""Logs by Keras' `TensorBoard` callback: train and validation runs, histograms, the model's graph."""

# ruff: isort: off
import neutral

import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", KERAS_BACKEND="tensorflow")

import keras
import numpy as np

root = neutral.folder("keras")
keras.utils.set_random_seed(23)
numbers = np.random.default_rng(23)
x = numbers.random((64, 4), dtype=np.float32)
y = (x.sum(axis=1) > 2).astype("float32")


def model() -> keras.Model:
    net = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="relu"), keras.layers.Dense(1)])
    net.compile("adam", "mse", metrics=["mae"])
    return net


def fit(run: str, epochs: int, **options: object) -> None:
    net = model()
    board = keras.callbacks.TensorBoard(str(root / run), **options)
    data = {"validation_data": (x[:16], y[:16]), "batch_size": 8, "verbose": 0}
    net.fit(x, y, epochs=epochs, callbacks=[board], **data)
    net.evaluate(x, y, verbose=0, callbacks=[board])


fit("epochs", 12, write_graph=False)
fit("batches", 3, write_graph=False, update_freq="batch", write_steps_per_second=True)
fit("everything", 2, write_graph=True, histogram_freq=1, write_images=True)
