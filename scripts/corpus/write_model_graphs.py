"""Writes the graphs of ten models that people know, each by its framework, to look at: a logdir with a run for each.

    python scripts/corpus/write_model_graphs.py LOGDIR [NAME ...]

Needs tensorflow-cpu, keras and torch, as in tests/frameworks/requirements.txt, and jax for `jax`: run it again with the
Python of another environment for what one lacks. Models are small; only their graphs matter. `onnx` has the file of
tests/data/graphs that torch has exported.
"""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "src"))
from lightboard.testing.event_files import version_record  # noqa: E402


def write_keras(model: Any, folder: Path) -> None:
    """The conceptual graph and the graph of the function, as the callback writes them."""
    import keras

    callback = keras.callbacks.TensorBoard(str(folder), write_graph=True)
    callback.set_model(model)
    callback.on_train_end()


def write_torch(model: Any, folder: Path, *inputs: Any) -> None:
    """The graph that torch traces."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(folder)) as writer:
        writer.add_graph(model.eval(), inputs)


def begin_run(folder: Path) -> None:
    """An event file, which makes a folder a run."""
    (folder / "events.out.tfevents.1750000000.host").write_bytes(version_record())


def cnn(folder: Path) -> None:
    """Two convolutions and a classifier, in Keras."""
    from keras import Sequential, layers

    write_keras(
        Sequential(
            [
                layers.Input((28, 28, 1)),
                layers.Conv2D(32, 3, activation="relu"),
                layers.MaxPooling2D(),
                layers.Conv2D(64, 3, activation="relu"),
                layers.MaxPooling2D(),
                layers.Flatten(),
                layers.Dropout(0.5),
                layers.Dense(10, activation="softmax"),
            ],
            name="cnn",
        ),
        folder,
    )


def resnet(folder: Path) -> None:
    """Four stages of residual blocks, in torch."""
    import torch
    from torch_resnet import ResNet

    write_torch(ResNet(64, 1000), folder, torch.zeros(1, 3, 64, 64))


def transformer(folder: Path) -> None:
    """48 layers of attention, in torch."""
    import torch
    from torch import nn

    class Layer(nn.Module):
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            batch, length, width = x.shape
            q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
            weights = torch.softmax(q @ k.transpose(-2, -1) / (width // self.heads) ** 0.5, dim=-1)
            x = x + self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))
            return x + self.mlp(self.norm2(x))

    class Transformer(nn.Module):
        def __init__(self, width: int = 32) -> None:
            super().__init__()
            self.tokens, self.positions = nn.Embedding(100, width), nn.Embedding(16, width)
            self.layers = nn.ModuleList(Layer(width, 4) for _ in range(48))
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 100)

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
            for layer in self.layers:
                x = layer(x)
            return self.head(self.norm(x))

    write_torch(Transformer(), folder, torch.zeros(1, 8, dtype=torch.int64))


def lstm(folder: Path) -> None:
    """Two LSTM layers over an embedding, in Keras."""
    from keras import Sequential, layers

    write_keras(
        Sequential(
            [
                layers.Input((32,)),
                layers.Embedding(1000, 64),
                layers.Bidirectional(layers.LSTM(64, return_sequences=True)),
                layers.LSTM(32),
                layers.Dense(1, activation="sigmoid"),
            ],
            name="sentiment",
        ),
        folder,
    )


def unet(folder: Path) -> None:
    """Down and up again, with connections across, in torch."""
    import torch
    from torch import nn

    def double(before: int, width: int) -> nn.Sequential:
        return nn.Sequential(nn.Conv2d(before, width, 3, 1, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 1, 1), nn.ReLU())

    class UNet(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.down1, self.down2, self.down3 = double(3, 16), double(16, 32), double(32, 64)
            self.pool, self.middle = nn.MaxPool2d(2), double(64, 128)
            self.grow3, self.up3 = nn.ConvTranspose2d(128, 64, 2, 2), double(128, 64)
            self.grow2, self.up2 = nn.ConvTranspose2d(64, 32, 2, 2), double(64, 32)
            self.grow1, self.up1 = nn.ConvTranspose2d(32, 16, 2, 2), double(32, 16)
            self.out = nn.Conv2d(16, 2, 1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            a = self.down1(x)
            b = self.down2(self.pool(a))
            c = self.down3(self.pool(b))
            x = self.up3(torch.cat([self.grow3(self.middle(self.pool(c))), c], 1))
            x = self.up2(torch.cat([self.grow2(x), b], 1))
            return self.out(self.up1(torch.cat([self.grow1(x), a], 1)))

    write_torch(UNet(), folder, torch.zeros(1, 3, 64, 64))


def gan(folder: Path) -> None:
    """Generator and discriminator in one model, in Keras."""
    from keras import Input, Model, Sequential, layers

    generator = Sequential(
        [
            layers.Input((64,)),
            layers.Dense(7 * 7 * 64, use_bias=False),
            layers.BatchNormalization(),
            layers.LeakyReLU(),
            layers.Reshape((7, 7, 64)),
            layers.Conv2DTranspose(32, 5, strides=2, padding="same"),
            layers.LeakyReLU(),
            layers.Conv2DTranspose(1, 5, strides=2, padding="same", activation="tanh"),
        ],
        name="generator",
    )
    discriminator = Sequential(
        [
            layers.Input((28, 28, 1)),
            layers.Conv2D(32, 5, strides=2, padding="same"),
            layers.LeakyReLU(),
            layers.Dropout(0.3),
            layers.Flatten(),
            layers.Dense(1),
        ],
        name="discriminator",
    )
    noise = Input((64,), name="noise")
    write_keras(Model(noise, discriminator(generator(noise)), name="gan"), folder)


def keras_shared(folder: Path) -> None:
    """A functional model of two texts that share their layers."""
    from keras import Input, Model, layers

    embedding, encoder = layers.Embedding(5000, 64, name="words"), layers.LSTM(64, name="encoder")
    question, answer = Input((None,), name="question"), Input((None,), name="answer")
    both = layers.Concatenate(name="both")([encoder(embedding(question)), encoder(embedding(answer))])
    hidden = layers.Dense(64, activation="relu", name="hidden")(both)
    score, topic = layers.Dense(1, name="score")(hidden), layers.Dense(5, name="topic")(hidden)
    write_keras(Model([question, answer], [score, topic], name="matching"), folder)


def jax(folder: Path) -> None:
    """A training step of a network with named scopes: StableHLO, and the HLO before and after it was compiled."""
    import jax
    import jax.numpy as jnp

    def loss(layers: list[dict[str, Any]], x: Any, y: Any) -> Any:
        for number, layer in enumerate(layers):
            with jax.named_scope(f"block_{number}"):
                x = jax.nn.gelu(x @ layer["w"] + layer["b"])
        with jax.named_scope("loss"):
            return jnp.mean((x - y) ** 2)

    def step(layers: list[dict[str, Any]], x: Any, y: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(layers, x, y)
        with jax.named_scope("optimizer"):
            return value, jax.tree.map(lambda weight, grad: weight - 0.1 * grad, layers, grads)

    layers = [{"w": jnp.ones((16, 16)), "b": jnp.ones(16)} for _ in range(4)]
    lowered = jax.jit(step).lower(layers, jnp.ones((8, 16)), jnp.ones((8, 16)))
    (folder / "step.mlir").write_text(lowered.as_text(debug_info=True))
    (folder / "step.before_optimizations.hlo").write_text(lowered.as_text("hlo"))
    (folder / "step.hlo").write_text(lowered.compile().as_text())
    begin_run(folder)


def onnx(folder: Path) -> None:
    """What torch has exported."""
    shutil.copy(ROOT / "tests" / "data" / "graphs" / "torch_exported.onnx", folder / "encoder.onnx")
    begin_run(folder)


def tf1(folder: Path) -> None:
    """Name scopes, variables and an optimizer, as programs of TensorFlow 1 have them."""
    import tensorflow.compat.v1 as tf

    with tf.Graph().as_default() as graph:
        x, y = tf.placeholder(tf.float32, (None, 784), "x"), tf.placeholder(tf.int64, (None,), "y")
        hidden = x
        for number, width in enumerate((300, 100), 1):
            with tf.variable_scope(f"hidden{number}"):
                w = tf.get_variable("weights", (hidden.shape[1], width))
                b = tf.get_variable("biases", (width,), initializer=tf.zeros_initializer())
                hidden = tf.nn.relu(tf.matmul(hidden, w) + b)
        with tf.variable_scope("softmax"):
            w = tf.get_variable("weights", (hidden.shape[1], 10))
            logits = tf.matmul(hidden, w)
        with tf.name_scope("loss"):
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        with tf.name_scope("accuracy"):
            tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))
        with tf.name_scope("train"):
            tf.train.AdamOptimizer().minimize(loss)
        tf.summary.FileWriter(str(folder), graph).close()


MODELS: tuple[Callable[[Path], None], ...] = (
    cnn, resnet, transformer, lstm, unet, gan, keras_shared, jax, onnx, tf1,
)  # fmt: skip


def main() -> None:
    """Write the models that are named, otherwise those whose framework is there."""
    logdir, names = Path(sys.argv[1]), sys.argv[2:]
    for write in MODELS:
        if names and write.__name__ not in names:
            continue
        folder = logdir / write.__name__
        folder.mkdir(parents=True, exist_ok=True)
        try:
            write(folder)
        except ImportError as error:
            folder.rmdir()
            print(f"{write.__name__}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
