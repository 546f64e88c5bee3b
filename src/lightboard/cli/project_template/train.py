"""Trains a classifier of images of ten classes, and logs its metrics and a confusion matrix after each epoch.

It needs NumPy, tensorboardX and Pillow. The images are those of Fashion-MNIST if the job has the folder of its four
files as the input `data`, and otherwise ten noisy patterns.
"""

import gzip
import os
from datetime import datetime
from pathlib import Path

try:
    import numpy as np
    import PIL  # noqa: F401  # tensorboardX loads it late
    from tensorboardX import SummaryWriter
    from tensorboardX.summary import image as image_summary
except ModuleNotFoundError as error:
    raise SystemExit(
        f"train.py needs NumPy, tensorboardX and Pillow, but the Python of this job has no {error.name}. "
        "`make train IMAGE=NAME` uses another environment of the hub."
    ) from None

CLASS_NAMES = [
    "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
]  # fmt: skip
EPOCHS, BATCH, HIDDEN = 25, 64, 32
RATE, BETA1, BETA2, EPSILON = 0.001, 0.9, 0.999, 1e-7
CELL = 24
"""Pixels of a cell of the confusion matrix."""

Data = tuple[np.ndarray, np.ndarray]
random = np.random.default_rng(0)


def load_data() -> tuple[Data, Data]:
    """Images as rows of 784 numbers from 0 to 1, and their classes, for training and validation."""
    folder = os.environ.get("PAI_INPUT_DATA")
    return (read_part(folder, "train"), read_part(folder, "t10k")) if folder else (patterns(1000), patterns(300))


def read_part(folder: str, part: str) -> Data:
    """A part of Fashion-MNIST as it is published."""
    images = gzip.decompress(Path(folder, f"{part}-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress(Path(folder, f"{part}-labels-idx1-ubyte.gz").read_bytes())
    return np.frombuffer(images, np.uint8, offset=16).reshape(-1, 784) / 255.0, np.frombuffer(
        labels, np.uint8, offset=8
    )


def patterns(count: int) -> Data:
    """A pattern for each class, with noise."""
    labels = random.integers(0, len(CLASS_NAMES), count)
    clean = np.random.default_rng(1).random((len(CLASS_NAMES), 784))
    return np.clip(clean[labels] + random.normal(0, 2, (count, 784)), 0, 1), labels


class Classifier:
    """784 inputs, 32 units with ReLU, softmax over the classes; trained by Adam on the cross-entropy."""

    def __init__(self) -> None:
        self.weights = [
            random.normal(0, 784**-0.5, (784, HIDDEN)), np.zeros(HIDDEN),
            random.normal(0, HIDDEN**-0.5, (HIDDEN, len(CLASS_NAMES))), np.zeros(len(CLASS_NAMES)),
        ]  # fmt: skip
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.steps = 0

    def forward(self, images: np.ndarray) -> Data:
        """The hidden units, and the probabilities of the classes."""
        hidden = np.maximum(images @ self.weights[0] + self.weights[1], 0)
        scores = hidden @ self.weights[2] + self.weights[3]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, powers / powers.sum(axis=1, keepdims=True)

    def step(self, images: np.ndarray, labels: np.ndarray) -> None:
        """Learn from one batch."""
        hidden, miss = self.forward(images)
        miss[np.arange(len(labels)), labels] -= 1
        miss /= len(labels)
        back = (miss @ self.weights[2].T) * (hidden > 0)
        self.steps += 1
        for index, gradient in enumerate((images.T @ back, back.sum(0), hidden.T @ miss, miss.sum(0))):
            self.means[index] += (1 - BETA1) * (gradient - self.means[index])
            self.squares[index] += (1 - BETA2) * (gradient**2 - self.squares[index])
            mean = self.means[index] / (1 - BETA1**self.steps)
            square = self.squares[index] / (1 - BETA2**self.steps)
            self.weights[index] -= RATE * mean / (np.sqrt(square) + EPSILON)


def metrics(model: Classifier, images: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """The loss and the accuracy, under the names that Keras gives them."""
    _, probabilities = model.forward(images)
    likely = probabilities[np.arange(len(labels)), labels]
    return {
        "epoch_loss": float(-np.log(likely + EPSILON).mean()),
        "epoch_accuracy": float((probabilities.argmax(axis=1) == labels).mean()),
    }


def confusion_matrix(model: Classifier, images: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """How often each class (rows) was taken for each class (columns), as a part of the row, rounded to two places."""
    counts = np.zeros((len(CLASS_NAMES), len(CLASS_NAMES)))
    np.add.at(counts, (labels, model.forward(images)[1].argmax(axis=1)), 1)
    parts: np.ndarray = np.around(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), decimals=2)
    return parts


def draw(matrix: np.ndarray) -> np.ndarray:
    """A picture of the matrix with four channels: white is 0, dark blue is 1."""
    white, blue = np.array([247, 251, 255, 255]), np.array([8, 48, 107, 255])
    cells: np.ndarray = (white + matrix[..., np.newaxis] * (blue - white)).astype(np.uint8)
    return cells.repeat(CELL, axis=0).repeat(CELL, axis=1)


def main() -> None:
    """Train, and log to the folder that the hub shows; elsewhere to results."""
    (images, labels), validation = load_data()
    logdir = Path(os.environ.get("LIGHTBOARD_LOG_DIR", "results/@SLUG@"), datetime.now().strftime("%Y%m%d-%H%M%S"))
    writers = {name: SummaryWriter(str(logdir / name)) for name in ("train", "validation", "cm")}
    model = Classifier()
    for epoch in range(EPOCHS):
        for batch in np.array_split(random.permutation(len(labels)), max(1, len(labels) // BATCH)):
            model.step(images[batch], labels[batch])
        results = {"train": metrics(model, images, labels), "validation": metrics(model, *validation)}
        for name, values in results.items():
            for tag, value in values.items():
                writers[name].add_scalar(tag, value, epoch)
        picture = image_summary("Confusion Matrix", draw(confusion_matrix(model, *validation)), dataformats="HWC")
        picture.value[0].tag = "Confusion Matrix"  # tensorboardX replaces spaces
        writers["cm"].file_writer.add_summary(picture, epoch)
        for writer in writers.values():
            writer.flush()
        print(f"epoch {epoch + 1} of {EPOCHS}: validation accuracy {results['validation']['epoch_accuracy']:.3f}")
    for writer in writers.values():
        writer.close()


if __name__ == "__main__":
    main()
