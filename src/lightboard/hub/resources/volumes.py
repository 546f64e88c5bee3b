"""Volumes of jobs: which folder a job finds at which path, and what keeps it from writing there."""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import PurePosixPath

from lightboard.errors import Invalid

MAX_TARGET = 1024
RESERVED_FOLDERS = (
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run", "/sbin", "/sys",
    "/tmp",  # noqa: S108
    "/usr", "/var/lock", "/var/run",
    "/var/tmp",  # noqa: S108
)  # fmt: skip
"""Folders with what programs need, in which a job has no others."""
OUTPUTS = "/ml/output"
"""Where PAI's jobs have the folders of their outputs, one for each kind."""
HINT = "choose another path, such as /project/results"


class Enforcement(StrEnum):
    """How a job finds a volume at its path, and what keeps it from writing to a read-only one.

    `KERNEL`: it is mounted there in a namespace of the job's own. `PROCESS`: the path was replaced in the arguments of
    the command, and nothing keeps it from writing. `NONE`: only a variable has the path.
    """

    KERNEL = "kernel"
    PROCESS = "process"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Volume:
    """A folder of the hub, as a source of a TensorBoard is written, which a job finds at the absolute path `target`."""

    source: str
    target: str
    read_only: bool

    @property
    def channel(self) -> str:
        """The kind of outputs that the job writes there: its target is that of PAI's jobs. "" for none."""
        return "" if self.read_only else output_channel(self.target)


def output_channel(target: str) -> str:
    """The kind of outputs, such as `model`, that PAI's jobs write to this path; "" for none."""
    folder, _, name = target.rpartition("/")
    return name if folder == OUTPUTS else ""


def clean_target(path: str) -> str:
    """The path of a volume, as `absolute_target`. Raises Invalid for a folder that programs need as well."""
    target = absolute_target(path)
    if target == "/" or any(overlaps(target, folder) for folder in RESERVED_FOLDERS):
        raise Invalid(f"a volume at {target} would hide what programs need", hint=HINT)
    return target


def absolute_target(path: str) -> str:
    """A path with single slashes: `//project/results` is one, for shells of Windows. Raises Invalid for others."""
    if not path.startswith("/") or ".." in path.split("/") or "\0" in path or len(path) > MAX_TARGET:
        raise Invalid(
            f"the volume {path[:MAX_TARGET]!r} is not at an absolute path", hint="such as /project/results, without .."
        )
    return "/" + posixpath.normpath(path).lstrip("/")


def check_targets(targets: Iterable[str]) -> None:
    """Raises Invalid if a volume is at the path of another one, or below it."""
    ordered = sorted(targets, key=lambda target: PurePosixPath(target).parts)
    for above, below in pairwise(ordered):
        if above == below:
            raise Invalid(f"two volumes are at {above}", hint="each needs a path of its own")
        if overlaps(above, below):
            raise Invalid(f"the volume at {below} is inside the one at {above}", hint="choose paths beside each other")


def overlaps(path: str, other: str) -> bool:
    """Whether one of two clean absolute paths is the other, or below it."""
    return PurePosixPath(path).is_relative_to(other) or PurePosixPath(other).is_relative_to(path)
