"""Keras' `TensorBoard` callback with histograms, images and embeddings, beside the hparams callback."""

# ruff: isort: off
import neutral

import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", KERAS_BACKEND="tensorflow")

import keras
import numpy as np
from tensorboard.plugins.hparams import api as hp

root = neutral.folder("keras_kinds")
keras.utils.set_random_seed(35)
numbers = np.random.default_rng(35)
x = numbers.integers(0, 20, (48, 6))
y = (x.sum(axis=1) > 57).astype("float32")


def fit(name: str, params: dict[str, object]) -> None:
    net = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Embedding(20, 8, name="embedding"),
            keras.layers.Reshape((6, 8, 1)),
            keras.layers.Conv2D(3, 3, activation="relu"),
            keras.layers.Flatten(),
            keras.layers.Dense(params["units"], activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    net.compile(params["optimizer"], "binary_crossentropy", metrics=["accuracy"])
    board = keras.callbacks.TensorBoard(
        name, histogram_freq=1, write_images=True, write_graph=False, embeddings_freq=1, embeddings_metadata="names.tsv"
    )
    data = {"validation_data": (x[:16], y[:16]), "batch_size": 16, "verbose": 0}
    net.fit(x, y, epochs=3, callbacks=[board, hp.KerasCallback(name, params, trial_id=name)], **data)
    (root / name / "names.tsv").write_text("".join(f"word {i}\n" for i in range(20)))


fit("adam", {"units": 4, "optimizer": "adam", "quick": True})
fit("sgd", {"units": 8, "optimizer": "sgd", "quick": False})
