"""The GPUs of a replica: their device files, and the variables by which programs find them."""

import glob
import os
from collections.abc import Sequence

FOLDER = "/dev"
DEVICES = ("nvidia*", "dri", "kfd")
"""All graphics cards of a machine."""
CONTROL = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps")
"""The devices that programs need besides those of their cards."""


def device_files(gpu_ids: Sequence[int] | None) -> list[str]:
    """The devices of a replica with these GPUs of NVIDIA; None is for all graphics cards. Some may not exist."""
    if gpu_ids is None:
        return [path for pattern in DEVICES for path in sorted(glob.glob(f"{FOLDER}/{pattern}"))]
    return [*map(device_file, gpu_ids), *(f"{FOLDER}/{name}" for name in CONTROL)] if gpu_ids else []


def device_file(gpu_id: int) -> str:
    """The device file of a GPU of NVIDIA."""
    return f"{FOLDER}/nvidia{gpu_id}"


def gpu_variables(gpu_ids: Sequence[int] | None, *, only_own_devices: bool) -> dict[str, str]:
    """The variables that restrict programs to these GPUs; none for all graphics cards (None).

    `only_own_devices` is for a replica that has the device files of no other GPUs: CUDA numbers what it finds from 0.
    """
    if gpu_ids is None:
        return {}
    own = ",".join(map(str, gpu_ids))
    renumbered = only_own_devices and all(os.path.exists(device_file(id)) for id in gpu_ids)
    return {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(len(gpu_ids)))) if renumbered else own,
        "NVIDIA_VISIBLE_DEVICES": own or "none",
    }
