"""A further command in a running job: the connection to it, and its messages.

`websockets` is imported when a connection is made, since nothing else needs it.
"""

import asyncio
import contextlib
import json
import ssl
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import quote, urlencode

from lightboard import __version__
from lightboard.client.session import Session, error_of
from lightboard.errors import HubUnreachable, LightboardError, PermissionDenied, UsageError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

STDIN, STDOUT, STDERR, STATUS, RESIZE, CLOSE = 0, 1, 2, 3, 4, 255
"""Channels, the first byte of each message."""
CONNECT_SECS = 90.0
"""The hub accepts when the command has been started."""
CLOSE_SECS = 2.0
MAX_MESSAGE_BYTES = 1 << 20
MAX_PATH_BYTES = 7_000
"""A request line has at most 8 KiB."""
CHUNK_BYTES = 64 << 10
POLICY_VIOLATION = 1008
SIGNAL_BASE = 128
T = TypeVar("T")


@dataclass(frozen=True)
class ExecResult:
    """How a command ended: with an exit code, or by a signal. `message` says why, if not by itself."""

    exit_code: int | None
    signal: int | None
    message: str = ""

    @property
    def shell_code(self) -> int:
        """The exit code, or 128 and the number of the signal, as shells have it; 1 if there is neither."""
        if self.signal is not None:
            return SIGNAL_BASE + self.signal
        return 1 if self.exit_code is None else self.exit_code


class JobExec:
    """A command in the job with this id. Use it as a context manager. `terminal` is rows and columns, None for pipes.

    One thread may send while another one reads. Raises LightboardError if the hub refuses it.
    """

    def __init__(
        self,
        session: Session,
        job: str,
        command: Sequence[str],
        *,
        rank: int = 0,
        terminal: tuple[int, int] | None = None,
    ) -> None:
        self.result: ExecResult | None = None
        self._url = session.url
        self._loop = EventLoopThread()
        try:
            self._connection = self._loop.run(connect(session, exec_path(job, command, rank, terminal)))
        except BaseException:
            self._loop.close()
            raise

    def outputs(self) -> Iterator[tuple[int, bytes]]:
        """What it writes, with STDOUT or STDERR, until it has ended; `result` is how. Raises LightboardError."""
        from websockets.exceptions import ConnectionClosed

        while True:
            try:
                message = self._loop.run(self._connection.recv(decode=False))
            except ConnectionClosed as closed:
                code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (0, "")
                raise self._lost(code, reason) from None
            if message[0] == STATUS:
                self.result = ExecResult(**json.loads(message[1:]))
                return
            yield message[0], message[1:]

    def send(self, data: bytes) -> None:
        """Sends input, and waits while the command does not read it. Does nothing after it has ended."""
        for start in range(0, len(data), CHUNK_BYTES):
            self._send(STDIN, data[start : start + CHUNK_BYTES])

    def end_input(self) -> None:
        """Ends its input."""
        self._send(CLOSE, bytes([STDIN]))

    def resize(self, rows: int, columns: int) -> None:
        """Tells the programs in its terminal a new size."""
        self._send(RESIZE, json.dumps({"rows": rows, "columns": columns}).encode())

    def close(self) -> None:
        """Ends the connection. A command that runs gets SIGHUP."""
        with contextlib.suppress(CancelledError):  # closed before
            self._loop.run(self._connection.close())
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _send(self, channel: int, content: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            self._loop.run(self._connection.send(bytes([channel]) + content))
        except (ConnectionClosed, CancelledError):  # `outputs` tells why
            return

    def _lost(self, code: int, reason: str) -> LightboardError:
        if code == POLICY_VIOLATION and reason:
            return PermissionDenied(reason, hint="log in again, or ask for the right")
        message = f"the connection to the command was lost{f': {reason}' if reason else ''}"
        return HubUnreachable(message, hint="the command has been ended; the job continues")


class EventLoopThread:
    """Runs coroutines of any thread in an event loop of its own: input and output must not wait for each other."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="exec connection", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. Raises its exception, and CancelledError after `close`."""
        with self._lock:
            if self._closed:
                coroutine.close()
                raise CancelledError
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        return future.result()

    def close(self) -> None:
        """Cancels what runs, and ends the thread. May be called twice."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        self._loop.run_forever()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self._loop.run_until_complete(asyncio.wait(tasks))
        self._loop.close()


def exec_path(job: str, command: Sequence[str], rank: int, terminal: tuple[int, int] | None) -> str:
    """The path with the query of a command. Raises UsageError for one that is too long for a request."""
    fields = [*(("command", word) for word in command), ("rank", str(rank))]
    if terminal:
        fields += [("tty", "1"), ("rows", str(terminal[0])), ("columns", str(terminal[1]))]
    path = f"/api/v1/jobs/{quote(job, safe='')}/exec?{urlencode(fields)}"
    if len(path) > MAX_PATH_BYTES:
        raise UsageError("the command is too long", hint="start sh, and send the command as its input")
    return path


async def connect(session: Session, path: str) -> "ClientConnection":
    """A WebSocket to the hub. Raises LightboardError."""
    from websockets.asyncio.client import connect as open_websocket
    from websockets.exceptions import InvalidHandshake, InvalidStatus

    try:
        return await open_websocket(
            "ws" + session.url.removeprefix("http") + path,
            additional_headers={"Authorization": f"Bearer {session.login.token}"},
            user_agent_header=f"lightboard/{__version__}",
            compression=None,
            open_timeout=CONNECT_SECS,
            close_timeout=CLOSE_SECS,
            ping_interval=None,  # the hub does not answer while the command does not read
            max_size=MAX_MESSAGE_BYTES,
            proxy=True,
        )
    except InvalidStatus as refused:
        raise refusal(refused.response.status_code, bytes(refused.response.body or b""), session.url) from None
    except (InvalidHandshake, OSError, TimeoutError, ssl.SSLError) as error:
        raise HubUnreachable(
            f"{session.url} does not accept the connection: {error or type(error).__name__}",
            hint="check that the hub is running, and that proxies before it forward WebSockets",
        ) from None


def refusal(status: int, body: bytes, url: str) -> LightboardError:
    """The exception for a response of the hub in place of a WebSocket."""
    try:
        content = json.loads(body)
        return error_of(status, content["error"], url)
    except (ValueError, TypeError, KeyError):
        return error_of(status, {}, url)


def run_to_end(command: JobExec, data: bytes) -> tuple[ExecResult, bytes, bytes]:
    """How a command without a terminal ends, and its output and errors, given its input. Raises LightboardError."""

    def send() -> None:
        command.send(data)
        command.end_input()

    written: dict[int, list[bytes]] = {STDOUT: [], STDERR: []}
    sender = threading.Thread(target=send, name="exec input", daemon=True)
    sender.start()
    try:
        for channel, part in command.outputs():
            written[channel].append(part)
    finally:
        command.close()
        sender.join()
    assert command.result is not None
    return command.result, b"".join(written[STDOUT]), b"".join(written[STDERR])
