"""Writes the captures of tests/data/profiles, each by the profiler of its framework.

    cp scripts/corpus/write_profiles.py /srv
    python /srv/write_profiles.py torch|torch_ranks|tensorflow|keras|jax|jax_unmarked /srv/profiles

Needs torch==2.13.0, tensorflow-cpu==2.21.0 or jax==0.10.2. Each writes a folder of its name, to be moved to
tests/data/profiles with neutral names: an xplane has the paths of the script and of the folder. Times differ at each
writing, so run `record_profiles.py` afterwards.
"""

import gzip
import os
import re
import shutil
import socket
import sys
import sysconfig
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", JAX_PLATFORMS="cpu", CUDA_VISIBLE_DEVICES="", OMP_NUM_THREADS="1")
warnings.filterwarnings("ignore")

HOST = "trainer"
"""The name of the machine in captures."""

WORLD = 2
"""Ranks of the distributed capture."""


def write_torch(folder: Path) -> None:
    """Three steps of a small network, with all that the profiler of PyTorch can record."""
    import torch
    from torch.profiler import profile, schedule, tensorboard_trace_handler

    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options: dict[str, bool] = dict.fromkeys(
        ("record_shapes", "with_stack", "profile_memory", "with_modules", "with_flops"), True
    )
    handler = tensorboard_trace_handler(str(folder), worker_name=HOST, use_gzip=True)
    with profile(schedule=schedule(wait=1, warmup=1, active=3), on_trace_ready=handler, **options) as profiler:
        for _ in range(5):
            with torch.profiler.record_function("forward"):
                loss = model(torch.ones(8, 16)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            profiler.step()


def write_torch_ranks(folder: Path) -> None:
    """Two ranks that average their gradients by gloo; the second computes more."""
    import torch

    torch.multiprocessing.spawn(train_rank, args=(str(folder),), nprocs=WORLD)


def train_rank(rank: int, folder: str) -> None:
    """The program of one rank."""
    import torch
    from torch import distributed
    from torch.profiler import profile, schedule, tensorboard_trace_handler

    meeting = f"file://{folder}/meeting"
    distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=WORLD)
    weights, x = torch.ones(64, 64), torch.ones(64, 64)
    handler = tensorboard_trace_handler(folder, worker_name=f"{HOST}_rank{rank}")
    with profile(schedule=schedule(wait=1, warmup=1, active=3), on_trace_ready=handler) as profiler:
        for _ in range(5):
            for _ in range(1 + rank):
                y = x @ weights
            distributed.all_reduce(y)
            profiler.step()
    distributed.destroy_process_group()
    if rank == 0:
        Path(folder, "meeting").unlink(missing_ok=True)


def write_tensorflow(folder: Path) -> None:
    """Three steps that are named as such, one of which traces the function again."""
    import tensorflow as tf

    kernel = tf.Variable(tf.ones((8, 4)))

    @tf.function
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape, tf.name_scope("dense"):
            loss = tf.reduce_mean(tf.nn.relu(tf.matmul(x, kernel)))
        kernel.assign_sub(0.1 * tape.gradient(loss, kernel))
        return loss

    step(tf.ones((4, 8)))
    tf.profiler.experimental.start(str(folder))
    for number, rows in enumerate((4, 4, 6)):
        with tf.profiler.experimental.Trace("train", step_num=number, _r=1):
            step(tf.ones((rows, 8)))
    tf.profiler.experimental.stop()


