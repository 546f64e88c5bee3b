"""The image of a job: the virtual environment or container image that its programs come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ImageState(StrEnum):
    """Whether jobs can have an image. One that is not built from a list is always ready."""

    BUILDING = "building"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class ContainerConfig:
    """What a container image says about itself: its `id` is the digest by which its engine knows it."""

    id: str
    environment: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class BuiltEnvironment:
    """What is known of an environment that the hub has built. `built_at` is in seconds since the epoch.

    `container` is None for a virtual environment.
    """

    python: str
    packages: int
    size_bytes: int
    built_at: float
    container: ContainerConfig | None = None
