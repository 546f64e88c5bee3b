"""Schedules blocking work in lanes of threads. Lanes never wait for each other; a lane is shared fairly by clients.

A scheduled request has its lane, its client, and a token that cancels it. Responses in pieces yield to others after a
few milliseconds, so that long ones do not delay short ones. Cancelled work is not started, or stops at its next check
of the token. Not here: which request belongs to which lane.
"""

import asyncio
import contextvars
import itertools
import math
import threading
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from lightboard import cancellation
from lightboard.asgi.fair_queue import FairQueue
from lightboard.asgi.fair_semaphore import FairSemaphore
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.cancellation import CancelToken
from lightboard.errors import TooMany

P = ParamSpec("P")
T = TypeVar("T")

Pieces = Generator[bytes | int | None, None, None]
"""Generates a response. None is a point where the work can be interrupted, and a number is an estimate of the bytes of
memory that it needs from there on."""

HEAVY_BYTES = 2 << 20
"""Work that needs more memory must acquire one of a few slots, since much interrupted work may be in memory at once."""

HEAVY_SLOTS, HEAVY_SLOTS_EACH = 4, 2
"""In total, and per client."""

QUANTUM_SECS = 0.003
"""How long a response in pieces runs before other work of its lane."""

PIECE_BYTES = 256 << 10
"""Bytes sent at once. Smaller pieces are collected, since each costs an iteration of the event loop."""

IDLE_SECS = 1.0
"""How long an idle thread waits for work: reusing a thread is cheaper than starting one."""

MAX_WAITING = 256
"""Waiting requests per client and lane. A browser has at most six."""


class Lane(NamedTuple):
    """The number of threads, and the time limit of one request, not counting time spent waiting."""

    threads: int
    secs: float = math.inf


_numbers = itertools.count()


@dataclass(eq=False)
class ScheduledRequest:
    """How a request is scheduled: its lane, its client as a path for the fair queue, the time used, its token."""

    lane: str
    client: tuple[str, ...]
    token: CancelToken = field(default_factory=CancelToken)
    used_secs: float = 0.0
    number: int = field(default_factory=_numbers.__next__)

    @property
    def flow(self) -> tuple[str | int, ...]:
        """Its path in the fair queue."""
        return (*self.client, self.number)


current: contextvars.ContextVar[ScheduledRequest | None] = contextvars.ContextVar("scheduled_request", default=None)
"""That of the current task; None if the task belongs to no request."""


def shared_context() -> contextvars.Context:
    """A context for work that several requests wait for.

    It has the lane and client of the current request, but a token of its own, so that the work continues if the request
    is cancelled.
    """
    context = contextvars.copy_context()
    request = current.get()
    if request is not None:
        own = ScheduledRequest(request.lane, request.client)
        context.run(current.set, own)
        context.run(cancellation.current.set, own.token)
    return context


class Scheduler(AsyncThreadPool):
    """A thread pool that schedules calls by the lane and client of the current request.

    Calls without a request, and those of `run`, use separate threads.
    """

    def __init__(self, lanes: Mapping[str, Lane], threads: int = 3) -> None:
        super().__init__(threads)
        self._heavy = FairSemaphore(HEAVY_SLOTS, HEAVY_SLOTS_EACH)
        self._alone = FairSemaphore(1, 1)
        self._lanes = {name: _Queue(name, lane) for name, lane in lanes.items()}

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `function(...)` in a thread of the lane, and return its result or raise its exception.

        Raises TooMany if the client has too many waiting requests. If the caller is cancelled before the function has
        started, it is not run.
        """
        request = current.get()
        if request is None:
            return await super().call(function, *args, **kwargs)
        queue, job = self._lanes[request.lane], _Job(request, lambda: (True, function(*args, **kwargs)))
        try:
            result: T = await queue.begin(job)
        finally:
            queue.abandon(job)
        return result

    async def call_alone(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `call`, one at a time, for functions that never release the interpreter lock, such as JSON parsers.

        The event loop runs between two of them. A cancelled call keeps its slot until the function returns.
        """
        request = current.get()
        client = request.client if request else ()
        await self._alone.acquire(client)
        work = asyncio.ensure_future(self.call(function, *args, **kwargs))
        work.add_done_callback(lambda _: self._alone.release(client))
        work.add_done_callback(_retrieve_error)
        return await asyncio.shield(work)

    def stream(self, pieces: Pieces) -> "ResponseStream":
        """The response in pieces of about PIECE_BYTES, each with whether it is the last. Raises as `call`."""
        request = current.get() or ScheduledRequest(next(iter(self._lanes)), ())
        return ResponseStream(request, pieces, self._lanes[request.lane], self._heavy)

    def close(self, *, wait: bool = False) -> None:
        """See AsyncThreadPool."""
        for queue in self._lanes.values():
            queue.close(wait=wait)
        super().close(wait=wait)


