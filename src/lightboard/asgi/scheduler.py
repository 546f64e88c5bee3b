"""Threads in lanes: work of one lane never waits for work of another, and within a lane clients take turns.

A request has a *turn*: its lane, whose it is, and a token that cancels it. Work that is made of pieces gives way after
a few milliseconds, so that a long answer never stands before a short one; work that nobody waits for any more is not
begun, and stops at its next look at the token. Not here: which request belongs to which lane.
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
from lightboard.asgi.slots import Slots
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.cancellation import CancelToken
from lightboard.errors import TooMany

P = ParamSpec("P")
T = TypeVar("T")

Pieces = Generator[bytes | int | None, None, None]
"""An answer as it is made; None is a moment at which the work can give way, and a number says how many bytes it will
hold at once from now on."""

HEAVY_BYTES = 2 << 20
"""Work that holds more waits for one of a few slots: as all work gives way, all of it would be held half made."""

HEAVY_SLOTS, HEAVY_SLOTS_EACH = 4, 2
"""In all, and of one client."""

QUANTUM_SECS = 0.003
"""So long work made of pieces goes on before others of its lane have their turn."""

PIECE_BYTES = 256 << 10
"""Sent at once; smaller pieces are gathered, since each costs a turn of the event loop."""

REST_SECS = 1.0
"""So long a thread of a lane waits for the next request: to hand one over costs less than to begin anew."""

MOST_WAITING = 256
"""Requests that one client may have waiting in one lane; a browser has six."""


class Lane(NamedTuple):
    """`threads` work at once; a request may work for `secs` seconds in all, not counting what it waits."""

    threads: int
    secs: float = math.inf


_numbers = itertools.count()


@dataclass(eq=False)
class Turn:
    """Of one request: its lane, the path by which turns are shared (board, client), what it has worked, its token."""

    lane: str
    client: tuple[str, ...]
    token: CancelToken = field(default_factory=CancelToken)
    used_secs: float = 0.0
    number: int = field(default_factory=_numbers.__next__)

    @property
    def flow(self) -> tuple[str | int, ...]:
        """Its path in the queue: requests of one client share what the client gets."""
        return (*self.client, self.number)


current: contextvars.ContextVar[Turn | None] = contextvars.ContextVar("turn", default=None)
"""The turn of the request that a task answers; None where work belongs to no request."""


def shared_context() -> contextvars.Context:
    """For work that is begun by one request and waited for by several: it has a turn like that of the request, and a
    token of its own, so that it goes on when the request ends."""
    context = contextvars.copy_context()
    turn = current.get()
    if turn is not None:
        own = Turn(turn.lane, turn.client)
        context.run(current.set, own)
        context.run(cancellation.current.set, own.token)
    return context


class Scheduler(AsyncThreadPool):
    """A pool whose calls take turns, by the lane and the client of the request that the calling task answers.

    Calls that belong to no request, and those of `run`, have threads of their own.
    """

    def __init__(self, lanes: Mapping[str, Lane], threads: int = 3) -> None:
        super().__init__(threads)
        self._heavy = Slots(HEAVY_SLOTS, HEAVY_SLOTS_EACH)
        self._alone = Slots(1, 1)
        self._lanes = {name: _Queue(name, lane) for name, lane in lanes.items()}

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`function(...)` in a thread of the lane; its exceptions are raised here.

        Raises TooMany where the client has too much waiting. What has not begun when the caller is cancelled, never
        will.
        """
        turn = current.get()
        if turn is None:
            return await super().call(function, *args, **kwargs)
        queue, job = self._lanes[turn.lane], _Job(turn, lambda: (True, function(*args, **kwargs)))
        try:
            result: T = await queue.begin(job)
        finally:
            queue.abandon(job)
        return result

    async def call_alone(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `call`, for what keeps the interpreter lock to its end, such as the parser of JSON.

        One at a time: between two of them the event loop has its turn. Who leaves while it is at work gives no other
        a place beside it.
        """
        turn = current.get()
        client = turn.client if turn else ()
        await self._alone.acquire(client)
        work = asyncio.ensure_future(self.call(function, *args, **kwargs))
        work.add_done_callback(lambda _: self._alone.release(client))
        work.add_done_callback(_note_error)
        return await asyncio.shield(work)

    def stream(self, pieces: Pieces) -> "AnswerStream":
        """The answer in pieces of about PIECE_BYTES, each with whether it is the last. Errors as `call`."""
        turn = current.get() or Turn(next(iter(self._lanes)), ())
        return AnswerStream(turn, pieces, self._lanes[turn.lane], self._heavy)

    def close(self, *, wait: bool = False) -> None:
        """See AsyncThreadPool."""
        for queue in self._lanes.values():
            queue.close(wait=wait)
        super().close(wait=wait)


def _note_error(work: "asyncio.Future[Any]") -> None:
    """Of work that nobody waits for any more it is no news."""
    if not work.cancelled():
        work.exception()


class _Job:
    """`step()` does a bit of work and says (is there a result, the result)."""

    __slots__ = ("context", "future", "loop", "step", "turn")

    def __init__(self, turn: Turn, step: Callable[[], tuple[bool, Any]]) -> None:
        self.turn = turn
        self.step = step
        self.context = contextvars.copy_context()
        self.context.run(cancellation.current.set, turn.token)
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any]

    def deliver(self, result: Any, error: BaseException | None) -> None:
        """From any thread: to whoever waits, if anybody still does."""
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(settle, self.future, result, error)


def settle(future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    """Hand over what came of a job."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


class _Queue:
    """The threads of one lane, and the jobs that wait for them. From any thread."""

    def __init__(self, name: str, lane: Lane) -> None:
        self._lane = lane
        self._lock = threading.Lock()
        self._waiting: FairQueue[_Job] = FairQueue(QUANTUM_SECS)
        self._closed = False
        self._threads = 0
        self._idle = 0  # of them; what is put into `_handed` is for one of these
        self._handed: SimpleQueue[_Job | None] = SimpleQueue()
        self._executor = ThreadPoolExecutor(lane.threads, thread_name_prefix=f"answer-{name}")

    def begin(self, job: _Job) -> "asyncio.Future[Any]":
        """What will come of the next result of a job. Raises TooMany."""
        turn = job.turn
        job.future = job.loop.create_future()
        with self._lock:
            if self._idle:  # then nobody waits, and there are no turns to be taken
                self._idle -= 1
                self._handed.put(job)
            elif self._threads < self._lane.threads:
                self._executor.submit(self._work, job)
                self._threads += 1
            elif self._waiting.waiting(turn.client) >= MOST_WAITING:
                raise TooMany("too many requests of this client wait already", hint="wait for answers")
            else:
                self._waiting.put(turn.flow, job)
        return job.future

    def abandon(self, job: _Job) -> None:
        """Nobody waits for it any more: not begun if it has not begun."""
        if job.future.done() and not job.future.cancelled():  # it was made, and no more of it waits
            return
        job.future.cancel()
        with self._lock:
            self._waiting.discard(job.turn.flow, job)

    def close(self, *, wait: bool) -> None:
        """Takes no more work."""
        with self._lock:
            self._closed = True
            for _ in range(self._idle):
                self._handed.put(None)
            self._threads -= self._idle
            self._idle = 0
        self._executor.shutdown(wait=wait, cancel_futures=True)

    def _work(self, first: _Job) -> None:
        """One thread: job after job, until none comes for a while."""
        job: _Job | None = first
        del first
        counted = False
        while job is not None:
            began = time.monotonic()
            job.turn.token.deadline = began + self._lane.secs - job.turn.used_secs
            result, error, done = None, None, True
            try:
                if job.future.cancelled():
                    raise cancellation.Cancelled
                job.turn.token.check()
                done, result = job.context.run(job.step)
            except BaseException as raised:
                error = raised
            secs = time.monotonic() - began
            job.turn.used_secs += secs
            following = self._next(job, secs, again=not done, counted=counted)
            if done:
                job.deliver(result, error)
            del job, result, error  # a thread that rests holds nothing
            job, counted = following or self._rest(), following is not None

    def _next(self, job: _Job, secs: float, *, again: bool, counted: bool) -> _Job | None:
        """The job after one that took so many seconds; None if none waits, and the thread is idle from now on.

        `counted`: the job was in the queue.
        """
        with self._lock:
            if again:
                self._waiting.put(job.turn.flow, job)
            if counted:
                self._waiting.charge(job.turn.flow, secs)
            if self._waiting:
                return self._waiting.take()
            if self._closed:
                self._handed.put(None)
                self._threads -= 1
            else:
                self._idle += 1
            return None

    def _rest(self) -> _Job | None:
        """A job that comes within REST_SECS; None where the thread is to end."""
        with suppress(Empty):
            return self._handed.get(timeout=REST_SECS)
        with self._lock:
            with suppress(Empty):
                return self._handed.get_nowait()  # it came this moment
            self._idle -= 1
            self._threads -= 1
            return None


class AnswerStream:
    """Pieces of one answer. One is made while the one before it is sent, and no more.

    To be closed unless it came to its end or failed, which closes what makes the pieces.
    """

    def __init__(self, turn: Turn, pieces: Pieces, queue: _Queue, heavy: Slots) -> None:
        self._queue = queue
        self._gathering = _Gathering(pieces, turn.token)
        self._job = _Job(turn, self._gathering.step)
        self._next: asyncio.Future[tuple[bytes, bool] | None] = queue.begin(self._job)
        self._ended = False
        self._slots = heavy
        self._is_heavy = False

    def __aiter__(self) -> "AnswerStream":
        return self

    async def __anext__(self) -> tuple[bytes, bool]:
        if self._ended:
            raise StopAsyncIteration
        try:
            while (made := await self._next) is None:
                await self._weigh()
                self._next = self._queue.begin(self._job)
            if made[1]:
                self.close()
            else:
                self._next = self._queue.begin(self._job)
        except BaseException:
            self.close()
            raise
        return made

    async def _weigh(self) -> None:
        """Has a slot where the work is heavy, and none where it turned out not to be."""
        if self._gathering.heavy:
            await self._slots.acquire(self._job.turn.client)
        else:
            self._slots.release(self._job.turn.client)
        self._is_heavy = self._gathering.heavy

    def close(self) -> None:
        """No more is made."""
        if self._ended:
            return
        self._ended = True
        self._queue.abandon(self._job)
        self._gathering.close()
        if self._is_heavy:
            self._slots.release(self._job.turn.client)


class _Gathering:
    """Pieces in steps of a quantum, handed over when there is enough of them. Any thread may do the next step."""

    def __init__(self, pieces: Pieces, token: CancelToken) -> None:
        self._pieces = pieces
        self._token = token
        self._made: list[bytes] = []
        self._size = 0
        self._lock = threading.Lock()
        self._closed = False
        self.heavy = False

    def step(self) -> tuple[bool, tuple[bytes, bool] | None]:
        """Work for a quantum: (True, (bytes, is it the last)) where there is something to send, (True, None) where the
        work became heavy, or is no longer."""
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
                    self._made.append(piece)
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
        made = self._made[0] if len(self._made) == 1 else b"".join(self._made)
        self._made, self._size = [], 0
        return made

    def close(self) -> None:
        """No step comes after this one. A step that is under way ends the work itself."""
        self._closed = True
        if self._lock.acquire(blocking=False):
            try:
                self._made.clear()
                self._pieces.close()
            finally:
                self._lock.release()
