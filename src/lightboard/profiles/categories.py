"""What the time of a slice is spent on, by its name and what its writer says about it."""

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import CATEGORIES, Category, Slices

COMMUNICATION = re.compile(
    r"nccl|gloo|\bmpi[_:]|c10d::|all[-_]?reduce|all[-_]?gather|reduce[-_]?scatter|all[-_]?to[-_]?all|collective|"
    r"broadcast_?coalesced|ncclDevKernel|\brccl",
    re.IGNORECASE,
)
"""Operators and kernels that talk to other ranks."""

COPY = re.compile(r"memcpy|memset|copy(?:to|from)?(?:device|host)|^copy-(?:start|done)", re.IGNORECASE)
"""Operators and kernels that move data between devices."""

INPUT = re.compile(
    r"^Iterator::|IteratorGetNext|dataloader|^Prefetch|^ParallelMap(?:Produce|Consume)|^infeed", re.IGNORECASE
)
"""What prepares batches."""

TORCH: dict[str, Category] = {
    "cpu_op": "compute",
    "kernel": "compute",
    "gpu_op": "compute",
    "gpu_memcpy": "copy",
    "gpu_memset": "copy",
    "user_annotation": "annotation",
    "gpu_user_annotation": "annotation",
    "python_function": "python",
}
"""Categories of the categories that PyTorch writes."""

ROWS_AT_ONCE = 1 << 20

NAMES_PER_CHECK = 1000
"""Names of slices that are told apart between two checks for cancellation."""

INDEX: dict[Category, int] = {each: at for at, each in enumerate(CATEGORIES)}


def category_of(name: str, default: Category, *, is_device: bool = False) -> int:
    """The index of the category of a slice, `default` unless its name says more. Devices copy by themselves."""
    if default in ("compute", "host", "annotation"):
        if default != "host" and COMMUNICATION.search(name):
            return INDEX["communication"]
        if INPUT.search(name):
            return INDEX["input"]
        if (default == "host" or (is_device and default == "compute")) and COPY.search(name):
            return INDEX["copy"]
    return INDEX[default]


def is_operation(name: str) -> bool:
    """Whether a name is that of an operation of TensorFlow, `scope/name:Type`."""
    path, _, kind = name.rpartition(":")
    return bool(path) and not path.endswith(":") and kind.isidentifier() and kind.lstrip("_")[:1].isupper()


def set_categories(
    slices: Slices,
    names: int,
    kinds: int,
    kind_of: Callable[[slice], NDArray[np.integer]],
    category: Callable[[int, int], int],
    used: Callable[[], None] = lambda: None,
) -> None:
    """Set the categories of slices to `category(name, kind)`, which is called once for each pair.

    `kind_of` gives the kinds of a range of slices, which are less than `kinds`. `used` is called after each range.
    """
    parts = [slice(begin, begin + ROWS_AT_ONCE) for begin in range(0, len(slices), ROWS_AT_ONCE)]
    is_used = np.zeros(kinds * names, bool)
    for part in parts:
        is_used[slices.name[part].astype(np.int64) * kinds + kind_of(part)] = True
        used()
    categories = np.zeros(len(is_used), np.int8)
    for at, key in enumerate(np.flatnonzero(is_used).tolist()):
        if at % NAMES_PER_CHECK == 0:
            cancellation.check()
        categories[key] = category(*divmod(key, kinds))
    for part in parts:
        slices.category[part] = categories[slices.name[part].astype(np.int64) * kinds + kind_of(part)]
        used()
