"""What visits brought, published not more often than eyes can follow."""

from lightboard.ingest.publisher import GAP_SECS, Publisher
from lightboard.series.catalog import Catalog, Changes
from lightboard.series.run import Run
from lightboard.testing.fakes import FakeClock


def publisher():
    catalog, clock = Catalog(), FakeClock()
    return catalog, clock, Publisher(catalog, clock)


def test_many_changes_are_one_generation():
    """Everything since the last flush is published together."""
    catalog, _, changes = publisher()
    for name in "ba":
        changes.add(Run(name))
    changes.flush(now=False)
    assert (catalog.changes_since(0), [run.name for run in catalog.runs()]) == (
        Changes(1, (0, 1), True, False),
        ["a", "b"],
    )


def test_flush_in_between_waits_for_the_gap():
    """Too early nothing is published, except when told that it is the last."""
    catalog, clock, changes = publisher()
    run = Run("a")
    changes.add(run)
    changes.flush(now=False)
    seen = []
    for pause, now in ((GAP_SECS / 2, False), (GAP_SECS, False), (0.0, False), (0.0, True)):
        clock.pass_secs(pause)
        changes.change(run)
        changes.flush(now=now)
        seen.append(catalog.generation)
    assert seen == [1, 2, 2, 3]


def test_nothing_to_tell_is_not_told():
    """A flush without news publishes no generation."""
    catalog, _, changes = publisher()
    changes.flush(now=True)
    assert catalog.generation == 0


def test_run_that_came_and_went_unseen_was_never_there():
    """Added and removed between two flushes."""
    catalog, _, changes = publisher()
    run = Run("a")
    changes.add(run)
    changes.remove(run)
    changes.flush(now=True)
    assert (catalog.runs(), run.id) == ([], -1)
