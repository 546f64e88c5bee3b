"""What could not be read, named by file and byte."""

from typing import Literal, NamedTuple

from lightboard.series.catalog import Catalog


class ProblemInfo(NamedTuple):
    """The fields of `schema.problems.Problem`."""

    run: str
    file: str
    offset: int
    length: int
    kind: Literal["damage", "unreadable"]
    message: str


def list_problems(catalog: Catalog) -> list[ProblemInfo]:
    """Damage by run and file, then what could not be opened."""
    damage = [
        ProblemInfo(
            run.name, path, offset, length, "damage", f"{length} bytes at byte {offset} hold no good record; skipped"
        )
        for run in catalog.runs()
        for path, offset, length in run.damage()
    ]
    unreadable = [
        ProblemInfo("", path, 0, 0, "unreadable", reason) for path, reason in sorted(catalog.unreadable.items())
    ]
    return damage + unreadable
