"""Opens the overlay of a board: names, notes, views and colours that people add to its runs."""

from collections.abc import Callable, Sequence

from lightboard.config import BoardSettings
from lightboard.ingest.logdir import Source
from lightboard.overlay.base import Overlay
from lightboard.overlay.file import FileOverlay
from lightboard.overlay.memory import MemoryOverlay
from lightboard.overlay.place import board_file, logdir_of


def open_overlay(settings: BoardSettings, sources: Sequence[Source], say: Callable[[str], None]) -> Overlay:
    """The overlay of the board over `sources`: a file in the user's folder, or in memory if there is no such folder."""
    if not settings.home:
        return MemoryOverlay()
    folders = [(source.prefix, source.storage.locate("")) for source in sources]
    return FileOverlay(board_file(settings.home, folders), logdir_of(folders), say)
