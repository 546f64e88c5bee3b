"""Connects a WebSocket to a command in a job. Nothing is stored: who does not read makes the other side wait."""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive, Send

from lightboard.errors import BadRequest
from lightboard.hub.api.exec_channels import (
    STDERR,
    STDOUT,
    EndOfInput,
    Input,
    Processed,
    output_message,
    parse_message,
    status_message,
)
from lightboard.hub.api.output_window import OutputWindow
from lightboard.hub.runners.exec_session import Ended, Event, ExecSession, NotStarted, TerminalSize

READ_BYTES = 64 << 10
DRAIN_BYTES = 4 << 20
"""Of each output after the command has ended. Its children may write for ever."""
START_SECS = 60.0
HEARTBEAT_SECS = 20.0
"""How often a client that sends input, which the command does not read, is looked for."""


class ExecBridge:
    """One command. Only its own coroutines use `session`, whose descriptors are registered with the event loop."""

    def __init__(self, session: ExecSession, window: OutputWindow, receive: Receive, send: Send) -> None:
        self._session = session
        self._window = window
        self._receive = receive
        self._send = send
        self._ended = asyncio.Event()

    async def wait_for_start(self) -> None:
        """Returns when the command is executed. Raises BadRequest if it is not."""
        try:
            async with asyncio.timeout(START_SECS):
                event = await self._next_event()
        except TimeoutError:
            event = NotStarted("the command was not started in time", "try again")
        if isinstance(event, NotStarted):
            raise BadRequest(event.message, hint=event.hint)
        if isinstance(event, Ended):
            raise BadRequest("the command was not started", hint=event.message)

    async def run(self) -> Ended | None:
        """Forwards until the command has ended, and says how; None if the client has gone before."""
        outputs = [asyncio.create_task(self._forward_output(self._session.stdout, STDOUT))]
        if self._session.stderr is not None:
            outputs.append(asyncio.create_task(self._forward_output(self._session.stderr, STDERR)))
        client = asyncio.create_task(self._forward_input())
        command = asyncio.create_task(self._forward_end(outputs))
        try:
            await asyncio.wait({client, command}, return_when=asyncio.FIRST_COMPLETED)
            return command.result() if command.done() else client.result()
        finally:
            tasks = (*outputs, client, command)
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _forward_end(self, outputs: list["asyncio.Task[None]"]) -> Ended:
        ended = await self._next_event()
        while not isinstance(ended, Ended):
            ended = await self._next_event()
        self._ended.set()
        await asyncio.gather(*outputs)
        await self._send_bytes(status_message(ended))
        return ended

    async def _next_event(self) -> Event:
        while (event := self._session.read_event()) is None:
            await readable(self._session.events)
        return event

    # From the command

    async def _forward_output(self, fd: int, channel: int) -> None:
        left = DRAIN_BYTES
        while left > 0 and (data := await self._read(fd)):
            await self._send_bytes(output_message(channel, data))
            if self._ended.is_set():
                left -= len(data)

    async def _read(self, fd: int) -> bytes:
        """What can be read next; b"" at the end, and when there is nothing more after the command has ended."""
        while True:
            room = await self._window.room(READ_BYTES)
            try:
                data = read_available(fd, room)
                self._window.take(len(data))
                return data
            except BlockingIOError:
                if self._ended.is_set():
                    return b""
                await first_of(readable(fd), self._ended.wait())
            except OSError:  # how a terminal ends
                return b""

    async def _send_bytes(self, message: bytes) -> None:
        await self._send({"type": "websocket.send", "bytes": message})

    # To the command

    async def _forward_input(self) -> None:
        """Returns when the client has gone. Raises ValueError for a message that is none."""
        while (message := await self._receive())["type"] == "websocket.receive":
            parsed = parse_message(content_of(message))
            if isinstance(parsed, Input):
                await self._write(parsed.data)
            elif isinstance(parsed, EndOfInput):
                self._session.close_stdin()
            elif isinstance(parsed, TerminalSize):
                self._session.resize(parsed)
            elif isinstance(parsed, Processed):
                self._window.give_back(parsed.count)

    async def _write(self, data: bytes) -> None:
        while data and (fd := self._session.stdin) is not None:
            try:
                data = data[os.write(fd, data) :]
            except BlockingIOError:
                await self._wait_until_writable(fd)
            except OSError:  # the command reads no more
                return

    async def _wait_until_writable(self, fd: int) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECS):
                    await writable(fd)
                return
            await self._send_bytes(output_message(STDOUT, b""))  # fails if the client has gone


def read_available(fd: int, most: int) -> bytes:
    """What a descriptor has, up to `most` bytes. Raises OSError if that is nothing, b"" is the end.

    A terminal gives no more than 4 KiB at once, however much there is, and each message costs the page as much as what
    is in it.
    """
    data = os.read(fd, most)
    with contextlib.suppress(OSError):
        while (left := most - len(data)) and (more := os.read(fd, left)):
            data += more
    return data


def content_of(message: Message) -> bytes:
    """The bytes of a message. Raises ValueError for text."""
    content = message.get("bytes")
    if content is None:
        raise ValueError("a message is text, not binary")
    return bytes(content)


async def readable(fd: int) -> None:
    """Returns when a descriptor can be read."""
    loop = asyncio.get_running_loop()
    await registered(loop.add_reader, loop.remove_reader, fd)


async def writable(fd: int) -> None:
    """Returns when a descriptor can be written to."""
    loop = asyncio.get_running_loop()
    await registered(loop.add_writer, loop.remove_writer, fd)


async def registered(add: Callable[..., object], remove: Callable[[int], object], fd: int) -> None:
    """Returns when the event loop calls back."""
    ready = asyncio.Event()
    add(fd, ready.set)
    try:
        await ready.wait()
    finally:
        remove(fd)


async def first_of(*waits: Awaitable[object]) -> None:
    """Returns when one of several has returned, and cancels the others."""
    tasks = [asyncio.ensure_future(each) for each in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
