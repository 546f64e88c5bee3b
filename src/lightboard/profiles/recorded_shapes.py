"""Whether PyTorch has recorded the shapes of the inputs of operators, by the first of them in the file."""

import numpy as np

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.event_args import read_args
from lightboard.profiles.file_names import profile_name

OPERATOR = "aten::"
"""How names of operators of PyTorch begin."""

SHAPES = "Input Dims"
"""The argument with the shapes, which each operator with inputs has if `record_shapes` is set."""

SAMPLES = 20
"""Operators whose arguments are read."""


def records_shapes(host: HostCapture, base_name: str, read: ReadRange, size: int) -> bool:
    """Whether there are shapes, or no operators that could have some. Raises OSError."""
    found = profile_name(base_name)
    if found is None or found.format != "trace_json":
        return True
    is_operator = np.array([name.startswith(OPERATOR) for name in host.names], bool)
    if not is_operator.any():
        return True
    offsets = list[int]()
    for part in host.parts(len(host.slices)):
        places = host.slices.args[part][is_operator[host.slices.name[part]]]
        offsets += places[places >= 0][: SAMPLES - len(offsets)].tolist()
        if len(offsets) >= SAMPLES:
            break
    return any(arg.name == SHAPES for offset in offsets for arg in read_args(base_name, read, size, offset))
