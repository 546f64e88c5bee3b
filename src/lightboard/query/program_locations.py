"""Whether programs say which scopes of the code their operations come from, without which a graph of them is flat.

JAX prints StableHLO without locations unless it is asked for them. All other formats have scopes of their own.
"""

from lightboard.errors import NotFound, Unshowable
from lightboard.graphs.stablehlo_text import has_locations
from lightboard.lru_cache import LruCache
from lightboard.query.graph_files import GraphFile, OpenGraphFile

TAIL_BYTES = 4096
"""Locations are at the end of a program, or on each line."""

MAX_CACHED_BYTES = 1 << 20
"""Limit of the answers in memory, of all boards of the process."""

BYTES_PER_ANSWER = 300

_answers: LruCache[bool] = LruCache(MAX_CACHED_BYTES, lambda _: BYTES_PER_ANSWER)


def is_located(file: GraphFile) -> bool:
    """Whether the operations of a graph have scopes, as far as its end tells; false if it cannot be read."""
    if file.format != "stablehlo":
        return True
    try:
        opened = OpenGraphFile(file)
        begin = max(0, opened.info.size - TAIL_BYTES)
        return _answers.get(opened.identity, lambda: has_locations(opened.read(begin, TAIL_BYTES)))
    except (NotFound, Unshowable):
        return False
