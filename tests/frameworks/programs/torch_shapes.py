"""Operators by the shapes of their inputs as PyTorch adds them up, beside the trace of the same steps."""

import json
import sys

import torch

model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.LayerNorm(32), torch.nn.GELU(), torch.nn.Linear(32, 4))
with torch.profiler.profile(record_shapes=True, activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
    for size in (8, 8, 3):
        model(torch.ones(size, 16)).softmax(1).sum().backward()
        torch.cat([torch.ones(size, 2), torch.zeros(size, 5)], 1)

profiler.export_chrome_trace("steps.pt.trace.json")
json.dump(
    [
        [each.key, each.input_shapes, each.count, each.cpu_time_total, each.self_cpu_time_total]
        for each in profiler.key_averages(group_by_input_shape=True)
    ],
    sys.stdout,
)
