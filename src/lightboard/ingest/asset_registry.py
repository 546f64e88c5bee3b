"""The assets of all folders as last listed. Event files are in `file_registry`."""

from collections.abc import Iterable

from lightboard.ingest.logdir import RunFolder, Source, asset_run
from lightboard.series.catalog import Asset


class AssetRegistry:
    """Assets by source and path. Guarded by the lock of listings."""

    def __init__(self, sources: list[Source]) -> None:
        self._sources = sources
        self._assets: dict[tuple[int, str], Asset] = {}

    def assets(self) -> tuple[Asset, ...]:
        """All assets, ordered by source and path."""
        return tuple(self._assets[key] for key in sorted(self._assets))

    def update(self, number: int, found: RunFolder, unsure: Iterable[str] = ()) -> int:
        """Apply the listing of a folder, except for the paths in `unsure`. Returns how many assets changed."""
        listed = {info.path: info for info in found.assets}
        kept = {*listed, *unsure}
        gone = [p for n, p in self._assets if n == number and p.rpartition("/")[0] == found.path and p not in kept]
        for path in gone:
            del self._assets[number, path]
        source = self._sources[number]
        changed = len(gone)
        for path, info in listed.items():
            asset = Asset(asset_run(source, found.path), source.storage, info)
            changed += self._assets.get((number, path)) != asset
            self._assets[number, path] = asset
        return changed

    def drop_missing(self, number: int, top: str, listed: set[str], unsure: Iterable[str]) -> int:
        """Drop the assets below `top` whose folders a complete listing could read but did not find."""
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
        for key in gone:
            del self._assets[key]
        return len(gone)