def _retrieve_error(work: "asyncio.Future[Any]") -> None:
    """Avoid asyncio's warning about exceptions of abandoned work."""
    if not work.cancelled():
        work.exception()


class _Job:
    """Work in steps. `step()` returns (whether there is a result, the result)."""

    __slots__ = ("context", "future", "loop", "request", "step")

    def __init__(self, request: ScheduledRequest, step: Callable[[], tuple[bool, Any]]) -> None:
        self.request = request
        self.step = step
        self.context = contextvars.copy_context()
        self.context.run(cancellation.current.set, request.token)
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any]

    def deliver(self, result: Any, error: BaseException | None) -> None:
        """Resolve the future. Called from any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(resolve, self.future, result, error)


def resolve(future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    """Set the result or exception of a future, unless it is done."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


class _Queue:
    """The threads of one lane and their waiting jobs. Thread-safe."""

    def __init__(self, name: str, lane: Lane) -> None:
        self._lane = lane
        self._lock = threading.Lock()
        self._waiting: FairQueue[_Job] = FairQueue(QUANTUM_SECS)
        self._closed = False
        self._threads = 0
        self._idle = 0  # idle threads; each takes one item from `_handoff`
        self._handoff: SimpleQueue[_Job | None] = SimpleQueue()
        self._executor = ThreadPoolExecutor(lane.threads, thread_name_prefix=f"answer-{name}")

    def begin(self, job: _Job) -> "asyncio.Future[Any]":
        """A future of the next result of a job. Raises TooMany."""
        request = job.request
        job.future = job.loop.create_future()
        with self._lock:
            if self._idle:  # then the queue is empty
                self._idle -= 1
                self._handoff.put(job)
            elif self._threads < self._lane.threads:
                self._executor.submit(self._work, job)
                self._threads += 1
            elif self._waiting.waiting(request.client) >= MAX_WAITING:
                raise TooMany("too many requests of this client are waiting", hint="wait for responses")
            else:
                self._waiting.put(request.flow, job)
        return job.future

    def abandon(self, job: _Job) -> None:
        """Cancel a job. If it has not started, it is not run."""
        if job.future.done() and not job.future.cancelled():  # it is complete
            return
        job.future.cancel()
        with self._lock:
            self._waiting.discard(job.request.flow, job)

    def close(self, *, wait: bool) -> None:
        """Accept no more work."""
        with self._lock:
            self._closed = True
            for _ in range(self._idle):
                self._handoff.put(None)
            self._threads -= self._idle
            self._idle = 0
        self._executor.shutdown(wait=wait, cancel_futures=True)

    def _work(self, first: _Job) -> None:
        """Run jobs in one thread, until none arrives for a while."""
        job: _Job | None = first
        del first
        counted = False
        while job is not None:
            began = time.monotonic()
            job.request.token.deadline = began + self._lane.secs - job.request.used_secs
            result, error, done = None, None, True
            try:
                if job.future.cancelled():
                    raise cancellation.Cancelled
                job.request.token.check()
                done, result = job.context.run(job.step)
            except BaseException as raised:
                error = raised
            secs = time.monotonic() - began
            job.request.used_secs += secs
            next_job = self._next(job, secs, again=not done, counted=counted)
            if done:
                job.deliver(result, error)
            del job, result, error  # an idle thread must not keep references
            job, counted = next_job or self._wait_for_job(), next_job is not None

    def _next(self, job: _Job, secs: float, *, again: bool, counted: bool) -> _Job | None:
        """The job after one that took `secs`. None if there is none; then the thread is marked as idle.

        `counted`: the job was taken from the queue.
        """
        with self._lock:
            if again:
                self._waiting.put(job.request.flow, job)
            if counted:
                self._waiting.charge(job.request.flow, secs)
            if self._waiting:
                return self._waiting.take()
            if self._closed:
                self._handoff.put(None)
                self._threads -= 1
            else:
                self._idle += 1
            return None

    def _wait_for_job(self) -> _Job | None:
        """A job that arrives within IDLE_SECS; None if the thread must end."""
        with suppress(Empty):
            return self._handoff.get(timeout=IDLE_SECS)
        with self._lock:
            with suppress(Empty):
                return self._handoff.get_nowait()  # it arrived after the timeout
            self._idle -= 1
            self._threads -= 1
            return None


