"""What one board says of itself when it is served, and what goes on beside its requests."""

import asyncio
import sys
from collections.abc import Callable
from urllib.parse import quote

from lightboard import __version__
from lightboard.asgi.hosts import ANYTHING, AllowedHosts
from lightboard.asgi.server import serve_app
from lightboard.board.app import create_app, create_board
from lightboard.board.board import Board
from lightboard.board.installation import missing_parts
from lightboard.board.instance import announce_instance
from lightboard.board.ports import Listening, only_loopback, open_to_all
from lightboard.board.slots import SlotKeeper
from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog

QUIET_SECS = 1.0
"""After the start, until what the first answer does not need is loaded."""


def serve(
    catalog: Catalog, keeper: SlotKeeper, settings: BoardSettings, listening: Listening, say: Callable[[str], None]
) -> None:
    """Answers requests for one board until a signal ends it."""
    board = create_board(CatalogProvider(catalog, settings), settings, keeper.overlay)
    app = create_app(board, allowed_hosts(settings, listening))
    serve_app(app, BoardService(board, keeper, lambda: announce(settings, listening, say)), listening.sockets)


def allowed_hosts(settings: BoardSettings, listening: Listening) -> AllowedHosts:
    """The names this server answers to: its own, and those the user trusts.

    The check keeps foreign pages from a server that only its own machine can reach. Who listens for others has opened
    the door, as with Jupyter, to whatever name containers and proxies use, unless `allowed_hosts` narrows it.
    """
    if not settings.allowed_hosts and not only_loopback(settings):
        return AllowedHosts([ANYTHING])
    own = [listening.host, settings.host or "", *(each.getsockname()[0] for each in listening.sockets)]
    proxy = [name for name in settings.proxy_hosts if name != ANYTHING or not settings.allowed_hosts]
    return AllowedHosts([*own, *proxy, *settings.allowed_hosts], any_address=open_to_all(settings))


def announce(settings: BoardSettings, listening: Listening, say: Callable[[str], None]) -> None:
    """The start-up line, after a word about what is missing."""
    for line in missing_parts():
        say(line)
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
        self.board.projector.close()
        self.board.pool.close()
