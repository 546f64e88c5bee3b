"""Layouts of points: those made at once, and those that a process of its own works on, one after another.

A layout is known by what was asked, so that asking again gives the one there is. Not here: the methods themselves
(`worker`, `pca`, `custom`), where the vectors come from.
"""

import contextlib
import json
import os
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import IO, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from lightboard.errors import BadRequest, LightboardError, NotFound
from lightboard.query.projector.matrix import Matrix

State = Literal["queued", "running", "done", "failed", "cancelled"]
Rows: TypeAlias = np.ndarray[tuple[int], np.dtype[np.uint32]]

MOST_KEPT = 64
MOST_KEPT_BYTES = 256 << 20
MOST_WAITING = 16
MOST_HEAD_BYTES = 1 << 16


@dataclass(frozen=True)
class Layout:
    """One layout as it is now.

    `rows` are the numbers of its points, None for all of the table; `total` is how many were asked for, of which some
    may be left out. `frame` counts the positions that came so far; `turn` tells one attempt at it from the next.
    """

    id: str
    state: State
    method: str
    total: int
    rows: Rows | None = None
    progress: float = 0.0
    frame: int = 0
    message: str = ""
    variance: tuple[float, ...] = ()
    positions: Matrix | None = None
    turn: int = 0

    @property
    def over(self) -> bool:
        """Does nothing happen to it any more?"""
        return self.state in ("done", "failed", "cancelled")


class Job(NamedTuple):
    """What a process is to do: the vectors, to how many dimensions, and the method's own parameters."""

    matrix: Matrix
    method: str
    to: int
    params: dict[str, float]


class Slots:
    """`count` places for processes; who waits for one gets it in turn. Use as a context manager, from any thread."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Event()
            self._waiting.append(turn)
        turn.wait()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._waiting:  # the place is handed over: whoever left it may not take it again at once
                self._waiting.popleft().set()
            else:
                self._free += 1


SLOTS = Slots(max(1, (os.cpu_count() or 1) // 2))
"""For all boards of this process: each has one layout made at a time, and together they leave half the cores free."""


class Layouts:
    """The layouts of one board. All methods may be called from any thread."""

    def __init__(self, command: list[str] | None = None, slots: Slots = SLOTS) -> None:
        self._slots = slots
        self._command = command or [sys.executable, "-m", "lightboard.query.projector.worker"]
        self._lock = threading.Condition()
        self._layouts: dict[str, Layout] = {}
        self._waiting: deque[tuple[Layout, Callable[[], Job]]] = deque()
        self._process: tuple[Layout, subprocess.Popen[bytes]] | None = None
        self._thread: threading.Thread | None = None
        self._turns = 0
        self._closed = False

    def get(self, name: str) -> Layout:
        """The layout of that id. Raises NotFound."""
        found = self._layouts.get(name)
        if found is None:
            raise NotFound(f"no layout {name!r}", hint="ask for it again")
        return found

    def standing(self, name: str) -> Layout | None:
        """The layout of that id unless it came to nothing."""
        found = self._layouts.get(name)
        return found if found is not None and found.state not in ("failed", "cancelled") else None

    def wait(self, name: str, seen: Callable[[Layout], bool], timeout: float) -> Layout:
        """The layout once `seen` says yes of it, or after so many seconds. Raises NotFound."""
        with self._lock:
            self._lock.wait_for(lambda: seen(self.get(name)), timeout)
            return self.get(name)

    def put(self, layout: Layout) -> Layout:
        """Keep a layout that is complete."""
        with self._lock:
            self._set(layout)
            return layout

    def queue(self, layout: Layout, prepare: Callable[[], Job]) -> Layout:
        """Have a process work on it in its turn; `prepare` is called then. Raises BadRequest if too many wait."""
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                raise BadRequest(f"{MOST_WAITING} layouts wait already", hint="cancel some")
            self._turns += 1
            layout = replace(layout, turn=self._turns)
            self._set(layout)
            self._waiting.append((layout, prepare))
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="lightboard-layouts", daemon=True)
                self._thread.start()
            return layout

    def cancel(self, name: str) -> Layout:
        """Work on it no more; one that is over stays as it is. Raises NotFound."""
        with self._lock:
            layout = self.get(name)
            if not layout.over:
                self._waiting = deque(each for each in self._waiting if each[0].id != name)
                layout = replace(layout, state="cancelled", message="")
                self._set(layout)
                if self._process is not None and self._process[0].turn == layout.turn:
                    self._process[1].kill()
            return layout

    def close(self) -> None:
        """End what runs and take no more."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            if self._process is not None:
                self._process[1].kill()

    # Inside; the lock is held where not said otherwise

    def _set(self, layout: Layout) -> None:
        self._layouts.pop(layout.id, None)
        self._layouts[layout.id] = layout
        over = [each for each in self._layouts.values() if each.over and each is not layout]
        while over and (len(self._layouts) > MOST_KEPT or self._bytes() > MOST_KEPT_BYTES):
            del self._layouts[over.pop(0).id]
        self._lock.notify_all()

    def _bytes(self) -> int:
        return sum(each.positions.nbytes for each in self._layouts.values() if each.positions is not None)

    def _work(self) -> None:
        """The thread: one task after the other, until none waits. Without the lock."""
        at_work = True
        while at_work:
            with self._slots:
                at_work = self._work_once()

    def _work_once(self) -> bool:
        """The next task; False where none waits any more. Without the lock."""
        with self._lock:
            if not self._waiting or self._closed:
                self._thread = None
                return False
            layout, prepare = self._waiting.popleft()
        self._change(layout, state="running")
        try:
            self._run(layout, prepare())
        except LightboardError as error:
            self._change(layout, state="failed", message=error.message)
        except (MemoryError, OSError) as error:
            self._change(layout, state="failed", message=f"the layout could not be made: {error}")
        return True

    def _run(self, layout: Layout, job: Job) -> None:
        """One task in a process of its own. Without the lock."""
        with self._lock:
            if self._closed or self._now(layout) is None:
                return
            process = subprocess.Popen(  # noqa: S603  # our own module
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            self._process = layout, process
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):  # it is gone, as reading will tell
                write_job(process.stdin, job)
            self._listen(layout, process.stdout)
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            with self._lock:
                self._process = None

    def _listen(self, layout: Layout, source: IO[bytes]) -> None:
        """Take up what the process tells, until it ends. Without the lock."""
        frame = 0
        while (found := read_message(source)) is not None:
            head, positions = found
            if head.get("error"):
                self._change(layout, state="failed", message=str(head["error"])[:1000])
                return
            told: dict[str, Any] = {
                "progress": min(1.0, max(0.0, float(head.get("progress", 0.0)))),
                "message": str(head.get("message", ""))[:1000],
            }
            if positions is not None:
                frame += 1
                told |= {"positions": np.nan_to_num(positions), "frame": frame}
                told["state"] = "done" if told["progress"] >= 1 else "running"
            self._change(layout, **told)
        self._change(
            layout, state="failed", message="the process that worked on it ended early: perhaps memory ran out"
        )

    def _now(self, layout: Layout) -> Layout | None:
        """The same attempt at the layout as it is now; None if it is over, or another took its place."""
        now = self._layouts.get(layout.id)
        return now if now is not None and now.turn == layout.turn and not now.over else None

    def _change(self, layout: Layout, **fields: Any) -> None:
        """Other values for some fields, unless this attempt is over. Without the lock."""
        with self._lock:
            now = self._now(layout)
            if now is not None:
                self._set(replace(now, **fields))


