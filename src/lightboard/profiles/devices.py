"""Which tracks of a capture are those of devices, such as GPUs and TPUs, and how hosts and ranks are called."""

import re
from collections.abc import Callable

import numpy as np

from lightboard.profiles.capture import CATEGORIES, HostCapture

COMPUTE, COMMUNICATION, HOST = (CATEGORIES.index(each) for each in ("compute", "communication", "host"))

ROWS_AT_ONCE = 1 << 20

DEVICE = "/device:"
"""What names of devices begin with in captures of TensorFlow and JAX."""

STREAM = re.compile(r"^stream (\d+)\s*$")
"""How PyTorch names the tracks of a GPU, whose process is the number of the GPU."""

CPU = "CPU"
"""The only device of a host that has captured no other one."""


def device_of_tracks(capture: HostCapture) -> list[str]:
    """For each track, the device that it belongs to: `GPU:0`. Empty for threads of the host."""
    return [
        device_of(capture.processes[track.process].id, capture.processes[track.process].name, track.name)
        for track in capture.tracks
    ]


def set_launches(capture: HostCapture, used: Callable[[], None] = lambda: None) -> None:
    """Set the categories of operations of the host that has a device: they launch what runs there.

    `used` is called after each range of slices.
    """
    is_device = np.array(list(map(bool, device_of_tracks(capture))), bool)
    if not is_device.any():
        return
    slices = capture.slices
    for begin in range(0, len(slices), ROWS_AT_ONCE):
        part = slice(begin, begin + ROWS_AT_ONCE)
        is_work = (slices.category[part] == COMPUTE) | (slices.category[part] == COMMUNICATION)
        slices.category[part][is_work & ~is_device[slices.track[part]]] = HOST
        used()


def device_of(process_id: str, process_name: str, track_name: str) -> str:
    """The device of a track, by the names of its process and of itself."""
    if process_name.startswith(DEVICE):
        return process_name.removeprefix(DEVICE)
    return f"GPU:{process_id}" if is_stream(process_id, track_name) else ""


def is_stream(process_id: str, track_name: str) -> bool:
    """Whether a track is a stream of a GPU as PyTorch names it."""
    return process_id.isdigit() and STREAM.match(track_name) is not None


def host_label(host: str, rank: int | None) -> str:
    """How a host is shown: `trainer`, or `trainer rank 0` if it has a rank."""
    return host if rank is None else f"{host} rank {rank}".strip()
