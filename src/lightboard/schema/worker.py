"""The control API between the hub and its board workers. Times are seconds since the epoch, sizes in bytes."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import RequestModel, ResponseModel

BoardId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
Prefix = Annotated[str, Field(max_length=300, pattern=r"^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$")]
Version = Annotated[int, Field(ge=0, le=2**53)]
StateWord = Literal["starting", "running", "failed"]


class WorkerBody(RequestModel):
    """The configuration of a worker, sent as one line of JSON on its standard input. `secret` authenticates the hub."""

    id: BoardId
    secret: Annotated[str, Field(min_length=32, max_length=1024, repr=False)]
    host: Annotated[str, Field(max_length=255)] = "127.0.0.1"


class WorkerReady(ResponseModel):
    """Printed by a worker as one line of JSON on its standard output, as soon as it responds to requests."""

    id: str
    port: int
    pid: int


class SourceBody(RequestModel):
    """A source; the fields of `hub.launchers.base.SourceSpec`."""

    alias: Annotated[str, Field(max_length=200)] = ""
    url: Annotated[str, Field(min_length=1, max_length=8192)]
    options: Annotated[dict[str, str], Field(repr=False)] = Field(default_factory=dict)
    include: Annotated[str, Field(max_length=1000)] = ""
    exclude: Annotated[str, Field(max_length=1000)] = ""
    shown: Annotated[str, Field(max_length=8192)] = ""
    roots: Annotated[list[Annotated[str, Field(max_length=8192)]], Field(max_length=256)] = Field(default_factory=list)
    refused: Annotated[list[Annotated[str, Field(max_length=8192)]], Field(max_length=64)] = Field(default_factory=list)


class BoardBody(RequestModel):
    """The desired state of a board; the fields of `hub.launchers.base.BoardSpec`."""

    id: BoardId
    version: Version
    sources: Annotated[list[SourceBody], Field(min_length=1, max_length=64)]
    prefix: Prefix
    title: Annotated[str, Field(max_length=500)] = ""
    overlay: Annotated[str, Field(max_length=8192)] = ""
    reload_secs: Annotated[float, Field(ge=0, le=86_400)] = 5.0


class BoardProgress(ResponseModel):
    """How much of its logs a board has read."""

    runs: int
    files: int
    bytes_read: int
    bytes_total: int
    points: int
    last_event_time: float | None
    loading: bool


class BoardState(ResponseModel):
    """The state of a board. Boards of one `engine` share its logs.

    `reason` is one word for programs, "" if there is no problem. `memory_bytes` is the memory of its logs, which all
    boards over them share.
    """

    id: str
    version: int
    state: StateWord
    reason: str
    message: str
    engine: str
    progress: BoardProgress | None
    memory_bytes: int


class WorkerState(ResponseModel):
    """The state of a worker process and of all its boards. `id` is the one it was started with."""

    id: str
    pid: int
    version: str
    engines: int
    threads: int
    memory_bytes: int
    cpu_secs: float
    boards: list[BoardState]


class LogResponse(ResponseModel):
    """Log lines about a board, oldest first."""

    lines: list[str]


class ProbeResponse(ResponseModel):
    """The fields of `hub.launchers.base.Probe`."""

    runs: int = 0
    files: int = 0
    size_bytes: int = 0
    last_event_time: float | None = None
    more: bool = False
    reason: str = ""
    message: str = ""
