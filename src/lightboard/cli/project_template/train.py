"""Trains a classifier of Fashion-MNIST with Keras, and logs its curves and a confusion matrix after each epoch."""

import io
from datetime import datetime

import keras
import numpy as np
import tensorflow as tf
from matplotlib import pyplot
from sklearn.metrics import confusion_matrix

CLASSES = ("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot")
EPOCHS = 25
LOGS = f"results/@SLUG@/{datetime.now():%Y%m%d-%H%M%S}"


def build_model() -> keras.Model:
    """One hidden layer, and a probability for each class."""
    layers = [
        keras.Input((28, 28)),
        keras.layers.Flatten(),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(len(CLASSES), activation="softmax"),
    ]
    model = keras.Sequential(layers)
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def draw_matrix(counts: np.ndarray) -> pyplot.Figure:
    """A picture of how often images of a class (rows) are taken for each class (columns), as shares of the row."""
    shares = np.round(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), 2)
    figure, axes = pyplot.subplots(figsize=(8, 8))
    figure.colorbar(axes.imshow(shares, cmap="Blues"))
    axes.set(title="Confusion matrix", xlabel="Predicted label", ylabel="True label")
    axes.set_xticks(range(len(CLASSES)), CLASSES, rotation=45, ha="right")
    axes.set_yticks(range(len(CLASSES)), CLASSES)
    for (row, column), share in np.ndenumerate(shares):
        color = "white" if share > shares.max() / 2 else "black"
        axes.text(column, row, share, ha="center", va="center", color=color)
    figure.tight_layout()
    return figure


def image_of(figure: pyplot.Figure) -> np.ndarray:
    """The figure as a batch of one RGBA image. It is closed."""
    png = io.BytesIO()
    figure.savefig(png, format="png")
    pyplot.close(figure)
    return tf.image.decode_png(png.getvalue(), channels=4)[None]


class MatrixLogger(keras.callbacks.Callback):
    """Logs the confusion matrix of the validation images after each epoch."""

    def __init__(self, images: np.ndarray, labels: np.ndarray) -> None:
        super().__init__()
        self.images, self.labels = images, labels
        self.writer = tf.summary.create_file_writer(f"{LOGS}/cm")

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Draw and write one."""
        predicted = self.model.predict(self.images, verbose=0).argmax(axis=1)
        counts = confusion_matrix(self.labels, predicted, labels=range(len(CLASSES)))
        with self.writer.as_default():
            tf.summary.image("Confusion Matrix", image_of(draw_matrix(counts)), step=epoch)
        print(f"epoch {epoch + 1} of {EPOCHS}: validation accuracy {(logs or {})['val_accuracy']:.3f}", flush=True)


def main() -> None:
    """Train, and log below `results`."""
    (images, labels), validation = keras.datasets.fashion_mnist.load_data()
    callbacks = [keras.callbacks.TensorBoard(LOGS), MatrixLogger(*validation)]
    build_model().fit(images, labels, epochs=EPOCHS, verbose=0, callbacks=callbacks, validation_data=validation)


if __name__ == "__main__":
    main()
