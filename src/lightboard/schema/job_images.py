"""Images of jobs: the environments of their programs. Times are seconds since the epoch, sizes in bytes."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.jobs import JobLogLine
from lightboard.schema.model import HubRequestModel, ResponseModel, Whole
from lightboard.schema.packages import PackageResponse

ImageStateWord = Literal["building", "ready", "failed"]


class ImageResponse(ResponseModel):
    """An image. `message` says why one that `failed` could not be built.

    `digest` is that of the environment which the hub builds from a requirements list, "" for one that the administrator
    has built; only of the former, `size_bytes` and `built_at` are known. `python` is its Python version, "" if that is
    not known, `packages` their number, null until it is built. `notebooks` says whether notebooks can have it. `source`
    is the path of the environment or list, for administrators; "" for others.
    """

    name: str
    state: ImageStateWord
    message: str
    digest: str
    python: str
    packages: int | None
    size_bytes: int | None
    built_at: float | None
    notebooks: bool
    source: str


class Images(ResponseModel):
    """The images: their names in `items`, and all about each in `images`, by name.

    Jobs can also have container images that match one of the patterns `container_images`. Those that jobs have named
    are listed for administrators.
    """

    items: list[str]
    images: list[ImageResponse]
    container_images: list[str]


class ImageDetail(ImageResponse):
    """An image with its packages, by name; none until it is built."""

    installed: list[PackageResponse]


class ImageLogRequest(HubRequestModel):
    """Which part of a log to read: `cursor` is 0 for the beginning, or from an earlier response; -n starts with the
    first whole line in the last n bytes.
    """

    cursor: Annotated[int, Field(ge=-(2**53), le=2**53)] = 0
    max_bytes: Annotated[int, Field(ge=1, le=1 << 20)] = 256 << 10


class ImageLog(ResponseModel):
    """Consecutive lines of what the last build of an image has printed. `cursor` is where to continue.

    `lost_bytes` before the first line have been deleted because the log became too long. With `complete` nothing more
    will be written: the build has ended, and this is its last part.
    """

    lines: list[JobLogLine]
    cursor: Whole
    lost_bytes: Whole
    complete: bool
