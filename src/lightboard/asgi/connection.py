"""One connection of the server, with timeouts for slow clients. All its requests notice when the client disconnects.

Only this module and `asgi.server` import uvicorn. The undocumented names of uvicorn's protocol that are used here are
listed in `OVERRIDDEN_METHODS` and `ATTRIBUTES`, and checked when a server starts.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

OVERRIDDEN_METHODS = (
    "connection_made",
    "connection_lost",
    "data_received",
    "on_message_begin",
    "on_headers_complete",
    "on_body",
    "on_message_complete",
    "pause_writing",
    "resume_writing",
)
"""Methods of uvicorn's protocol that are overridden here."""

ATTRIBUTES: dict[type, tuple[str, ...]] = {
    HttpToolsProtocol: ("cycle", "flow", "loop", "transport", "connections", "scope"),
    RequestResponseCycle: ("response_started", "response_complete", "disconnected", "message_event"),
    FlowControl: ("read_paused",),
}
"""Attributes of uvicorn's classes that are read or set here."""


def missing_names() -> list[str]:
    """The names above that this version of uvicorn does not have."""
    methods = [name for name in OVERRIDDEN_METHODS if name not in vars(HttpToolsProtocol)]
    return methods + [
        f"{kind.__name__}.{name}" for kind in ATTRIBUTES for name in missing_attributes(kind, ATTRIBUTES[kind])
    ]


def missing_attributes(kind: type, names: Iterable[str]) -> list[str]:
    """The names that are not attributes of new instances of `kind`."""
    names_set = vars(kind)["__init__"].__code__.co_names
    return [name for name in names if name not in names_set]


class Timeouts(NamedTuple):
    """Timeouts for clients, and the limit of connections.

    `idle_secs` is for the first byte of a connection, `head_secs` for the headers of a request. A body or response must
    advance by `least_bytes` in every `stall_secs`. Connections above `most_connections` get a 503.
    """

    idle_secs: float = 75.0
    head_secs: float = 20.0
    stall_secs: float = 20.0
    least_bytes: int = 16 << 10
    most_connections: int = 10_000


CONNECTION_COUNTER = "lightboard.crowd"
"""Key of a scope: the ConnectionCounter of the server."""


class ConnectionCounter:
    """Counts the open connections of a server, which accepts at most `most`, and those `refused` since it is full.

    Changed only in the event loop; can be read from any thread.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0
        self.refused = 0

    @property
    def full(self) -> bool:
        """Whether the next connection will be refused."""
        return self.open >= self.most

    def count(self, number: int) -> None:
        """Set the number of open connections."""
        self.open = number
        if not self.full:
            self.refused = 0


TIMEOUT = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"content-length: 30\r\n\r\nthe request did not come whole"
)
TOO_MANY_CONNECTIONS = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"retry-after: 1\r\ncontent-length: 20\r\n\r\ntoo many connections"
)


class Connection(HttpToolsProtocol):
    """A connection that is closed if its client sends or receives too slowly."""

    timeouts: ClassVar[Timeouts] = Timeouts()
    connection_counter: ClassVar[ConnectionCounter] = ConnectionCounter(timeouts.most_connections)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_head = False
        self._in_body = False
        self._received = 0
        self._unsent = 0
        self._reading: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._cycles: set[RequestResponseCycle] = set()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self.connection_counter.count(len(self.connections))
        if len(self.connections) > self.timeouts.most_connections:
            self.connection_counter.refused += 1
            transport.write(TOO_MANY_CONNECTIONS)
            transport.close()
        else:
            self._start_timer(self.timeouts.idle_secs, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        if self._writing is not None:
            self._writing.cancel()
        super().connection_lost(exc)
        self.connection_counter.count(len(self.connections))
        # uvicorn notifies only the last of several pipelined requests.
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def data_received(self, data: bytes) -> None:
        if not self._in_head and not self._in_body:
            self._stop_timer()
        super().data_received(data)
        if self._reading is None and self._in_head:
            self._start_timer(self.timeouts.head_secs, self._time_out)
        elif self._reading is None and self._in_body:
            self._start_timer(self.timeouts.stall_secs, self._check_body)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope[CONNECTION_COUNTER] = self.connection_counter  # type: ignore[literal-required]  # a key of ours
        self._in_head = True

    def on_headers_complete(self) -> None:
        self._stop_timer()
        before = self.cycle
        super().on_headers_complete()
        self._in_head = False
        if self.cycle is before:  # becomes a WebSocket, which has a protocol of its own
            return
        self._in_body, self._received = True, 0
        self._cycles = {cycle for cycle in self._cycles if not cycle.response_complete} | {self.cycle}

    def on_body(self, body: bytes) -> None:
        self._received += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        self._stop_timer()
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unsent = self.transport.get_write_buffer_size()
        self._writing = self.loop.call_later(self.timeouts.stall_secs, self._check_response)

    def resume_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
        super().resume_writing()

    def _start_timer(self, secs: float, then: Callable[[], None]) -> None:
        self._reading = self.loop.call_later(secs, then)

    def _stop_timer(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _check_body(self) -> None:
        """Time out a body that does not arrive, unless the application is not reading it."""
        if self._received < self.timeouts.least_bytes and not self.flow.read_paused:
            self._time_out()
            return
        self._received = 0
        self._start_timer(self.timeouts.stall_secs, self._check_body)

    def _check_response(self) -> None:
        """Abort the connection if the client does not receive the response."""
        unsent = self.transport.get_write_buffer_size()
        if self._unsent - unsent < self.timeouts.least_bytes:
            self.transport.abort()
            return
        self._unsent = unsent
        self._writing = self.loop.call_later(self.timeouts.stall_secs, self._check_response)

    def _time_out(self) -> None:
        """Send a 408, unless a response has been started, and close."""
        if not any(cycle.response_started and not cycle.response_complete for cycle in self._cycles):
            self.transport.write(TIMEOUT)
        self.transport.close()


def connection_class(timeouts: Timeouts) -> type[Connection]:
    """A Connection class with these timeouts and a counter of its own, for one server."""
    return type(
        "Connection",
        (Connection,),
        {"timeouts": timeouts, "connection_counter": ConnectionCounter(timeouts.most_connections)},
    )
