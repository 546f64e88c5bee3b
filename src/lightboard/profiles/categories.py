"""What the time of a slice is spent on, by its name and what its writer says about it."""

import re

from lightboard.profiles.capture import CATEGORIES, Category

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

INDEX: dict[Category, int] = {each: at for at, each in enumerate(CATEGORIES)}


def category_of(name: str, default: Category) -> int:
    """The index of the category of a slice, `default` unless its name says more."""
    if default in ("compute", "host", "annotation"):
        if default != "host" and COMMUNICATION.search(name):
            return INDEX["communication"]
        if INPUT.search(name):
            return INDEX["input"]
        if default == "host" and COPY.search(name):
            return INDEX["copy"]
    return INDEX[default]
