"""Middleware that schedules each request (see `asgi.scheduler`), and cancels it when the client disconnects."""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard import cancellation
from lightboard.asgi import scheduler
from lightboard.asgi.scheduler import ScheduledRequest

CHANGING = frozenset({"PUT", "PATCH", "DELETE"})
"""Methods that are not cancelled: changes are completed, so that they can be published."""


WATCHED_AFTER_SECS = 0.02
"""Most requests finish sooner, and a task that watches the client would cost as much as the response."""


class SchedulingMiddleware:
    """Middleware around `app`. `schedule` says how a request is scheduled."""

    def __init__(self, app: ASGIApp, schedule: Callable[[Scope], ScheduledRequest]) -> None:
        self.app = app
        self.schedule = schedule

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        request = self.schedule(scope)
        request_before = scheduler.current.set(request)
        token_before = cancellation.current.set(request.token)
        try:
            if scope["method"] in CHANGING:
                await self.app(scope, receive, send)
            else:
                await self.run_cancellable(request, scope, receive, send)
        finally:  # a task may handle several requests, and must not keep one that has ended
            cancellation.current.reset(token_before)
            scheduler.current.reset(request_before)

    async def run_cancellable(self, request: ScheduledRequest, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application until it responds or the client disconnects."""
        exchange = _Exchange(request, receive, send)
        timer = asyncio.get_running_loop().call_later(WATCHED_AFTER_SECS, exchange.watch)
        try:
            await self.app(scope, exchange.receive, exchange.send)
        except asyncio.CancelledError:
            if not exchange.has_left:
                raise
            exchange.task.uncancel()
        finally:
            request.token.cancel()
            timer.cancel()
            exchange.end()


class _Exchange:
    """The `receive` and `send` of a request. Cancels the current task if the client disconnects before the end."""

    def __init__(self, request: ScheduledRequest, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.task = task
        self.has_left = False
        self._request = request
        self._is_complete = False
        self._receive = receive
        self._send = send
        self._reading = self._watch_after_read = False
        self._watcher: asyncio.Task[None] | None = None
        self._messages: asyncio.Queue[Message]

    def watch(self) -> None:
        """Notice a disconnect from now on even while the application does not read."""
        self._watch_after_read = True
        if not self._reading:
            self._messages = asyncio.Queue(1)
            self._watcher = asyncio.create_task(self._pass_on())

    async def _pass_on(self) -> None:
        """Read one message ahead of the application."""
        while not self._is_last(message := await self._receive()):
            await self._messages.put(message)
        await self._messages.put(message)

    def _is_last(self, message: Message) -> bool:
        """Whether the client has disconnected. Cancels the task if the response is not complete."""
        if message["type"] != "http.disconnect":
            return False
        if not self._is_complete:
            self.has_left = True
            self._request.token.cancel()
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
            await asyncio.sleep(0)  # the reader is cancelled here
        elif self._watch_after_read:
            self.watch()
        return message

    async def send(self, message: Message) -> None:
        """See ASGI."""
        await self._send(message)
        self._is_complete = message["type"] == "http.response.body" and not message.get("more_body", False)

    def end(self) -> None:
        """Stop watching the client."""
        self._is_complete = True
        if self._watcher is not None:
            self._watcher.cancel()