def write_keras(folder: Path) -> None:
    """The batches two to four of an epoch of five, by the callback."""
    import keras
    import numpy as np

    keras.utils.set_random_seed(0)
    model = keras.Sequential(
        [keras.layers.Input((4,)), keras.layers.Dense(3, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(loss="mse", optimizer="sgd")
    callback = keras.callbacks.TensorBoard(str(folder), profile_batch=(2, 4), write_graph=False)
    model.fit(np.ones((20, 4)), np.ones((20, 1)), batch_size=4, verbose=0, callbacks=[callback])
    for each in folder.rglob("*tfevents*"):
        each.unlink()


def write_jax(folder: Path) -> None:
    """Three steps with named scopes, written as the xplane and as both kinds of JSON."""
    import jax

    step, weights, x = jax_program()
    weights = jax.block_until_ready(step(weights, x))
    with jax.profiler.trace(str(folder), create_perfetto_trace=True):
        for number in range(3):
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                weights = jax.block_until_ready(step(weights, x))


def write_jax_unmarked(folder: Path) -> None:
    """Six steps without marks, of some milliseconds each, written as the xplane only."""
    import jax

    step, weights, x = jax_program(scale=16)
    weights = jax.block_until_ready(step(weights, x))
    with jax.profiler.trace(str(folder)):
        for _ in range(6):
            weights = jax.block_until_ready(step(weights, x))
    for path in folder.rglob("*.json.gz"):
        path.unlink()


def jax_program(scale: int = 1) -> tuple[Any, Any, Any]:
    """A step with named scopes, weights and input."""
    import jax
    import jax.numpy as jnp

    def loss(weights: Any, x: Any) -> Any:
        with jax.named_scope("layer1"):
            hidden = jnp.tanh(x @ weights[0])
        with jax.named_scope("layer2"):
            return jnp.mean((hidden @ weights[1]) ** 2)

    @jax.jit
    def step(weights: Any, x: Any) -> Any:
        slopes = jax.grad(loss)(weights, x)
        return [each - 0.1 * slope for each, slope in zip(weights, slopes, strict=True)]

    weights = [jnp.ones((16 * scale, 32 * scale)), jnp.ones((32 * scale, 4 * scale))]
    return step, weights, jnp.ones((8 * scale, 16 * scale))


def make_neutral(folder: Path) -> None:
    """Replace the name of this machine and the paths of this environment."""
    host = socket.gethostname()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        if path.suffix == ".pb":
            data = neutral_xplane(path.read_bytes(), host.encode())
        elif path.suffix not in (".gz", ".json"):
            data = path.read_bytes()
        elif path.suffix == ".gz":
            data = gzip.compress(neutral_json(gzip.decompress(path.read_bytes()), host), 9, mtime=0)
        else:
            data = neutral_json(path.read_bytes(), host)
        path.unlink()
        path.with_name(path.name.replace(host, HOST)).write_bytes(data)


def neutral_json(data: bytes, host: str) -> bytes:
    """A trace without names of this machine."""
    data = neutral_text(data).replace(f'"host_name": "{host}"'.encode(), f'"host_name": "{HOST}"'.encode())
    return re.sub(rb'("traceName": ")[^"]*/', rb"\1/srv/", data)


def neutral_text(data: bytes) -> bytes:
    """Text without paths of this environment."""
    places = {sysconfig.get_path("stdlib"): "/usr/lib/python", str(Path(__file__).parent): "/srv"}
    places |= {sysconfig.get_path("purelib"): "/usr/lib/python/site-packages"}
    for place in sorted(places, key=len, reverse=True):
        for skipped in (0, 1):  # torch writes no slash before files that the interpreter was not asked for
            data = data.replace(place[skipped:].encode(), places[place][skipped:].encode())
    return data


def neutral_xplane(data: bytes, host: bytes) -> bytes:
    """An XSpace with another name of its host, which is its last field."""
    named = b"\x22" + bytes([len(host)]) + host
    return data.removesuffix(named) + b"\x22" + bytes([len(HOST)]) + HOST.encode() if data.endswith(named) else data


WRITERS: dict[str, Callable[[Path], None]] = {
    "torch": write_torch,
    "torch_ranks": write_torch_ranks,
    "tensorflow": write_tensorflow,
    "keras": write_keras,
    "jax": write_jax,
    "jax_unmarked": write_jax_unmarked,
}


def main(writers: dict[str, Callable[[Path], None]]) -> None:
    """Write the capture that the command line names into the folder that it names."""
    target = (Path(sys.argv[2]) / sys.argv[1]).absolute()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    writers[sys.argv[1]](target)
    make_neutral(target)


if __name__ == "__main__":
    main(WRITERS)
