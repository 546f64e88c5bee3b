"""What the hub and a board worker say to each other. Times are seconds since the epoch, sizes in bytes."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Question

BoardId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
Prefix = Annotated[str, Field(max_length=300, pattern=r"^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$")]
Version = Annotated[int, Field(ge=0, le=2**53)]
StateWord = Literal["starting", "running", "failed"]


class WorkerBody(Question):
    """What a worker is told when it starts, in one line of JSON on its standard input. `secret` lets the hub in."""

    id: BoardId
    secret: Annotated[str, Field(min_length=32, max_length=1024, repr=False)]
    host: Annotated[str, Field(max_length=255)] = "127.0.0.1"


class WorkerReady(Answer):
    """What it answers, in one line on its standard output, as soon as it can be asked."""

    id: str
    port: int
    pid: int


class SourceBody(Question):
    """One place with logs; the fields of `hub.launchers.base.SourceSpec`."""

    alias: Annotated[str, Field(max_length=200)] = ""
    url: Annotated[str, Field(min_length=1, max_length=8192)]
    options: Annotated[dict[str, str], Field(repr=False)] = Field(default_factory=dict)
    include: Annotated[str, Field(max_length=1000)] = ""
    exclude: Annotated[str, Field(max_length=1000)] = ""
    shown: Annotated[str, Field(max_length=8192)] = ""
    roots: Annotated[list[Annotated[str, Field(max_length=8192)]], Field(max_length=256)] = Field(default_factory=list)
    refused: Annotated[list[Annotated[str, Field(max_length=8192)]], Field(max_length=64)] = Field(default_factory=list)


class BoardBody(Question):
    """One board as it is wanted; the fields of `hub.launchers.base.BoardSpec`."""

    id: BoardId
    version: Version
    sources: Annotated[list[SourceBody], Field(min_length=1, max_length=64)]
    prefix: Prefix
    title: Annotated[str, Field(max_length=500)] = ""
    overlay: Annotated[str, Field(max_length=8192)] = ""
    reload_secs: Annotated[float, Field(ge=0, le=86_400)] = 5.0


class BoardProgress(Answer):
    """How far its logs are read."""

    runs: int
    files: int
    bytes_read: int
    bytes_total: int
    points: int
    last_event_time: float | None
    loading: bool


class BoardState(Answer):
    """One board as it is. `engine` names what holds its logs: boards of one engine share them.

    `reason` is one word for machines, "" while all is well; `memory_bytes` is what its logs take, once for all boards.
    """

    id: str
    version: int
    state: StateWord
    reason: str
    message: str
    engine: str
    progress: BoardProgress | None
    memory_bytes: int


class WorkerState(Answer):
    """The process and all its boards. `id` is what it was called when it was started."""

    id: str
    pid: int
    version: str
    engines: int
    threads: int
    memory_bytes: int
    cpu_secs: float
    boards: list[BoardState]


class LogAnswer(Answer):
    """What was said about a board, oldest first."""

    lines: list[str]


class ProbeAnswer(Answer):
    """The fields of `hub.launchers.base.Probe`."""

    runs: int = 0
    files: int = 0
    size_bytes: int = 0
    last_event_time: float | None = None
    more: bool = False
    reason: str = ""
    message: str = ""
