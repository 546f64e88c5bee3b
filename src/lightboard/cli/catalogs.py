"""Reads logs once, for commands that show something of them and end."""

from lightboard.cli.output import say
from lightboard.ingest.loader import Loader
from lightboard.ingest.logdir import Source
from lightboard.series.catalog import Catalog


def load_catalog(log_sources: list[Source]) -> Catalog:
    """All runs of these sources as they are now."""
    catalog = Catalog()
    loader = Loader(catalog, log_sources)
    try:
        loader.load()
    finally:
        loader.stop()
    return catalog


def note_what_is_missing(catalog: Catalog) -> None:
    """Say which files could not be read, and how many links were not followed."""
    for path, message in catalog.unreadable.items():
        say(f"note: cannot read {path}: {message}")
    if catalog.skipped_links:
        say(f"note: links that lead outside are not followed: {catalog.skipped_links}")
