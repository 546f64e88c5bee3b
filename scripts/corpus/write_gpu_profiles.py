"""Writes the captures of tests/data/profiles that need a GPU of NVIDIA, each by the profiler of its framework.

    cp scripts/corpus/write_profiles.py scripts/corpus/write_gpu_profiles.py /srv
    python /srv/write_gpu_profiles.py torch_gpu|torch_snapshot|jax_gpu /srv/profiles

Those in the folder were written with torch 2.11.0 for CUDA 13.0 and jax 0.11.2 on an H200. As with `write_profiles.py`,
paths and the name of the machine become neutral, and times differ at each writing.
"""

import gzip
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from write_profiles import HOST, main, neutral_text

os.environ.update(JAX_PLATFORMS="cuda,cpu", XLA_PYTHON_CLIENT_PREALLOCATE="false")
os.environ.pop("CUDA_VISIBLE_DEVICES")


def write_torch_gpu(folder: Path) -> None:
    """Three steps of a convolutional network: copies on a stream of their own, a blocking copy, tiny kernels."""
    import torch
    from torch.profiler import ProfilerActivity, profile, schedule, tensorboard_trace_handler

    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.BatchNorm2d(16), torch.nn.ReLU(), torch.nn.Flatten(),
        torch.nn.Linear(16 * 32 * 32, 10),
    ).cuda()  # fmt: skip
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    copies = torch.cuda.Stream()
    images = torch.randn(256, 3, 32, 32).pin_memory()
    options = dict.fromkeys(("record_shapes", "with_stack", "profile_memory", "with_modules", "with_flops"), True)
    handler = tensorboard_trace_handler(str(folder), worker_name=HOST, use_gzip=True)
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(
        activities=activities, schedule=schedule(wait=1, warmup=1, active=3), on_trace_ready=handler, **options
    ) as profiler:
        for _ in range(5):
            with torch.profiler.record_function("load"), torch.cuda.stream(copies):
                batch = images.to("cuda", non_blocking=True)
            labels = torch.randint(0, 10, (256,)).to("cuda")  # pageable memory: this copy blocks
            torch.cuda.current_stream().wait_stream(copies)
            with torch.profiler.record_function("forward"):
                loss = torch.nn.functional.cross_entropy(model(batch), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss.item()
            profiler.step()


def write_torch_snapshot(folder: Path) -> None:
    """The allocations of two steps on the GPU, with stacks."""
    import torch

    torch.cuda.memory._record_memory_history(max_entries=1000, stacks="python")
    model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 512)).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(2):
        loss = model(torch.randn(1024, 512, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    path = folder / "memory_snapshot.pickle"
    torch.cuda.memory._dump_snapshot(str(path))
    path.write_bytes(pickle.dumps(neutral_value(pickle.loads(path.read_bytes())), protocol=4))


def neutral_value(value: Any) -> Any:
    """A snapshot without paths of this machine."""
    if isinstance(value, dict):
        return {key: neutral_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(neutral_value, value))
    return neutral_text(value.encode()).decode() if isinstance(value, str) else value


TEXT = b"\x32"
"""What a text begins with in a profile of pprof: its other messages have no paths."""


def neutral_pprof(data: bytes) -> bytes:
    """A profile of memory without paths of this machine. Texts say how long they are."""
    neutral, at = bytearray(), 0
    while at < len(data):
        key, (length, begin) = data[at : at + 1], varint(data, at + 1)
        end = begin + length if key[0] & 7 == 2 else begin
        text = neutral_text(data[begin:end])
        neutral += key + encoded(len(text)) + text if key == TEXT else data[at:end]
        at = end
    return bytes(neutral)


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and the position behind it."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def encoded(number: int) -> bytes:
    """A number as a varint."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(found) + bytes((number,))


def write_jax_gpu(folder: Path) -> None:
    """Three steps with named scopes, the second of which waits for its input; and the memory of the device."""
    import time

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

    x, weights = jnp.ones((1024, 512)), [jnp.ones((512, 1024)), jnp.ones((1024, 64))]
    weights = jax.block_until_ready(step(weights, x))
    with jax.profiler.trace(str(folder), create_perfetto_trace=True):
        for number in range(3):
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                if number == 1:
                    with jax.profiler.TraceAnnotation("load"):
                        time.sleep(0.005)
                weights = jax.block_until_ready(step(weights, x))
    memory = folder / "memory.prof"
    jax.profiler.save_device_memory_profile(str(memory))
    memory.write_bytes(gzip.compress(neutral_pprof(gzip.decompress(memory.read_bytes())), 9, mtime=0))


WRITERS: dict[str, Callable[[Path], None]] = {
    "torch_gpu": write_torch_gpu,
    "torch_snapshot": write_torch_snapshot,
    "jax_gpu": write_jax_gpu,
}

if __name__ == "__main__":
    main(WRITERS)
