"""The model files of a board by run and name, for requests that look for one."""

import threading
from weakref import WeakKeyDictionary

from lightboard.query.graph_files import GraphFile, graph_files
from lightboard.query.provider import IndexProvider


class GraphFileIndex:
    """The model files of a board, also by run and name, while runs and assets are those of `generation`."""

    def __init__(self, generation: int, files: list[GraphFile]) -> None:
        self.generation = generation
        self.files = files
        self._by_name: dict[tuple[str, str], GraphFile] = {}
        for file in files:
            self._by_name.setdefault((file.run, file.name), file)

    def find(self, run: str, name: str) -> GraphFile | None:
        """The file of a run with this name."""
        return self._by_name.get((run, name))


_indexes: "WeakKeyDictionary[IndexProvider, GraphFileIndex]" = WeakKeyDictionary()
_indexes_lock = threading.Lock()


def index_of(provider: IndexProvider) -> GraphFileIndex:
    """The model files of a board, listed once between two changes of runs and assets: each request looks for one."""
    generation = provider.structure_generation  # before the lists: those of an older one are made again
    with _indexes_lock:
        index = _indexes.get(provider)
    if index is None or index.generation != generation:
        index = GraphFileIndex(generation, graph_files(frozenset(provider.run_names()), provider.assets()))
        with _indexes_lock:
            _indexes[provider] = index
    return index
