"""The captures of a board, listed once between two changes of its assets. Cheap to import."""

from collections.abc import Callable, Sequence

from lightboard.errors import NotFound
from lightboard.query.capture_files import Capture, listed_captures
from lightboard.series.catalog import Asset


class CaptureListing:
    """The captures among the assets of a catalog, which has another tuple of these after each change. Thread-safe."""

    def __init__(self, assets: Callable[[], Sequence[Asset]]) -> None:
        self._assets = assets
        self._listed: tuple[Sequence[Asset], list[Capture], dict[str, Capture]] = ((), [], {})

    def captures(self) -> list[Capture]:
        """The captures, in the order of folders. Callers must not modify the list."""
        return self._current()[1]

    def find(self, name: str) -> Capture:
        """The capture of this name. Raises NotFound."""
        found = self._current()[2].get(name)
        if found is None:
            raise NotFound(f"no capture {name!r}", hint="GET /api/v1/profiles lists them")
        return found

    def _current(self) -> tuple[Sequence[Asset], list[Capture], dict[str, Capture]]:
        assets, listed = self._assets(), self._listed
        if listed[0] is not assets:
            captures, by_name = listed_captures(assets), dict[str, Capture]()
            for capture in captures:
                by_name.setdefault(capture.name, capture)
            listed = self._listed = (assets, captures, by_name)
        return listed
