"""Writes tests/data/graphs/jax_step.mlir: StableHLO with locations, of the gradient of two layers and a loop.

    python scripts/corpus/write_stablehlo.py tests/data/graphs

Needs jax.
"""

import re
import sys
from pathlib import Path

import jax
import jax.numpy as jnp


def loss(layers, x):
    for number, layer in enumerate(layers):
        with jax.named_scope(f"block_{number}"), jax.named_scope("layer"):
            x = jnp.tanh(x @ layer["w"] + layer["b"])
    return jax.lax.fori_loop(0, 3, lambda _, y: y * 0.5, x).sum()


if __name__ == "__main__":
    layers = [{"w": jnp.ones((4, 4)), "b": jnp.ones(4)} for _ in range(2)]
    text = jax.jit(jax.grad(loss)).lower(layers, jnp.ones((2, 4))).as_text(debug_info=True)
    text = re.sub(r'loc\("/[^"]*/([^"/]*)"', r'loc("/src/\1"', text)  # paths are those of one machine
    (Path(sys.argv[1]) / "jax_step.mlir").write_text(text)
