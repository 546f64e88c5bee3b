"""Lists what could not be read, by file and offset."""

from typing import TYPE_CHECKING

from lightboard.series.catalog import Catalog

if TYPE_CHECKING:
    from lightboard.schema.problems import Problem


def list_problems(catalog: Catalog) -> "list[Problem]":
    """Damage by run and file, then unreadable files."""
    from lightboard.schema.problems import Problem  # slow to import

    damage = [
        Problem(
            run=run.name,
            file=path,
            offset=offset,
            length=length,
            kind="damage",
            message=f"{length} bytes at byte {offset} hold no good record; skipped",
        )
        for run in catalog.runs()
        for path, offset, length in run.damage()
    ]
    unreadable = [
        Problem(run="", file=path, offset=0, length=0, kind="unreadable", message=reason)
        for path, reason in sorted(catalog.unreadable.items())
    ]
    return damage + unreadable
