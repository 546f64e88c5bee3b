"""The model files of a board by run and name, for requests that look for one."""

from lightboard.query.graph_files import GraphFile


class GraphFileIndex:
    """The model files of a board, also by run and name, while runs and assets are those of `generation`.

    `xplanes` are captures in which there may be further graphs.
    """

    def __init__(self, generation: int, files: list[GraphFile], xplanes: list[GraphFile]) -> None:
        self.generation = generation
        self.files = files
        self.xplanes = xplanes
        self._by_name: dict[tuple[str, str], GraphFile] = {}
        for file in files:
            self._by_name.setdefault((file.run, file.name), file)

    def find(self, run: str, name: str) -> GraphFile | None:
        """The file of a run with this name."""
        return self._by_name.get((run, name))
