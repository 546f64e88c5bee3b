"""Layouts of points: a cache of finished ones, and a queue of those that subprocesses compute one after another.

The id of a layout is derived from the request, so that repeated requests share one layout. Not here: the methods
(`worker`, `pca`, `custom`), reading vectors (`tables`).
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

MAX_LAYOUTS = 64
MAX_LAYOUT_BYTES = 256 << 20
"""Limits of cached layouts. The oldest finished ones are dropped above them."""

MAX_QUEUED = 16
MAX_HEADER_BYTES = 1 << 16
"""Limit of the JSON header of a message."""


@dataclass(frozen=True)
class Layout:
    """The state of one layout.

    `rows` are the row numbers of its points, None for all rows of the table; `total` is the number of requested points,
    of which `rows` may be a sample. `positions` is [points, dims], and `frame` counts its updates. `progress` goes from
    0 to 1. `variance` has the fraction of each principal component. `attempt` tells repeated computations apart.
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
    attempt: int = 0

    @property
    def finished(self) -> bool:
        """Whether it will not change any more."""
        return self.state in ("done", "failed", "cancelled")


class Job(NamedTuple):
    """The task of a subprocess: lay out the rows of `matrix` in `to` dimensions, with parameters of the method."""

    matrix: Matrix
    method: str
    to: int
    params: dict[str, float]


class ProcessSlots:
    """A fair semaphore for `count` subprocesses: waiting threads proceed in order of arrival. A context manager."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            released = threading.Event()
            self._waiting.append(released)
        released.wait()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._waiting:  # hand the slot over, so that the thread that released it cannot take it again at once
                self._waiting.popleft().set()
            else:
                self._free += 1


SLOTS = ProcessSlots(max(1, (os.cpu_count() or 1) // 2))
"""Shared by all boards of this process. Each board computes one layout at a time, and half of the cores stay free."""


class Layouts:
    """The layouts of one board. All methods may be called from any thread."""

    def __init__(self, command: list[str] | None = None, slots: ProcessSlots = SLOTS) -> None:
        self._slots = slots
        self._command = command or [sys.executable, "-m", "lightboard.query.projector.worker"]
        self._lock = threading.Condition()
        self._layouts: dict[str, Layout] = {}
        self._waiting: deque[tuple[Layout, Callable[[], Job]]] = deque()
        self._process: tuple[Layout, subprocess.Popen[bytes]] | None = None
        self._thread: threading.Thread | None = None
        self._attempts = 0
        self._closed = False

    def get(self, name: str) -> Layout:
        """The layout with this id. Raises NotFound."""
        layout = self._layouts.get(name)
        if layout is None:
            raise NotFound(f"no layout {name!r}", hint="request it again")
        return layout

    def find(self, name: str) -> Layout | None:
        """The layout with this id, or None if there is none or it failed or was cancelled."""
        layout = self._layouts.get(name)
        return layout if layout is not None and layout.state not in ("failed", "cancelled") else None

    def wait(self, name: str, condition: Callable[[Layout], bool], timeout: float) -> Layout:
        """The layout when `condition` is true for it, or after `timeout` seconds. Raises NotFound."""
        with self._lock:
            self._lock.wait_for(lambda: condition(self.get(name)), timeout)
            return self.get(name)

    def put(self, layout: Layout) -> Layout:
        """Cache a finished layout."""
        with self._lock:
            self._set(layout)
            return layout

    def queue(self, layout: Layout, prepare: Callable[[], Job]) -> Layout:
        """Queue a layout for a subprocess. `prepare` is called at its start. Raises BadRequest if the queue is full."""
        with self._lock:
            if len(self._waiting) >= MAX_QUEUED:
                raise BadRequest(f"{MAX_QUEUED} layouts are waiting already", hint="cancel some")
            self._attempts += 1
            layout = replace(layout, attempt=self._attempts)
            self._set(layout)
            self._waiting.append((layout, prepare))
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="lightboard-layouts", daemon=True)
                self._thread.start()
            return layout

    def cancel(self, name: str) -> Layout:
        """Cancel a layout. A finished one stays as it is. Raises NotFound."""
        with self._lock:
            layout = self.get(name)
            if not layout.finished:
                self._waiting = deque(entry for entry in self._waiting if entry[0].id != name)
                layout = replace(layout, state="cancelled", message="")
                self._set(layout)
                if self._process is not None and self._process[0].attempt == layout.attempt:
                    self._process[1].kill()
            return layout

    def close(self) -> None:
        """Kill the running subprocess and start no more."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            if self._process is not None:
                self._process[1].kill()

    # Private methods are called with the lock held, unless they say otherwise.

    def _set(self, layout: Layout) -> None:
        self._layouts.pop(layout.id, None)
        self._layouts[layout.id] = layout
        finished = [each for each in self._layouts.values() if each.finished and each is not layout]
        while finished and (len(self._layouts) > MAX_LAYOUTS or self._bytes() > MAX_LAYOUT_BYTES):
            del self._layouts[finished.pop(0).id]
        self._lock.notify_all()

    def _bytes(self) -> int:
        return sum(each.positions.nbytes for each in self._layouts.values() if each.positions is not None)

    def _work(self) -> None:
        """The target of the thread: run queued tasks until there are none. Called without the lock."""
        busy = True
        while busy:
            with self._slots:
                busy = self._work_once()

    def _work_once(self) -> bool:
        """Run the next task. Returns False if there is none. Called without the lock."""
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
            self._change(layout, state="failed", message=f"the layout could not be computed: {error}")
        return True

    def _run(self, layout: Layout, job: Job) -> None:
        """Run one task in a subprocess. Called without the lock."""
        with self._lock:
            if self._closed or self._current(layout) is None:
                return
            process = subprocess.Popen(  # noqa: S603  # our own module
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            self._process = layout, process
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):  # the subprocess ended, which `_listen` reports
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
        """Apply the messages of the subprocess until it ends. Called without the lock."""
        frame = 0
        while (received := read_message(source)) is not None:
            head, positions = received
            if head.get("error"):
                self._change(layout, state="failed", message=str(head["error"])[:1000])
                return
            changes: dict[str, Any] = {
                "progress": min(1.0, max(0.0, float(head.get("progress", 0.0)))),
                "message": str(head.get("message", ""))[:1000],
            }
            if positions is not None:
                frame += 1
                changes |= {"positions": np.nan_to_num(positions), "frame": frame}
                changes["state"] = "done" if changes["progress"] >= 1 else "running"
            self._change(layout, **changes)
        self._change(
            layout, state="failed", message="the process that computes it ended early, perhaps for lack of memory"
        )

    def _current(self, layout: Layout) -> Layout | None:
        """The current state of this attempt at a layout, or None if it has finished or was replaced by another."""
        current = self._layouts.get(layout.id)
        same = current is not None and current.attempt == layout.attempt and not current.finished
        return current if same else None

    def _change(self, layout: Layout, **fields: Any) -> None:
        """Change fields of a layout, unless this attempt has finished. Called without the lock."""
        with self._lock:
            current = self._current(layout)
            if current is not None:
                self._set(replace(current, **fields))


