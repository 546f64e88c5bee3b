"""Runs an app on sockets that are already open: with `asgi.connection` the only importer of uvicorn.

The server's own loop wakes ten times a second to look whether it should stop; ours sleeps until a signal comes, so an
idle server costs nothing and Ctrl-C is not waited for.
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

from lightboard.asgi.connection import Patience, connection_type, missing_names, not_held
from lightboard.asgi.ending import ending_signals
from lightboard.errors import LightboardError

GRACE_SECS = 1
"""Longest wait for answers under way when the server stops."""

GARBAGE_OBJECTS = 50_000
"""So many objects more, and garbage is looked for: runs and tags stay, and looking through ten thousand of them again
and again while they come takes a quarter of a second."""

SWITCH_SECS = 0.0005
"""A thread that works goes on so long while another waits for the interpreter. At Python's 5 ms the event loop, and
every call of the core that comes back, waits that long behind each working thread: it was most of what a small request
took beside greedy clients."""

KEEP_ALIVE_SECS = 75
"""A page asks again within this time; a kept connection saves the next answer a round trip."""


KNOWN = "uvicorn>=0.54,<0.55"
"""The versions whose undocumented names are known; pyproject.toml allows no others."""

OVERRIDDEN = ("capture_signals", "main_loop")
"""Methods of uvicorn's server that are not documented and overridden here."""

HELD = ("force_exit",)
"""What the server holds that is set here."""

MOST_DESCRIPTORS = 20_000
"""So many are asked for."""


class Service(Protocol):
    """What a server serves, as it is told of the server's life; everything is called in the event loop."""

    def begin(self, stop: Callable[[], None]) -> None:
        """Requests are answered from now on, until a signal comes or somebody calls `stop`."""

    def close(self) -> None:
        """The server will stop: end what would go on for ever, such as streams. May come twice."""

    def end(self) -> None:
        """It has stopped to listen; answers under way have still GRACE_SECS."""


def serve_app(
    app: ASGIApp, service: Service, sockets: list[socket.socket], *, trusted_proxies: Sequence[str] = ()
) -> None:
    """Answers requests by `app` until a signal, or `Server.stop`, ends it.

    Of `trusted_proxies` (addresses) the word is taken for who asks, and whether the way to them was encrypted.
    Raises LightboardError if this uvicorn is not one that it can work with.
    """
    check_uvicorn(uvicorn.Server)
    config = uvicorn.Config(
        app,
        http=connection_type(Patience(most_connections=descriptors() // 2)),
        loop="auto",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",  # what strangers send that is no HTTP is nothing to fill a terminal with
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
    """Look for everything undocumented that is used of uvicorn. Raises LightboardError if something is missing."""
    missing = [name for name in OVERRIDDEN if name not in vars(server)] + not_held(server, HELD) + missing_names()
    if missing:
        raise LightboardError(
            f"uvicorn {uvicorn.__version__} lacks {', '.join(missing)}", hint=f"pip install '{KNOWN}'"
        )


def descriptors() -> int:
    """How many files and connections the process may have open, after asking the system for as many as it gives.

    Connections get half of them: whoever takes them all takes nothing from the files that are read.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else min(soft, MOST_DESCRIPTORS)
    with contextlib.suppress(OSError, ValueError):  # macOS gives fewer than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


class Server(uvicorn.Server):
    """A server that tells its service of its life, and sleeps until a signal comes."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self.service = service
        self.stopping = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals wake the loop instead of setting a flag that it would look at later."""
        loop = asyncio.get_running_loop()
        for each in ending_signals():
            loop.add_signal_handler(each, self.stop)
        yield

    def stop(self) -> None:
        """Asks the server to end; the second time at once."""
        self.force_exit = self.stopping.is_set()
        self.stopping.set()
        self.service.close()

    async def main_loop(self) -> None:
        """Everything is served from callbacks; this only waits for the end."""
        self.service.begin(self.stop)
        gc.collect()
        gc.freeze()  # modules live for ever: later collections need not look at them
        gc.set_threshold(GARBAGE_OBJECTS)
        gc.enable()
        sys.setswitchinterval(SWITCH_SECS)
        await self.stopping.wait()
        self.service.end()
