"""Runs the app of a board on sockets that are already open: the only importer of uvicorn.

The server's own loop wakes ten times a second to look whether it should stop; ours sleeps until a signal comes, so an
idle board costs nothing and Ctrl-C is not waited for.
"""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Protocol
from urllib.parse import quote

import uvicorn
from starlette.types import ASGIApp

from lightboard import __version__, _native
from lightboard.asgi.hosts import AllowedHosts
from lightboard.board.app import create_app, create_board
from lightboard.board.board import Board
from lightboard.board.ending import ending_signals
from lightboard.board.instance import announce_instance
from lightboard.board.pages import BUILD_COMMAND, pages_built
from lightboard.board.ports import Listening, open_to_all
from lightboard.board.slots import SlotKeeper
from lightboard.config import BoardSettings
from lightboard.events.decode import NATIVE
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog

GRACE_SECS = 1
"""Longest wait for answers under way when the server stops."""

QUIET_SECS = 1.0
"""After the start, until what the first answer does not need is loaded."""

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


def serve(
    catalog: Catalog, keeper: SlotKeeper, settings: BoardSettings, listening: Listening, say: Callable[[str], None]
) -> None:
    """Answers requests for one board until a signal ends it."""
    board = create_board(CatalogProvider(catalog, settings), settings, keeper.overlay)
    app = create_app(board, allowed_hosts(settings, listening))
    serve_app(app, BoardService(board, keeper, lambda: announce(settings, listening, say)), listening.sockets)


def serve_app(app: ASGIApp, service: Service, sockets: list[socket.socket]) -> None:
    """Answers requests by `app` until a signal, or `Server.stop`, ends it."""
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
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECS,
        timeout_graceful_shutdown=GRACE_SECS,
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(Server(config, service).serve(sockets=sockets))


def allowed_hosts(settings: BoardSettings, listening: Listening) -> AllowedHosts:
    """The names this server answers to: its own, and those the user trusts."""
    own = [listening.host, settings.host or "", *(each.getsockname()[0] for each in listening.sockets)]
    return AllowedHosts([*own, *settings.allowed_hosts], any_address=open_to_all(settings))


def announce(settings: BoardSettings, listening: Listening, say: Callable[[str], None]) -> None:
    """The start-up line, after a word about what is missing."""
    if not NATIVE:
        say(f"note: reading with the slow Python decoder; the compiled core is missing: {_native.reason}")
    if not pages_built():
        say(f"note: the web pages are not built; run `{BUILD_COMMAND}` in the folder of the sources")
    address = f"http://{listening.host}:{listening.port}{quote(settings.path_prefix)}/"
    say(f"Lightboard {__version__} at {address} (Ctrl+C to quit)")
    announce_instance(settings, listening.port, sys.argv[1:])


class BoardService:
    """One board, and what is kept of it."""

    def __init__(self, board: Board, keeper: SlotKeeper, announce: Callable[[], None]) -> None:
        self.board = board
        self.keeper = keeper
        self.announce = announce
        self.quiet: asyncio.TimerHandle | None = None
        self.stop_keeping: Callable[[], None] | None = None

    def begin(self, stop: Callable[[], None]) -> None:  # noqa: ARG002  # signals end a board
        """See Service, here and below."""
        self.announce()
        loop = asyncio.get_running_loop()
        self.quiet = loop.call_later(QUIET_SECS, self.board.pool.run, self.board.api.load)
        self.stop_keeping = self.keeper.start(loop, self.board.pool)

    def close(self) -> None:
        self.board.changes.close()

    def end(self) -> None:
        assert self.quiet is not None
        assert self.stop_keeping is not None
        self.quiet.cancel()
        self.stop_keeping()
        self.board.desk.close()
        self.board.pool.close()


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