class ResponseStream:
    """Pieces of one response. Only one piece is generated ahead while the previous one is sent.

    Must be closed unless it ended or failed. That closes the generator of the pieces.
    """

    def __init__(self, request: ScheduledRequest, pieces: Pieces, queue: _Queue, heavy: FairSemaphore) -> None:
        self._queue = queue
        self._buffer = _PieceBuffer(pieces, request.token)
        self._job = _Job(request, self._buffer.step)
        self._next: asyncio.Future[tuple[bytes, bool] | None] = queue.begin(self._job)
        self._ended = False
        self._slots = heavy
        self._is_heavy = False

    def __aiter__(self) -> "ResponseStream":
        return self

    async def __anext__(self) -> tuple[bytes, bool]:
        if self._ended:
            raise StopAsyncIteration
        try:
            while (result := await self._next) is None:
                await self._update_slot()
                self._next = self._queue.begin(self._job)
            if result[1]:
                self.close()
            else:
                self._next = self._queue.begin(self._job)
        except BaseException:
            self.close()
            raise
        return result

    async def _update_slot(self) -> None:
        """Acquire a slot if the work became heavy, release it if it no longer is."""
        if self._buffer.heavy:
            await self._slots.acquire(self._job.request.client)
        else:
            self._slots.release(self._job.request.client)
        self._is_heavy = self._buffer.heavy

    def close(self) -> None:
        """Stop generating pieces."""
        if self._ended:
            return
        self._ended = True
        self._queue.abandon(self._job)
        self._buffer.close()
        if self._is_heavy:
            self._slots.release(self._job.request.client)


class _PieceBuffer:
    """Runs a generator of pieces for a quantum per step, and collects small pieces. Steps may run in any thread."""

    def __init__(self, pieces: Pieces, token: CancelToken) -> None:
        self._pieces = pieces
        self._token = token
        self._collected: list[bytes] = []
        self._size = 0
        self._lock = threading.Lock()
        self._closed = False
        self.heavy = False

    def step(self) -> tuple[bool, tuple[bytes, bool] | None]:
        """Work for a quantum.

        Returns (True, (bytes, is last)) if there are bytes to send, (True, None) if the work became heavy or is no
        longer heavy, and (False, None) otherwise.
        """
        with self._lock:
            if self._closed:
                raise cancellation.Cancelled
            check = self._token.check
            until = time.monotonic() + QUANTUM_SECS
            for piece in self._pieces:
                if isinstance(piece, int):
                    if (piece > HEAVY_BYTES) != self.heavy:
                        self.heavy = not self.heavy
                        return True, None
                elif piece:
                    self._collected.append(piece)
                    self._size += len(piece)
                    if self._size >= PIECE_BYTES:
                        return True, (self._take(), False)
                if self._closed:
                    raise cancellation.Cancelled
                check()
                if time.monotonic() >= until:
                    return False, None
            return True, (self._take(), True)

    def _take(self) -> bytes:
        result = self._collected[0] if len(self._collected) == 1 else b"".join(self._collected)
        self._collected, self._size = [], 0
        return result

    def close(self) -> None:
        """Allow no further step. A running step closes the generator itself."""
        self._closed = True
        if self._lock.acquire(blocking=False):
            try:
                self._collected.clear()
                self._pieces.close()
            finally:
                self._lock.release()
