"""The launcher protocol: a launcher starts boards somewhere and reports their state.

Which boards should run, and their statuses, is up to the caller. A launcher stores nothing: its handles contain
everything that is needed to find a board again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from lightboard.types import ACCESS_DENIED as ACCESS_DENIED
from lightboard.types import SOURCE_NOT_FOUND as SOURCE_NOT_FOUND
from lightboard.types import START_TIMEOUT as START_TIMEOUT
from lightboard.types import UNREACHABLE as UNREACHABLE

NODE_LOST = "NodeLost"
ERROR = "Error"
REASONS = (SOURCE_NOT_FOUND, ACCESS_DENIED, UNREACHABLE, START_TIMEOUT, NODE_LOST, ERROR)
"""One word for machines. The message is for people."""


@dataclass(frozen=True, kw_only=True)
class SourceSpec:
    """One source, resolved and allowed by the hub.

    `alias` precedes the names of its runs, "" for none. `url` is an absolute folder or a URL such as `s3://...`.
    `options` are secret options of the storage: never logged, shown, or put on a command line. `include` and `exclude`
    are glob patterns of run names without the alias, separated by semicolons; "" includes all and excludes none. `*`
    and `?` match slashes too. `shown` is the display name of the source, "" for `url`.

    A folder is only read below `roots`, whatever links say; without roots, below itself. `refused` folders and files
    are never shown.
    """

    alias: str = ""
    url: str
    options: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    include: str = ""
    exclude: str = ""
    shown: str = ""
    roots: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BoardSpec:
    """The desired state of a board. `version` increases with every change.

    `prefix` precedes every path that the browser requests, as in `/tb/<id>`. `overlay` is the file for annotations, ""
    keeps them in memory. `reload_secs` is the time between listings if the storage cannot notify of changes.
    """

    id: str
    version: int
    sources: tuple[SourceSpec, ...]
    prefix: str
    title: str = ""
    overlay: str = ""
    reload_secs: float = 5.0


class BoardPhase(StrEnum):
    """The observed phase of a board. GONE: it no longer exists and has to be started again.

    UNKNOWN: its worker has not responded yet, so assume no change. UNRESPONSIVE: its worker does not respond at all.
    """

    UNKNOWN = "unknown"
    UNRESPONSIVE = "unresponsive"
    STARTING = "starting"
    RUNNING = "running"
    GONE = "gone"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How much of its logs a board has read. `last_event_time` is in seconds since the epoch, None without events."""

    runs: int = 0
    files: int = 0
    bytes_read: int = 0
    bytes_total: int = 0
    points: int = 0
    last_event_time: float | None = None
    loading: bool = False


@dataclass(frozen=True, kw_only=True)
class Observation:
    """The observed state of one board.

    `memory_bytes` is the memory of its logs, shared with other boards over the same logs. `cpu_secs` and
    `process_memory_bytes` are of its process, which serves `process_boards` boards. They are None if unknown. `id` is
    "" if the handle is invalid.
    """

    handle: str
    id: str
    phase: BoardPhase
    reason: str = ""
    message: str = ""
    progress: Progress | None = None
    memory_bytes: int | None = None
    process_memory_bytes: int | None = None
    process_boards: int | None = None
    cpu_secs: float | None = None


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """What boards of this launcher support. Pages disable the rest."""

    update: bool = True
    logs: bool = True
    top: bool = True
    probe: bool = True
    exec: bool = False


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where the board proxy reaches a board. Its paths begin with the prefix of the spec.

    `headers` authenticate the hub to the worker. They replace headers of the same name from browsers and are never sent
    to browsers.
    """

    base_url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True)
class Probe:
    """The contents of a source, as far as they can be counted in a short time. `more`: there is more.

    `runs` is the number of runs that the board will list, judged by the beginnings of files. `last_event_time` is in
    seconds since the epoch, None if no event was found in time. `reason` is "" or one of SOURCE_NOT_FOUND,
    ACCESS_DENIED, UNREACHABLE, with a `message` for people. A source without event files is not an error: it has no
    runs.
    """

    runs: int = 0
    files: int = 0
    size_bytes: int = 0
    last_event_time: float | None = None
    more: bool = False
    reason: str = ""
    message: str = ""


OnChange = Callable[[], None]

ROLE_HEADER = "X-Lightboard-Role"
"""The board proxy sets it to `read`, or to `write` if the user may change annotations. Default: read."""

CLIENT_HEADER = "X-Lightboard-Client"
"""The board proxy names the client here, the same for all requests of one person. Used for fair queueing."""


class Launcher(Protocol):
    """Starts boards. Every method may be called from any thread and returns within seconds.

    `name` appears in settings and on pages. `on_change` is set by the caller, and called from any thread when a board
    may have changed.
    """

    name: str
    on_change: OnChange

    def capabilities(self) -> Capabilities:
        """What boards of this launcher support."""

    def warm(self) -> None:
        """Prepares for a quick first start. Optional."""

    def start(self, spec: BoardSpec) -> str:
        """Starts a board, or finds it running, and returns its handle: printable JSON without secrets.

        Starting the same id and version twice starts one board. Returns before the logs are read. A source without
        event files is not an error.

        Raises:
            LaunchError: the board could not be started; nothing is left of it.
        """

    def update(self, handle: str, spec: BoardSpec) -> str:
        """Changes a running board, which keeps its address; open pages are notified. Returns the new handle.

        Raises:
            LaunchError: the board is gone, or could not be changed and is as before.
        """

    def observe(self, handles: Sequence[str]) -> list[Observation]:
        """The observations of boards, one per handle and in the same order. Never raises for a dead board."""

    def stop(self, handle: str, grace_secs: float = 5.0) -> None:
        """Stops a board. A board that is gone, or an invalid handle, is not an error."""

    def logs(self, handle: str, lines: int) -> list[str]:
        """The last `lines` of the log of a board, oldest first; empty if it is gone."""

    def address(self, handle: str) -> Address:
        """Where the board proxy reaches a board. Sends no request. Raises LaunchError for an invalid handle."""

    def probe(self, source: SourceSpec) -> Probe:
        """The contents of a source, counted for about two seconds at most."""

    def close(self) -> None:
        """Stops everything that cannot outlive the launcher."""


def noop_on_change() -> None:
    """The default of `on_change`."""