def write_job(into: IO[bytes], job: Job) -> None:
    """Write a task in the format of `worker`."""
    rows, dims = job.matrix.shape
    head = json.dumps({"method": job.method, "rows": rows, "dims": dims, "to": job.to, "params": job.params}).encode()
    into.write(struct.pack("<I", len(head)) + head)
    into.write(np.ascontiguousarray(job.matrix).data)
    into.flush()


def read_message(source: IO[bytes]) -> tuple[dict[str, Any], Matrix | None] | None:
    """The header and the positions, if any, of the next message of `worker`. None if it ended or wrote nonsense."""
    length = source.read(4)
    if len(length) < 4 or (size := int.from_bytes(length, "little")) > MAX_HEADER_BYTES:
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
    """The positions in the binary format of `docs/http.md`. Raises NotFound if there are none yet.

    Each coordinate is a 16-bit fraction of the range of its dimension.
    """
    if layout.positions is None:
        raise NotFound(f"layout {layout.id!r} has no positions yet", hint="wait until its frame is not 0")
    count, dims = layout.positions.shape
    low, high = layout.positions.min(axis=0), layout.positions.max(axis=0)
    spread = np.where(high > low, high - low, 1.0)
    steps: bytes = np.rint((layout.positions - low) / spread * 65535.0).astype("<u2").tobytes()
    ends: bytes = np.stack([low, high], axis=1).astype("<f4").tobytes()
    return struct.pack("<II", count, dims) + ends + steps
