"""A fake launcher for tests and trials. Boards do not run; a test sets their state."""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import (
    NODE_LOST,
    Address,
    BoardPhase,
    BoardSpec,
    Capabilities,
    Observation,
    OnChange,
    Probe,
    Progress,
    SourceSpec,
    noop_on_change,
)


@dataclass
class FakeBoard:
    """A board of the fake, as a test may set it."""

    spec: BoardSpec
    number: int
    phase: BoardPhase = BoardPhase.RUNNING
    reason: str = ""
    message: str = ""
    progress: Progress = field(default_factory=Progress)
    lines: list[str] = field(default_factory=list)


class MemoryLauncher:
    """See `hub.launchers.base.Launcher`. Boards run as soon as they are started, unless `slow` is set.

    `boards` are the current ones, by id; `stopped` are ids in the order in which they were stopped; `probes` are
    results by URL; `base_url` is where the board proxy would connect.
    """

    name = "memory"

    def __init__(self, base_url: str = "http://127.0.0.1:9") -> None:
        self.on_change: OnChange = noop_on_change
        self.base_url = base_url
        self.slow = False
        self.warmed = False
        self.closed = False
        self.boards: dict[str, FakeBoard] = {}
        self.stopped: list[str] = []
        self.probes: dict[str, Probe] = {}
        self._failures: list[LaunchError] = []
        self._starts = 0
        self._lock = threading.RLock()

    # For tests

    def fail_next(self, reason: str, message: str) -> None:
        """Makes the next start or update fail. Several calls fail as many."""
        self._failures.append(LaunchError(message, reason=reason))

    def finish(self, id: str, progress: Progress | None = None) -> None:
        """A starting board is running now."""
        self._set(id, phase=BoardPhase.RUNNING, progress=progress)

    def fail(self, id: str, reason: str, message: str) -> None:
        """A starting board has failed."""
        self._set(id, phase=BoardPhase.FAILED, reason=reason, message=message)

    def tell(self, id: str, *, reason: str = "", message: str = "", progress: Progress | None = None) -> None:
        """Sets the reason, message and progress of a board."""
        self._set(id, reason=reason, message=message, progress=progress)

    def lose(self, id: str) -> None:
        """The process of a board dies."""
        with self._lock:
            del self.boards[id]
        self.on_change()

    def say(self, id: str, line: str) -> None:
        """Adds a line to the log of a board."""
        self.boards[id].lines.append(line)

    def _set(
        self,
        id: str,
        *,
        phase: BoardPhase | None = None,
        reason: str = "",
        message: str = "",
        progress: Progress | None = None,
    ) -> None:
        with self._lock:
            board = self.boards[id]
            board.phase, board.reason, board.message = phase or board.phase, reason, message
            board.progress = progress or board.progress
        self.on_change()

    # The protocol

    def capabilities(self) -> Capabilities:
        return Capabilities()

    def warm(self) -> None:
        self.warmed = True

    def start(self, spec: BoardSpec) -> str:
        with self._lock:
            board = self.boards.get(spec.id)
            if board is not None and board.spec.version == spec.version:
                return handle_of(board)
            if self._failures:
                raise self._failures.pop(0)
            if board is not None:
                return self._change(board, spec)
            self._starts += 1
            phase = BoardPhase.STARTING if self.slow else BoardPhase.RUNNING
            board = self.boards[spec.id] = FakeBoard(spec, self._starts, phase, lines=[f"starting board {spec.id}"])
            return handle_of(board)

    def update(self, handle: str, spec: BoardSpec) -> str:
        with self._lock:
            board = self._at(handle)
            if board is None or board.spec.id != spec.id:
                raise LaunchError("the board no longer exists", reason=NODE_LOST)
            if self._failures:
                raise self._failures.pop(0)
            return self._change(board, spec)

    def _change(self, board: FakeBoard, spec: BoardSpec) -> str:
        if spec.version < board.spec.version:
            raise LaunchError(f"version {board.spec.version} of this board is here already", reason="conflict")
        board.spec = spec
        board.lines.append(f"changing to version {spec.version}")
        return handle_of(board)

    def observe(self, handles: Sequence[str]) -> list[Observation]:
        with self._lock:
            return [self._observe(handle) for handle in handles]

    def _observe(self, handle: str) -> Observation:
        board = self._at(handle)
        if board is None:
            return Observation(handle=handle, id=id_in(handle), phase=BoardPhase.GONE, reason=NODE_LOST, message="gone")
        return Observation(
            handle=handle,
            id=board.spec.id,
            phase=board.phase,
            reason=board.reason,
            message=board.message,
            progress=replace(board.progress) if board.phase == BoardPhase.RUNNING else None,
            memory_bytes=0,
            process_memory_bytes=1_000_000,
            process_boards=len(self.boards),
            cpu_secs=0.0,
        )

    def stop(self, handle: str, grace_secs: float = 5.0) -> None:  # noqa: ARG002  # named by the protocol
        with self._lock:
            board = self._at(handle)
            if board is not None:
                del self.boards[board.spec.id]
                self.stopped.append(board.spec.id)

    def logs(self, handle: str, lines: int) -> list[str]:
        board = self._at(handle)
        return board.lines[-lines:] if board is not None and lines > 0 else []

    def address(self, handle: str) -> Address:
        if not id_in(handle):
            raise LaunchError("this is not a handle of a board", reason=NODE_LOST)
        return Address(base_url=self.base_url, headers={"X-Lightboard-Hub": "a secret of the fake"})

    def probe(self, source: SourceSpec) -> Probe:
        return self.probes.get(source.url, Probe())

    def close(self) -> None:
        with self._lock:
            self.closed = True
            self.boards.clear()

    def _at(self, handle: str) -> FakeBoard | None:
        board = self.boards.get(id_in(handle))
        return board if board is not None and json.loads(handle).get("number") == board.number else None


def handle_of(board: FakeBoard) -> str:
    """A handle, different for each start, so that old handles are invalid."""
    return json.dumps({"board": board.spec.id, "version": board.spec.version, "number": board.number})


def id_in(handle: str) -> str:
    """The id in a handle, "" if it is invalid."""
    try:
        found = json.loads(handle)
    except (ValueError, RecursionError):
        return ""
    return str(found.get("board", "")) if isinstance(found, dict) else ""
