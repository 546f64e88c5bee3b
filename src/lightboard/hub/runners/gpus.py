"""The GPUs of a replica: their device files, and the variables by which programs find them."""

import glob
from collections.abc import Sequence
from pathlib import Path

DEVICES = ("/dev/nvidia*", "/dev/dri", "/dev/kfd")
"""All graphics cards of a machine."""
CONTROL = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset", "/dev/nvidia-caps")
"""The devices that programs need besides those of the cards."""


def device_files(gpu_ids: Sequence[int] | None) -> list[str]:
    """The devices that a replica with these GPUs needs, None for all graphics cards. Some may not exist."""
    if gpu_ids is None:
        return [path for pattern in DEVICES for path in sorted(glob.glob(pattern))]
    return [*(device_file(id) for id in gpu_ids), *CONTROL] if gpu_ids else []


def device_file(gpu_id: int) -> str:
    """The device file of a GPU of NVIDIA."""
    return f"/dev/nvidia{gpu_id}"


def gpu_variables(gpu_ids: Sequence[int] | None, *, renumbered: bool) -> dict[str, str]:
    """The variables that restrict programs to these GPUs; none for all GPUs (None).

    `renumbered` is for a replica that has only the device files of its own GPUs: CUDA numbers what it finds from 0.
    """
    if gpu_ids is None:
        return {}
    own = ",".join(map(str, gpu_ids))
    found = renumbered and all(Path(device_file(id)).exists() for id in gpu_ids)
    return {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(len(gpu_ids)))) if found else own,
        "NVIDIA_VISIBLE_DEVICES": own or "none",
    }
