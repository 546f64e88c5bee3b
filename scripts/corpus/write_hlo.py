"""Writes tests/data/graphs/jax_step.hlo and jax_step.hlo.pb: a compiled program, as text and as message.

    python scripts/corpus/write_hlo.py tests/data/graphs

Needs jax.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

DUMP = Path(tempfile.mkdtemp(prefix="write-hlo-"))
os.environ["XLA_FLAGS"] = f"--xla_dump_to={DUMP} --xla_dump_hlo_as_text --xla_dump_hlo_as_proto"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

sys.dont_write_bytecode = True


def loss(layers, x):
    for number, layer in enumerate(layers):
        with jax.named_scope(f"block_{number}"), jax.named_scope("layer"):
            x = jnp.tanh(x @ layer["w"] + layer["b"])
    with jax.named_scope("conv"):
        image = x.reshape(1, 1, 2, 4)
        x = x + jax.lax.conv(image, jnp.ones((1, 1, 3, 3)), (1, 1), "SAME")[0, 0]
    x = jax.lax.cond(x.sum() > 0, lambda y: y * 2, lambda y: jnp.sort(y), x)
    return jax.lax.fori_loop(0, 3, lambda _, y: y * 0.5, x).sum()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    layers = [{"w": jnp.ones((4, 4)), "b": jnp.ones(4)} for _ in range(2)]
    jax.jit(jax.grad(loss)).lower(layers, jnp.ones((2, 4))).compile()
    here = str(Path(__file__).resolve().parent).encode()
    for end, name in (("txt", "jax_step.hlo"), ("hlo.pb", "jax_step.hlo.pb")):
        (path,) = DUMP.glob(f"*jit_loss*after_optimizations.{end}")
        neutral = b"/" + b"s" * (len(here) - 1)  # paths are those of one machine; lengths are in the message
        (folder / name).write_bytes(path.read_bytes().replace(here, neutral))
    shutil.rmtree(DUMP)
