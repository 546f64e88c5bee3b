"""Every request gets its turn, and ends when its client leaves. See `asgi.scheduler` for what a turn is."""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard import cancellation
from lightboard.asgi import scheduler
from lightboard.asgi.scheduler import Turn

CHANGING = frozenset({"PUT", "PATCH", "DELETE"})
"""What changes something is done to its end once it was asked for: others are to be told of it."""


WATCHED_AFTER_SECS = 0.02
"""Most requests are answered sooner, and a task that watches their client would cost as much as the answer."""


class Turns:
    """An ASGI application around `app`, which is cancelled when the client leaves; `turn_of` makes the turn."""

    def __init__(self, app: ASGIApp, turn_of: Callable[[Scope], Turn]) -> None:
        self.app = app
        self.turn_of = turn_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        turn = self.turn_of(scope)
        turn_before = scheduler.current.set(turn)
        token_before = cancellation.current.set(turn.token)
        try:
            if scope["method"] in CHANGING:
                await self.app(scope, receive, send)
            else:
                await self.answer(turn, scope, receive, send)
        finally:  # a caller that asks twice in one task must not go on with a turn that has ended
            cancellation.current.reset(token_before)
            scheduler.current.reset(turn_before)

    async def answer(self, turn: Turn, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers, unless the client leaves first."""
        exchange = _Exchange(turn, receive, send)
        timer = asyncio.get_running_loop().call_later(WATCHED_AFTER_SECS, exchange.watch)
        try:
            await self.app(scope, exchange.receive, exchange.send)
        except asyncio.CancelledError:
            if not exchange.left:
                raise
            exchange.task.uncancel()
        finally:
            turn.token.cancel()
            timer.cancel()
            exchange.end()


class _Exchange:
    """Both directions of the request that the current task answers, which is cancelled if the client leaves before."""

    def __init__(self, turn: Turn, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None  # coroutines run in tasks
        self.task = task
        self.left = False
        self._turn = turn
        self._answered = False
        self._receive = receive
        self._send = send
        self._reading = self._late = False
        self._watcher: asyncio.Task[None] | None = None
        self._messages: asyncio.Queue[Message]

    def watch(self) -> None:
        """From now on the client's leaving is noticed also while nobody reads."""
        self._late = True
        if not self._reading:
            self._messages = asyncio.Queue(1)
            self._watcher = asyncio.create_task(self._pass_on())

    async def _pass_on(self) -> None:
        """Reads one message ahead of whoever reads."""
        while not self._is_last(message := await self._receive()):
            await self._messages.put(message)
        await self._messages.put(message)

    def _is_last(self, message: Message) -> bool:
        """Has the client left? Then nothing more is worth doing, unless all was answered."""
        if message["type"] != "http.disconnect":
            return False
        if not self._answered:
            self.left = True
            self._turn.token.cancel()
            self.task.cancel()
        return True

    async def receive(self) -> Message:
        """See ASGI."""
        if self._watcher is not None:
            return await self._messages.get()
        self._reading = True
        try:
            message = await self._receive()
        finally:
            self._reading = False
        if self._is_last(message):
            await asyncio.sleep(0)  # here whoever reads is cancelled, which is news enough
        elif self._late:
            self.watch()
        return message

    async def send(self, message: Message) -> None:
        """See ASGI."""
        await self._send(message)
        self._answered = message["type"] == "http.response.body" and not message.get("more_body", False)

    def end(self) -> None:
        """Nothing is read any more, and nobody is cancelled."""
        self._answered = True
        if self._watcher is not None:
            self._watcher.cancel()
