"""Serves one board: its allowed hosts, start message and background work."""

import asyncio
import sys
from collections.abc import Callable

from lightboard.asgi.hosts import ANYTHING, AllowedHosts
from lightboard.asgi.server import serve_app
from lightboard.board.announcement import announcement
from lightboard.board.app import create_app, create_board
from lightboard.board.board import Board
from lightboard.board.color_slots import ColorSlotStore
from lightboard.board.installation import missing_components
from lightboard.board.instance import write_instance_file
from lightboard.board.ports import Listening, only_loopback, open_to_all
from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog

QUIET_SECS = 1.0
"""Delay after the start before modules that the first response does not need are imported."""


def serve(
    catalog: Catalog,
    slot_store: ColorSlotStore,
    settings: BoardSettings,
    listening: Listening,
    say: Callable[[str], None],
) -> None:
    """Serve one board until a signal."""
    board = create_board(CatalogProvider(catalog, settings), settings, slot_store.annotations)
    app = create_app(board, allowed_hosts(settings, listening))
    serve_app(app, BoardService(board, slot_store, lambda: announce(settings, listening, say)), listening.sockets)


def allowed_hosts(settings: BoardSettings, listening: Listening) -> AllowedHosts:
    """The host names that are accepted: those of the server, and those that the user allows.

    The check protects servers that only their own machine can reach. A server that listens on other addresses accepts
    any name, as Jupyter does, since containers and proxies use arbitrary names, unless `allowed_hosts` is set.
    """
    if not settings.allowed_hosts and not only_loopback(settings):
        return AllowedHosts([ANYTHING])
    own = [listening.host, settings.host or "", *(listener.getsockname()[0] for listener in listening.sockets)]
    proxy = [name for name in settings.proxy_hosts if name != ANYTHING or not settings.allowed_hosts]
    return AllowedHosts([*own, *proxy, *settings.allowed_hosts], any_address=open_to_all(settings))


def announce(settings: BoardSettings, listening: Listening, say: Callable[[str], None]) -> None:
    """Print the address, after notes about missing components."""
    for line in missing_components():
        say(line)
    say(announcement(listening.host, listening.port, settings.path_prefix))
    write_instance_file(settings, listening.port, sys.argv[1:])


class BoardService:
    """See `asgi.server.Service`. One board and its slots."""

    def __init__(self, board: Board, slot_store: ColorSlotStore, announce: Callable[[], None]) -> None:
        self.board = board
        self.slot_store = slot_store
        self.announce = announce
        self.quiet: asyncio.TimerHandle | None = None
        self.stop_storing: Callable[[], None] | None = None

    def begin(self, stop: Callable[[], None]) -> None:  # noqa: ARG002  # signals end a board
        """Print the address and start background work."""
        self.announce()
        loop = asyncio.get_running_loop()
        self.quiet = loop.call_later(QUIET_SECS, self.board.pool.run, self.board.shared.api.load)
        self.stop_storing = self.slot_store.start(loop, self.board.pool)

    def close(self) -> None:
        self.board.changes.close()

    def end(self) -> None:
        assert self.quiet is not None
        assert self.stop_storing is not None
        self.quiet.cancel()
        self.stop_storing()
        self.board.projector.close()
        self.board.pool.close()
