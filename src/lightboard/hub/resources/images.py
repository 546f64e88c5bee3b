"""The image of a job: the virtual environment that its programs come from."""

from dataclasses import dataclass
from enum import StrEnum


class ImageState(StrEnum):
    """Whether jobs can have an image. One that is not built from a list is always ready."""

    BUILDING = "building"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class BuiltEnvironment:
    """What is known of an environment that the hub has built. `built_at` is in seconds since the epoch."""

    python: str
    packages: int
    size_bytes: int
    built_at: float
