"""Runs an app on open sockets with uvicorn. Only this module and `asgi.connection` import it.

uvicorn polls ten times a second whether to stop. This server waits for an event instead, so that it uses no CPU while
idle and stops immediately on Ctrl-C.
"""

import asyncio
import contextlib
import gc
import resource
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp

from lightboard.asgi.connection import Timeouts, connection_class, missing_attributes, missing_names
from lightboard.asgi.signals import stop_signals
from lightboard.errors import LightboardError

GRACE_SECS = 1
"""Time for unfinished responses when the server stops."""

GARBAGE_OBJECTS = 50_000
"""Threshold of the garbage collector. Runs and tags are not garbage, and scanning ten thousand of them repeatedly while
they are read takes a quarter of a second."""

SWITCH_SECS = 0.0005
"""Switch interval of the interpreter. With Python's default of 5 ms the event loop waits that long for each busy
thread, which was most of the latency of small requests under load."""

KEEP_ALIVE_SECS = 75
"""Pages poll more often than this. An open connection saves a round trip."""

SUPPORTED = "uvicorn>=0.54,<0.55"
"""The versions whose undocumented names are known. pyproject.toml has the same bounds."""

OVERRIDDEN = ("capture_signals", "main_loop")
"""Undocumented methods of uvicorn's server that are overridden here."""

ATTRIBUTES = ("force_exit",)
"""Attributes of the server that are set here."""

MAX_MESSAGE_BYTES = 64 << 20
"""Of one message of a WebSocket."""

MAX_DESCRIPTORS = 20_000
"""The number requested from the system."""


class Service(Protocol):
    """Callbacks for the life cycle of a server. All are called in the event loop."""

    def begin(self, stop: Callable[[], None]) -> None:
        """The server accepts requests, until a signal arrives or `stop` is called."""

    def close(self) -> None:
        """The server is about to stop: end infinite responses, such as event streams. May be called twice."""

    def end(self) -> None:
        """The server has stopped listening. Unfinished responses have GRACE_SECS left."""


def serve_app(
    app: ASGIApp,
    service: Service,
    sockets: list[socket.socket],
    *,
    trusted_proxies: Sequence[str] = (),
    websockets: bool = False,
) -> None:
    """Serve `app` until a signal or `Server.stop`.

    The forwarding headers of `trusted_proxies` (addresses) are used for the client's address and scheme. Without
    `websockets`, requests to open one are answered as any other. Raises LightboardError if this version of uvicorn is
    not supported.
    """
    check_uvicorn(uvicorn.Server)
    config = uvicorn.Config(
        app,
        http=connection_class(Timeouts(most_connections=descriptor_limit() // 2)),
        loop="auto",
        ws="websockets-sansio" if websockets else "none",
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_ping_timeout=None,  # who waits for the other side to read sends no pong; TCP notices who has gone
        lifespan="off",
        log_config=None,
        log_level="error",  # do not log invalid requests: clients could fill the terminal
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        timeout_keep_alive=KEEP_ALIVE_SECS,
        timeout_graceful_shutdown=GRACE_SECS,
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(Server(config, service).serve(sockets=sockets))


def check_uvicorn(server: type) -> None:
    """Raise LightboardError if uvicorn lacks one of the undocumented names that are used."""
    missing = (
        [name for name in OVERRIDDEN if name not in vars(server)]
        + missing_attributes(server, ATTRIBUTES)
        + missing_names()
    )
    if missing:
        raise LightboardError(
            f"uvicorn {uvicorn.__version__} lacks {', '.join(missing)}", hint=f"pip install '{SUPPORTED}'"
        )


def descriptor_limit() -> int:
    """The limit of open files and connections, raised as far as the system allows.

    Connections get half of it, so that they cannot use up the descriptors of log files.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= limit:
        return MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else min(soft, MAX_DESCRIPTORS)
    with contextlib.suppress(OSError, ValueError):  # macOS allows fewer than its hard limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        return limit
    return soft


class Server(uvicorn.Server):
    """A server that calls its service, and waits for a signal without polling."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self.service = service
        self.stopping = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals in the event loop instead of setting a flag that is polled."""
        loop = asyncio.get_running_loop()
        for stop_signal in stop_signals():
            loop.add_signal_handler(stop_signal, self.stop)
        yield

    def stop(self) -> None:
        """Stop the server; the second call stops it immediately."""
        self.force_exit = self.stopping.is_set()
        self.stopping.set()
        self.service.close()

    async def main_loop(self) -> None:
        """Wait for the end. Requests are served from callbacks."""
        self.service.begin(self.stop)
        gc.collect()
        gc.freeze()  # modules are never freed, so later collections can skip them
        gc.set_threshold(GARBAGE_OBJECTS)
        gc.enable()
        sys.setswitchinterval(SWITCH_SECS)
        await self.stopping.wait()
        self.service.end()
