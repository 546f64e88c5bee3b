"""Runs an app on sockets that are already open: the only importer of uvicorn.

The server's own loop wakes ten times a second to look whether it should stop; ours sleeps until a signal comes, so an
idle server costs nothing and Ctrl-C is not waited for.
"""

import asyncio
import contextlib
import gc
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp

from lightboard.asgi.ending import ending_signals

GRACE_SECS = 1
"""Longest wait for answers under way when the server stops."""

GARBAGE_OBJECTS = 50_000
"""So many objects more, and garbage is looked for: runs and tags stay, and looking through ten thousand of them again
and again while they come takes a quarter of a second."""

KEEP_ALIVE_SECS = 75
"""A page asks again within this time; a kept connection saves the next answer a round trip."""


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
    """
    config = uvicorn.Config(
        app,
        http="httptools",
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
        signals = ending_signals()
        try:
            for each in signals:
                loop.add_signal_handler(each, self.stop)
        except NotImplementedError:  # Windows has no such handlers
            for each in signals:
                signal.signal(each, lambda *_: loop.call_soon_threadsafe(self.stop))
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
        await self.stopping.wait()
        self.service.end()
