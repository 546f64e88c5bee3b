"""Captures of PyTorch by `lightboard.profiling`: one around all steps, two by a schedule, and one by two ranks."""

import torch
import torch.distributed
from torch.testing._internal.distributed import fake_pg  # noqa: F401  # registers the backend

from lightboard import profiling

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))


def train():
    model(torch.ones(4, 8)).sum().backward()


with profiling.capture("tensorboard/steps", framework="torch") as capture:
    for number in range(10, 13):
        with capture.step(number):
            train()

schedule = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=2)
handler = profiling.on_trace_ready("tensorboard/scheduled")
with torch.profiler.profile(schedule=schedule, on_trace_ready=handler, acc_events=True) as profiler:
    for _ in range(8):
        train()
        profiler.step()

store = torch.distributed.FileStore("store", 2)
for rank in range(2):
    torch.distributed.init_process_group("fake", store=store, rank=rank, world_size=2)
    with profiling.capture("tensorboard/ranks", framework="torch", with_stack=False) as capture, capture.step(0):
        train()
    torch.distributed.destroy_process_group()
