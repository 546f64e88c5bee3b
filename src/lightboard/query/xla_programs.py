"""Programs of XLA in captures of profilers, each a graph of the run of its capture.

Captures are read when graphs are listed, and only as far as programs are named.
"""

from collections import Counter
from collections.abc import Iterable

from lightboard.errors import NotFound, Unshowable
from lightboard.lru_cache import LruCache
from lightboard.profiles.hlo import ProgramSpan, list_programs
from lightboard.query.graph_files import GraphFile, OpenGraphFile
from lightboard.storage.base import join

MAX_CACHED_BYTES = 16 << 20
"""Limit of the lists in memory, of all boards of the process."""

BYTES_PER_PROGRAM = 300

_lists: LruCache[list[ProgramSpan]] = LruCache(MAX_CACHED_BYTES, lambda found: BYTES_PER_PROGRAM * (1 + len(found)))


def find_program(xplanes: Iterable[GraphFile], run: str, name: str) -> GraphFile | None:
    """The program of a run with this name."""
    for xplane in xplanes:
        if xplane.run == run and name.startswith(join(xplane.name, "")):
            for program in programs_in(xplane):
                if program.name == name:
                    return program
    return None


def programs_in(xplane: GraphFile) -> list[GraphFile]:
    """The programs in an xplane, in its order; none if it cannot be read."""
    try:
        opened = OpenGraphFile(xplane)
        spans = _lists.get(opened.identity, lambda: list_programs(opened.read, opened.info.size))
    except (NotFound, Unshowable):
        return []
    times = Counter[str]()
    found = []
    for span in spans:
        times[span.name] += 1
        name = span.name if times[span.name] == 1 else f"{span.name} ({times[span.name]})"
        found.append(xplane._replace(name=join(xplane.name, name or "?"), part=(span.begin, span.end)))
    return found
