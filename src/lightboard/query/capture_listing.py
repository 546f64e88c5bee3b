"""The captures of a board, listed once between two changes. Cheap to import."""

from collections.abc import Callable, Sequence

from lightboard.errors import NotFound
from lightboard.query.capture_files import Capture, listed_captures
from lightboard.series.catalog import Asset


def none() -> tuple[Capture, ...]:
    """No captures."""
    return ()


class CaptureListing:
    """The captures among the assets of a catalog, and in its event files. Thread-safe.

    Both are asked for as sequences, of which there is another one after each change.
    """

    def __init__(
        self, assets: Callable[[], Sequence[Asset]], in_events: Callable[[], Sequence[Capture]] = none
    ) -> None:
        self._assets, self._in_events = assets, in_events
        self._listed: tuple[Sequence[Asset], Sequence[Capture], list[Capture], dict[str, Capture]] = ((), (), [], {})

    def captures(self) -> list[Capture]:
        """The captures, in the order of folders, and then those in event files. Callers must not modify the list."""
        return self._current()[2]

    def find(self, name: str) -> Capture:
        """The capture of this name. Raises NotFound."""
        found = self._current()[3].get(name)
        if found is None:
            raise NotFound(f"no capture {name!r}", hint="GET /api/v1/profiles lists them")
        return found

    def _current(self) -> tuple[Sequence[Asset], Sequence[Capture], list[Capture], dict[str, Capture]]:
        assets, in_events, listed = self._assets(), self._in_events(), self._listed
        if listed[0] is not assets or listed[1] is not in_events:
            captures, by_name = [*listed_captures(assets), *in_events], dict[str, Capture]()
            for capture in captures:
                by_name.setdefault(capture.name, capture)
            listed = self._listed = (assets, in_events, captures, by_name)
        return listed
