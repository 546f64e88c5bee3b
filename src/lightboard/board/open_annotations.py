"""Opens the annotations of a board: names, notes, colours and views that users add."""

from collections.abc import Callable, Sequence

from lightboard.annotations.file_store import FileAnnotationStore
from lightboard.annotations.location import board_file, logdir_of
from lightboard.annotations.memory_store import MemoryAnnotationStore
from lightboard.annotations.store import AnnotationStore
from lightboard.config import BoardSettings
from lightboard.ingest.logdir import Source


def open_annotations(settings: BoardSettings, sources: Sequence[Source], log: Callable[[str], None]) -> AnnotationStore:
    """The annotations of the board over `sources`: in a file below `settings.home`, or in memory if that is not set."""
    if not settings.home:
        return MemoryAnnotationStore()
    folders = [(source.prefix, source.storage.locate("")) for source in sources]
    return FileAnnotationStore(board_file(settings.home, folders), logdir_of(folders), log)
