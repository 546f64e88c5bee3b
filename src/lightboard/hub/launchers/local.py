"""Runs boards in a few worker processes on this machine. Each worker serves many boards."""

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import (
    ERROR,
    NODE_LOST,
    START_TIMEOUT,
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
from lightboard.hub.launchers.handle import Handle, handle_of, parse, secret_of
from lightboard.hub.launchers.placement import Placement
from lightboard.hub.launchers.worker_client import WorkerClient, WorkerLost, WorkerUnresponsive
from lightboard.hub.launchers.worker_process import WorkerProcess
from lightboard.schema.worker import BoardBody, BoardState, SourceBody, WorkerBody, WorkerState

HUB_HEADER = "X-Lightboard-Hub"

QUERY_SECS = 5.0
"""Timeout for the state of a worker."""

WAIT_SECS = 0.5
"""How long an observation waits for workers. Slower ones are reported as unknown."""

HUNG_SECS = 60.0
"""A worker that did not respond for this long is killed; its boards are started again."""

BACK_OFF_SECS = (0.5, 30.0)
"""A worker that exits is restarted at once. If it exits again soon, the delay starts with the first value and
doubles up to the second.
"""

REAP_SECS = 2.0
"""How long to wait until a process that no longer responds has exited."""

STEADY_SECS = 60.0
"""A worker that ran this long was healthy: its end does not count as a failed start."""


WorkerKey = tuple[str, str]
"""The name and the address of a worker."""

WorkerReply = WorkerState | WorkerUnresponsive | None
"""The state of a worker and its boards, the error of one that does not respond, or None if it is gone."""


class LocalLauncher:
    """See `hub.launchers.base.Launcher`.

    `home` is a folder for worker logs. `key` is shared by the hubs of a database, so that each can use the workers of
    the others. `workers` is the maximum number of processes, `host` the address they listen on.
    """

    name = "local"

    def __init__(
        self,
        home: Path,
        key: bytes,
        workers: int = 1,
        host: str = "127.0.0.1",
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.on_change: OnChange = noop_on_change
        self._home = Path(home) / "workers"
        self._key = key
        self._host = host
        self._slots = [Slot(number) for number in range(max(1, workers))]
        self._placement = Placement(len(self._slots))
        self._clock = clock
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._query_pool = ThreadPoolExecutor(16, thread_name_prefix="lightboard-look")
        self._pending_replies: dict[WorkerKey, Future[WorkerReply]] = {}
        self._last_replies: dict[WorkerKey, WorkerReply] = {}

    def capabilities(self) -> Capabilities:
        return Capabilities()

    def warm(self) -> None:
        self._worker(self._slots[0])

    def start(self, spec: BoardSpec) -> str:
        body = body_of(spec)
        slot = self._slots[self._placement.choose(spec)]
        worker = self._worker(slot)
        try:
            return self._place(worker, slot, spec, body)
        except WorkerLost:
            worker.ended.wait(REAP_SECS)  # it has just exited: retry with a new one
            return self._place(self._worker(slot), slot, spec, body)

    def _place(self, worker: WorkerProcess, slot: "Slot", spec: BoardSpec, body: BoardBody) -> str:
        state = self._client(worker.url, worker.id).put(body)
        self._placement.placed(spec, slot.number)
        return handle_of(state.model_copy(update={"version": spec.version}), worker.id, worker.url, worker.pid)

    def update(self, handle: str, spec: BoardSpec) -> str:
        known = parse_or_raise(handle)
        if known.board != spec.id:
            raise LaunchError("the handle belongs to another board", reason=ERROR)
        state = self._client(known.url, known.worker).put(body_of(spec))
        slot = self._slot_of(known.worker)
        if slot is not None:
            self._placement.placed(spec, slot.number)
        return handle_of(state.model_copy(update={"version": spec.version}), known.worker, known.url, known.pid)

    def observe(self, handles: Sequence[str]) -> list[Observation]:
        parsed = [parse(text) for text in handles]
        replies = self._query_workers({(one.worker, one.url) for one in parsed if one is not None})
        return [
            observation(text, one, *replies[one.worker, one.url] if one else (None, False))
            for text, one in zip(handles, parsed, strict=True)
        ]

    def _query_workers(self, workers: set[WorkerKey]) -> dict[WorkerKey, tuple[WorkerReply, bool]]:
        """The reply of each worker, and whether it is stale: from a query that began before this call.

        Workers are queried in threads, so that one that hangs does not delay the others.
        """
        with self._lock:
            self._pending_replies = {
                worker_key: reply for worker_key, reply in self._pending_replies.items() if not reply.done()
            }
            late = workers.intersection(self._pending_replies)
            self._pending_replies |= {
                worker_key: self._query_pool.submit(self._query, worker_key) for worker_key in workers - late
            }
            requests = {worker_key: self._pending_replies[worker_key] for worker_key in workers}
        wait(requests.values(), WAIT_SECS)
        return {
            worker_key: (reply.result(), worker_key in late)
            if reply.done()
            else (self._last_replies.get(worker_key), True)
            for worker_key, reply in requests.items()
        }

    def _query(self, worker_key: WorkerKey) -> WorkerReply:
        self._last_replies[worker_key] = reply = self._fetch_state(*worker_key)
        if reply is None:
            del self._last_replies[worker_key]
        return reply

    def _fetch_state(self, worker: str, url: str) -> WorkerReply:
        """The state of a worker and its boards, the error of one that does not respond, or None if it is gone."""
        slot = self._slot_of(worker)
        try:
            state = WorkerClient(url, secret_of(self._key, worker), timeout_secs=QUERY_SECS).state()
        except WorkerUnresponsive as error:
            self._kill_if_hung(slot)
            return error
        except LaunchError:
            return None
        if slot is not None:
            slot.responded_at = self._clock()
        return state if state.id == worker else None

    def _kill_if_hung(self, slot: "Slot | None") -> None:
        with self._lock:
            worker = slot.worker if slot is not None else None
            if slot is not None and worker is not None and self._clock() - slot.responded_at > HUNG_SECS:
                worker.kill()

    def stop(self, handle: str, grace_secs: float = 5.0) -> None:
        known = parse(handle)
        if known is None:
            return
        self._placement.gone(known.board)
        try:
            WorkerClient(known.url, secret_of(self._key, known.worker), timeout_secs=max(1.0, grace_secs)).delete(
                known.board
            )
        except LaunchError:
            return  # the worker is gone with its boards

    def logs(self, handle: str, lines: int) -> list[str]:
        known = parse(handle)
        if known is None:
            return []
        try:
            return self._client(known.url, known.worker).log(known.board, lines)
        except LaunchError:
            return []

    def address(self, handle: str) -> Address:
        known = parse_or_raise(handle)
        return Address(base_url=known.url, headers={HUB_HEADER: secret_of(self._key, known.worker)})

    def probe(self, source: SourceSpec) -> Probe:
        worker = self._worker(self._slots[0])
        return Probe(**self._client(worker.url, worker.id).probe(source_of(source)).model_dump())

    def close(self) -> None:
        self._closed.set()
        for slot in self._slots:
            with slot.starting, self._lock:
                worker, slot.worker = slot.worker, None
            if worker is not None:
                worker.close(grace_secs=2.0)
        self._query_pool.shutdown(wait=False, cancel_futures=True)

    # Workers

    def pids(self) -> list[int]:
        """The running processes."""
        return [slot.worker.pid for slot in self._slots if slot.worker is not None]

    def _client(self, url: str, worker: str) -> WorkerClient:
        return WorkerClient(url, secret_of(self._key, worker))

    def _slot_of(self, worker: str) -> "Slot | None":
        return next((slot for slot in self._slots if slot.worker is not None and slot.worker.id == worker), None)

    def _worker(self, slot: "Slot") -> WorkerProcess:
        """The worker of a slot, started if needed. Raises LaunchError."""
        with slot.starting:
            worker = slot.worker
            if worker is not None and not worker.ended.is_set():
                return worker
            if self._closed.is_set():
                raise LaunchError("the launcher is closed", reason=NODE_LOST)
            wait_secs = slot.not_before - self._clock()
            if wait_secs > BACK_OFF_SECS[0]:
                raise LaunchError(
                    f"board workers exit as soon as they start; the next attempt is in {wait_secs:.0f} s",
                    reason=START_TIMEOUT,
                    hint=slot.last_line,
                )
            self._closed.wait(max(0.0, wait_secs))
            slot.started_at = slot.responded_at = self._clock()
            id = f"w-{secrets.token_hex(8)}"
            body = WorkerBody(id=id, secret=secret_of(self._key, id), host=self._host)
            try:
                slot.worker = WorkerProcess(body, self._home / str(slot.number), lambda gone: self._ended(slot, gone))
            except LaunchError as error:
                slot.failed(self._clock(), error.hint)
                raise
            return slot.worker

    def _ended(self, slot: "Slot", worker: WorkerProcess) -> None:
        """Handles the exit of a worker. Its boards are gone; a new worker is started in advance."""
        if self._closed.is_set():
            return
        with self._lock:
            if slot.worker is worker:
                slot.worker = None
        self._placement.lost(slot.number)
        slot.failed(self._clock(), worker.last_line())
        self.on_change()
        self._closed.wait(max(0.0, slot.not_before - self._clock()))
        try:
            self._worker(slot)
        except LaunchError:
            self.on_change()


class Slot:
    """The place of one worker, with its recent failures."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.starting = threading.Lock()
        self.worker: WorkerProcess | None = None
        self.started_at = 0.0
        self.responded_at = 0.0
        self.not_before = 0.0
        self.last_line = ""
        self._failures = 0

    def failed(self, now: float, last_line: str) -> None:
        """Records a failure. The next start is delayed if this worker did not run for long."""
        self.last_line = last_line
        self._failures = 1 if now - self.started_at > STEADY_SECS else self._failures + 1
        self.not_before = now + delay_secs(self._failures)


def delay_secs(failures: int) -> float:
    """The delay after a number of consecutive failures."""
    shortest, longest = BACK_OFF_SECS
    return min(longest, shortest * 2.0 ** min(failures - 2, 30)) if failures > 1 else 0.0


def body_of(spec: BoardSpec) -> BoardBody:
    """The request body for a spec. Raises LaunchError if it is invalid."""
    try:
        return BoardBody(
            id=spec.id,
            version=spec.version,
            sources=[source_of(source) for source in spec.sources],
            prefix=spec.prefix,
            title=spec.title,
            overlay=spec.overlay,
            reload_secs=spec.reload_secs,
        )
    except ValueError as error:
        raise LaunchError(f"the board spec is not valid: {wrong_fields(error)}", reason=ERROR) from None


def wrong_fields(error: ValueError) -> str:
    """The names of invalid fields, without their values, which may be secret."""
    errors = getattr(error, "errors", None)
    found = errors(include_input=False, include_url=False, include_context=False) if errors else []
    return ", ".join(".".join(map(str, one["loc"])) for one in found) or "wrong fields"


def source_of(source: SourceSpec) -> SourceBody:
    """The request body for one source."""
    return SourceBody(
        alias=source.alias,
        url=source.url,
        options=dict(source.options),
        include=source.include,
        exclude=source.exclude,
        shown=source.shown,
        roots=list(source.roots),
        refused=list(source.refused),
    )


def parse_or_raise(handle: str) -> Handle:
    """Parses a handle. Raises LaunchError if it is invalid."""
    known = parse(handle)
    if known is None:
        raise LaunchError("this is not a handle of a local board", reason=NODE_LOST)
    return known


def observation(text: str, handle: Handle | None, reply: WorkerReply, late: bool) -> Observation:
    """The observation of a board from its worker's reply. A `late` reply may be older than the board."""
    if handle is None:
        return Observation(
            handle=text, id="", phase=BoardPhase.GONE, reason=NODE_LOST, message="no handle of a local board"
        )
    known = isinstance(reply, WorkerState) and any(board.id == handle.board for board in reply.boards)
    if late and not known and not isinstance(reply, WorkerUnresponsive):
        return Observation(handle=text, id=handle.board, phase=BoardPhase.UNKNOWN)
    if reply is None:
        message = "its worker is gone"
        return Observation(handle=text, id=handle.board, phase=BoardPhase.GONE, reason=NODE_LOST, message=message)
    if isinstance(reply, WorkerUnresponsive):
        # It may only be slow. Two copies of a board are worse than a late response.
        return Observation(
            handle=text, id=handle.board, phase=BoardPhase.UNRESPONSIVE, reason=reply.reason, message=reply.message
        )
    state = next((board for board in reply.boards if board.id == handle.board), None)
    if state is None:
        message = "its worker does not know it"
        return Observation(handle=text, id=handle.board, phase=BoardPhase.GONE, reason=NODE_LOST, message=message)
    return observation_of(text, state, reply)


def observation_of(text: str, state: BoardState, worker: WorkerState) -> Observation:
    """The observation of a board that its worker knows."""
    return Observation(
        handle=text,
        id=state.id,
        phase=BoardPhase(state.state),
        reason=state.reason,
        message=state.message,
        progress=Progress(**state.progress.model_dump()) if state.progress is not None else None,
        memory_bytes=state.memory_bytes,
        process_memory_bytes=worker.memory_bytes,
        process_boards=len(worker.boards),
        cpu_secs=worker.cpu_secs,
    )
