"""Which series there are to take away."""

from lightboard.query.scalars import scalar_parts
from lightboard.series.catalog import Catalog


def runs_having(catalog: Catalog, tag: str, wanted: frozenset[int] | None) -> list[str]:
    """Names of the runs with a scalar series `tag`, by slot, of those with `wanted` ids or of all."""
    return [
        run.name
        for run in catalog.runs()
        if (wanted is None or run.id in wanted) and scalar_parts(run, tag) is not None
    ]
