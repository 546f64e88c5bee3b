"""The seam between what should run and what does: a launcher starts boards somewhere and says how they are.

Not here: which board should run, and what its status is called; that is for who calls. A launcher keeps no database:
whatever it needs to find a board again is in the handle it gave.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from lightboard.types import ACCESS_DENIED as ACCESS_DENIED
from lightboard.types import SOURCE_NOT_FOUND as SOURCE_NOT_FOUND
from lightboard.types import UNREACHABLE as UNREACHABLE

START_TIMEOUT = "StartTimeout"
NODE_LOST = "NodeLost"
ERROR = "Error"
REASONS = (SOURCE_NOT_FOUND, ACCESS_DENIED, UNREACHABLE, START_TIMEOUT, NODE_LOST, ERROR)
"""One word each for machines; people read the message beside it."""


@dataclass(frozen=True, kw_only=True)
class SourceSpec:
    """One place with logs, resolved and allowed by the hub.

    `alias` goes before the names of its runs, "" for none. `url` is an absolute folder or an address as `s3://...`.
    `options` are what the storage needs to be let in: never logged, never shown, never on a command line. `include` and
    `exclude` are glob patterns of run names, without the alias; "" takes all and leaves out none. `*` and `?` match
    slashes too, several patterns are separated by semicolons. `shown` is what people call the place, "" where that is
    the `url`.

    A folder is read below `roots` alone, whatever links say: real paths of the folders that may be shown beside it,
    itself if there are none. `refused` are folders and files never to be shown even there.
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
    """One board as it is wanted. `version` grows with every change of the rest.

    `prefix` begins every path the browser asks, as `/tb/<id>`; `overlay` is the file that keeps what people add to the
    runs, "" keeps it as long as the process lives. `reload_secs` lie between listings where nothing is pushed.
    """

    id: str
    version: int
    sources: tuple[SourceSpec, ...]
    prefix: str
    title: str = ""
    overlay: str = ""
    reload_secs: float = 5.0


class Found(StrEnum):
    """How a board was found. GONE: nothing is there any more; what was started must be started again.

    UNSEEN: whoever knows has not answered yet; it is as it was, as far as anybody can tell. SILENT: whoever knows does
    not answer at all, for the reason that is told.
    """

    UNSEEN = "unseen"
    SILENT = "silent"
    STARTING = "starting"
    RUNNING = "running"
    GONE = "gone"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a board has come with its logs. `last_event_time` in seconds since the epoch, None without events."""

    runs: int = 0
    files: int = 0
    bytes_read: int = 0
    bytes_total: int = 0
    points: int = 0
    last_event_time: float | None = None
    loading: bool = False


@dataclass(frozen=True, kw_only=True)
class Observation:
    """One look at one board, for the handle it was asked by.

    `memory_bytes` is what its logs take in memory, shared with other boards over the same logs; `cpu_secs` is what its
    process has used since it began, `process_memory_bytes` what that has in memory, for `process_boards` boards in all;
    None where that cannot be said. `id` is "" where the handle says nothing.
    """

    handle: str
    id: str
    found: Found
    reason: str = ""
    message: str = ""
    progress: Progress | None = None
    memory_bytes: int | None = None
    process_memory_bytes: int | None = None
    process_boards: int | None = None
    cpu_secs: float | None = None


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """What can be asked of boards that run here; what cannot is greyed on the page."""

    update: bool = True
    logs: bool = True
    top: bool = True
    probe: bool = True
    exec: bool = False


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where the board proxy finds a board: its paths begin with the prefix of its spec. `headers` let the hub in.

    `headers` are a secret between the hub and the worker: they replace any of the same name that a browser sent, and
    go back to no browser.
    """

    base_url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True)
class Probe:
    """What lies at a source, as far as could be seen in a short time. `more`: there is more than was counted.

    `runs` counts what the board will list: not what only describes another run, or is a part of it, as far as the
    beginnings of files tell. `last_event_time` is when the last event was, as the board will tell it, in
    seconds since the epoch; None where none was found in the time.
    `reason` is "" or one of SOURCE_NOT_FOUND, ACCESS_DENIED, UNREACHABLE, with a `message` for people. A place without
    event files is no fault: it has no runs.
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
"""By it the board proxy says what the person may do: `read`, or `write` to change what people add. Without it: read."""

CLIENT_HEADER = "X-Lightboard-Client"
"""The board proxy names the client here, the same for all requests of one person. Used for fair queueing."""


class Launcher(Protocol):
    """Starts boards. Every method may be called from any thread, waits, and comes back within seconds.

    `name` is what the launcher is called in settings and on pages. `on_change` is called, from any thread, when a look
    would bring news: something died or came up; whoever wants to know sets it.
    """

    name: str
    on_change: OnChange

    def capabilities(self) -> Capabilities:
        """What can be asked of boards that run here."""

    def warm(self) -> None:
        """Have ready what makes the first start quick. May be left out."""

    def start(self, spec: BoardSpec) -> str:
        """Starts the board, or finds it started, and gives its handle: printable JSON without secrets.

        The same id and version twice is one board. Returns before the logs are read; a source without event files is
        no fault.

        Raises:
            LaunchError: it could not be started; nothing is left of it.
        """

    def update(self, handle: str, spec: BoardSpec) -> str:
        """Changes a board that runs: its address stays, open pages go on and are told. The new handle.

        Raises:
            LaunchError: the board is not there any more, or could not be changed and is as it was.
        """

    def observe(self, handles: Sequence[str]) -> list[Observation]:
        """How these boards are, one answer for each handle, in the same order. Raises nothing for a dead one."""

    def stop(self, handle: str, grace_secs: float = 5.0) -> None:
        """Ends a board; one that is gone already, or a handle that means nothing, is no fault."""

    def logs(self, handle: str, lines: int) -> list[str]:
        """The last `lines` of what was said about this board, oldest first; none if it is gone."""

    def address(self, handle: str) -> Address:
        """Where the board proxy finds the board. Raises LaunchError for a handle that means nothing; asks nobody."""

    def probe(self, source: SourceSpec) -> Probe:
        """What lies at a source, counted for about two seconds at most."""

    def close(self) -> None:
        """Ends everything that was started by this launcher and cannot outlive it."""


def no_news() -> None:
    """Stands in for `on_change` while nobody wants to know."""
