"""What captures say of memory: curves of devices, and who holds it at the peak."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import ResponseModel
from lightboard.schema.profiles import CaptureQuery


class MemoryQuery(CaptureQuery):
    """Curves for `width` columns of pixels, and the `limit` largest holders and blocks of each device."""

    width: Annotated[int, Field(ge=1, le=10_000)] = 1000
    limit: Annotated[int, Field(ge=1, le=1000)] = 200


class MemoryFrame(ResponseModel):
    """A call, or an operator, which has no `file`. `line` is 0 if it is unknown."""

    name: str
    file: str
    line: int


class MemoryHolder(MemoryFrame):
    """A line of code, and what it holds at the peak: the innermost call outside of the framework.

    `name` is empty for memory without a stack. `stack` is that of the largest block, the innermost call first.
    """

    size_bytes: int
    blocks: int
    stack: list[MemoryFrame]


class MemoryBlock(ResponseModel):
    """Memory that is in use at the peak; `blocks` of them where the writer has added them up.

    `since_us` is when it was allocated, null if that was before recording or is unknown.
    """

    size_bytes: int
    requested_bytes: int
    since_us: float | None
    kind: str
    blocks: int
    stack: list[MemoryFrame]


class MemoryCurve(ResponseModel):
    """Columns of the same length: bytes from each moment on. Peaks are never left out."""

    time_us: list[float]
    allocated_bytes: list[int]
    reserved_bytes: list[int]


class DeviceMemoryRow(ResponseModel):
    """A device. `allocations` were recorded.

    `peak_us` is null if there is no curve, only what is in use; then the peak is that. `live_bytes` and
    `reserved_bytes` are those at the end, `largest_free_bytes` is the largest free block then, null if it is unknown.
    """

    host: str
    rank: int | None
    device: str
    allocations: int
    peak_bytes: int
    peak_reserved_bytes: int
    peak_us: float | None
    live_bytes: int
    reserved_bytes: int
    largest_free_bytes: int | None
    curve: MemoryCurve
    holders: list[MemoryHolder]
    blocks: list[MemoryBlock]


class MemoryResponse(ResponseModel):
    """The memory of each device. Times are from the first event of the capture."""

    name: str
    devices: list[DeviceMemoryRow]
    problems: list[str]