def write_job(into: IO[bytes], job: Job) -> None:
    """A task as `worker` reads it."""
    rows, dims = job.matrix.shape
    head = json.dumps({"method": job.method, "rows": rows, "dims": dims, "to": job.to, "params": job.params}).encode()
    into.write(struct.pack("<I", len(head)) + head)
    into.write(np.ascontiguousarray(job.matrix).data)
    into.flush()


def read_message(source: IO[bytes]) -> tuple[dict[str, Any], Matrix | None] | None:
    """What `worker` has to tell next; None when it ended."""
    length = source.read(4)
    if len(length) < 4 or (size := int.from_bytes(length, "little")) > MOST_HEAD_BYTES:
        return None
    try:
        head = json.loads(source.read(size))
    except ValueError:
        return None
    if "rows" not in head:
        return head, None
    rows, dims = head["rows"], head["dims"]
    body = source.read(rows * dims * 4)
    if len(body) < rows * dims * 4:
        return None
    return head, np.frombuffer(body, np.float32).reshape(rows, dims)


def positions_body(layout: Layout) -> bytes:
    """The positions for the page; `docs/http.md` has the layout. Raises NotFound where there are none yet."""
    if layout.positions is None:
        raise NotFound(f"layout {layout.id!r} has no positions yet", hint="wait until its frame is not 0")
    count, dims = layout.positions.shape
    low, high = layout.positions.min(axis=0), layout.positions.max(axis=0)
    spread = np.where(high > low, high - low, 1.0)
    steps: bytes = np.rint((layout.positions - low) / spread * 65535.0).astype("<u2").tobytes()
    ends: bytes = np.stack([low, high], axis=1).astype("<f4").tobytes()
    return struct.pack("<II", count, dims) + ends + steps
