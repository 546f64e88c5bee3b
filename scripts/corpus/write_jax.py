"""Logs of JAX programs: `clu.metric_writers` and flax's `SummaryWriter` (both write through TensorFlow)."""

# ruff: isort: off
import neutral

import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", JAX_PLATFORMS="cpu", CUDA_VISIBLE_DEVICES="")

import jax
import jax.numpy as jnp
import numpy as np
from clu import metric_writers
from flax.metrics import tensorboard as flax_tensorboard

root = neutral.folder("jax")
x = jax.random.uniform(jax.random.key(26), (64, 4))
y = x.sum(axis=1)


@jax.jit
def step(w: jax.Array) -> tuple[jax.Array, jax.Array]:
    value, slope = jax.value_and_grad(lambda v: jnp.mean((x @ v - y) ** 2))(w)
    return w - 0.1 * slope, value


def clu_run() -> None:
    writer = metric_writers.SummaryWriter(str(root / "clu"))
    w = jnp.zeros(4)
    for i in range(60):
        w, value = step(w)
        writer.write_scalars(i, {"loss": value, "norm": jnp.linalg.norm(w), "step time": 0.25})
        if i % 20 == 0:
            writer.write_histograms(i, {"w": np.asarray(w)})
            writer.write_texts(i, {"note": f"step {i}"})
            writer.write_images(i, {"data": np.asarray(x[None, :4, :, None])})
    writer.write_hparams({"lr": 0.1, "name": "line"})
    writer.flush()
    writer.close()


def flax_run() -> None:
    writer = flax_tensorboard.SummaryWriter(str(root / "flax"))
    w = jnp.zeros(4)
    for i in range(60):
        w, value = step(w)
        writer.scalar("loss", value, i)
        writer.scalar("bf16", value.astype(jnp.bfloat16), i)
    writer.histogram("w", np.asarray(w), 59)
    writer.text("note", "**done**", 59)
    writer.hparams({"lr": 0.1})
    writer.close()


clu_run()
flax_run()
