"""Changes are published together, at a limited rate."""

from lightboard.ingest.publisher import GAP_SECS, Publisher
from lightboard.series.catalog import Catalog, Changes
from lightboard.series.run import Run
from lightboard.testing.fakes import FakeClock


def publisher():
    catalog, clock = Catalog(), FakeClock()
    return catalog, clock, Publisher(catalog, clock)


def test_changes_are_published_together():
    """One generation for all changes since the last flush."""
    catalog, _, changes = publisher()
    for name in "ba":
        changes.add(Run(name))
    changes.flush(now=False)
    assert (catalog.changes_since(0), [run.name for run in catalog.runs()]) == (
        Changes(1, (0, 1), True, False),
        ["a", "b"],
    )


def test_early_flushes_wait_for_the_gap():
    """Except for the last one, with `now=True`."""
    catalog, clock, changes = publisher()
    run = Run("a")
    changes.add(run)
    changes.flush(now=False)
    seen = []
    for pause, now in ((GAP_SECS / 2, False), (GAP_SECS, False), (0.0, False), (0.0, True)):
        clock.advance(pause)
        changes.change(run)
        changes.flush(now=now)
        seen.append(catalog.generation)
    assert seen == [1, 2, 2, 3]


def test_flushes_without_changes_publish_nothing():
    """The generation stays the same."""
    catalog, _, changes = publisher()
    changes.flush(now=True)
    assert catalog.generation == 0


def test_runs_removed_before_a_flush_are_never_published():
    """They get no id."""
    catalog, _, changes = publisher()
    run = Run("a")
    changes.add(run)
    changes.remove(run)
    changes.flush(now=True)
    assert (catalog.runs(), run.id) == ([], -1)
