"""The assets of all folders, as listings tell: which are there now, and whether anything came, went or changed.

Not here: event files, which `roster` keeps; what an asset says.
"""

from collections.abc import Iterable

from lightboard.ingest.logdir import RunFolder, Source, asset_run
from lightboard.series.asset import Asset


class Shelf:
    """Assets by source and path. Used under the lock of listings."""

    def __init__(self, sources: list[Source]) -> None:
        self._sources = sources
        self._assets: dict[tuple[int, str], Asset] = {}

    def assets(self) -> tuple[Asset, ...]:
        """All of them, by source and path."""
        return tuple(self._assets[place] for place in sorted(self._assets))

    def take(self, number: int, found: RunFolder, unsure: Iterable[str] = ()) -> int:
        """Bring a folder up to a listing; how many came, went or changed. Paths in `unsure` stay as they are."""
        listed = {info.path: info for info in found.assets}
        kept = {*listed, *unsure}
        gone = [p for n, p in self._assets if n == number and p.rpartition("/")[0] == found.path and p not in kept]
        for path in gone:
            del self._assets[number, path]
        source = self._sources[number]
        news = len(gone)
        for path, info in listed.items():
            asset = Asset(asset_run(source, found.path), source.storage, info)
            news += self._assets.get((number, path)) != asset
            self._assets[number, path] = asset
        return news

    def drop_missing(self, number: int, top: str, listed: set[str], unsure: Iterable[str]) -> int:
        """Drop what was below `top` in folders that a complete listing did not show and that could be listed."""
        inside = f"{top}/" if top else ""
        hidden = tuple(f"{path}/" if path else "" for path in unsure)
        gone = [
            (n, path)
            for n, path in self._assets
            if n == number
            and path.startswith(inside)
            and path.rpartition("/")[0] not in listed
            and not path.startswith(hidden)
        ]
        for place in gone:
            del self._assets[place]
        return len(gone)
