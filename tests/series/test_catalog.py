"""The catalog: ids, slots, generations and subscriptions."""

import pytest

from lightboard.errors import RunNotFound
from lightboard.series.catalog import Catalog, Changes
from lightboard.series.run import Run
from lightboard.types import Progress


def catalog_of(*names):
    catalog = Catalog()
    runs = [Run(name) for name in names]
    catalog.publish(added=runs)
    return catalog, runs


def test_runs_get_ids_and_slots_in_order():
    """In the order of publication."""
    catalog, _ = catalog_of("b", "a")
    assert [(run.name, run.id, run.slot) for run in catalog.runs()] == [("b", 0, 0), ("a", 1, 1)]


def test_returning_runs_keep_id_and_slot():
    """No other run ever gets them."""
    catalog, (first, _) = catalog_of("a", "b")
    catalog.publish(removed=[first])
    catalog.publish(added=[Run("c"), Run("a")])
    assert [(run.name, run.id, run.slot) for run in catalog.runs()] == [("a", 0, 0), ("b", 1, 1), ("c", 2, 2)]


def test_known_slots_are_kept():
    """New names get the smallest slot that was never used, even by deleted runs."""
    catalog = Catalog({"gone": 0, "b": 1, "a": 3})
    catalog.publish(added=[Run("new"), Run("a"), Run("b"), Run("newer")])
    assert [(run.name, run.id, run.slot) for run in catalog.runs()] == [
        ("b", 2, 1),
        ("new", 0, 2),
        ("a", 1, 3),
        ("newer", 3, 4),
    ]


def test_slots_can_be_handed_to_the_next_catalog():
    """Including those of deleted runs, in any order."""
    catalog, (a, _) = catalog_of("a", "b")
    catalog.publish(removed=[a])
    slots = catalog.slots()
    assert slots == {"a": 0, "b": 1}
    next_catalog = Catalog(slots)
    next_catalog.publish(added=[Run("c"), Run("b"), Run("a")])
    assert (next_catalog.slots(), [run.name for run in next_catalog.runs()]) == (
        {"a": 0, "b": 1, "c": 2},
        ["a", "b", "c"],
    )


def test_runs_are_found_by_name():
    """The error names a missing run."""
    catalog, (run,) = catalog_of("a")
    assert (catalog.run("a"), catalog.runs()) == (run, [run])
    with pytest.raises(RunNotFound, match="no run 'x'"):
        catalog.run("x")


def test_snapshots_do_not_change():
    """A list of runs is not affected by later changes."""
    catalog, (run,) = catalog_of("a")
    before = catalog.runs()
    catalog.publish(removed=[run])
    assert (before, catalog.runs()) == ([run], [])


def test_changes_since_a_generation():
    """Runs that changed after it; structure, if runs or tags were added or removed after it."""
    catalog, (a, b) = catalog_of("a", "b")
    catalog.publish(changed=[b])
    catalog.publish(changed=[a])
    assert [catalog.changes_since(since) for since in range(4)] == [
        Changes(3, (0, 1), True, False),
        Changes(3, (0, 1), False, False),
        Changes(3, (0,), False, False),
        Changes(3, (), False, False),
    ]


def test_new_tags_are_structural_changes():
    """Clients must list the tags again."""
    catalog, (a,) = catalog_of("a")
    catalog.publish(changed=[a], structure=True)
    assert catalog.changes_since(1) == Changes(2, (0,), True, False)


def test_removed_runs_are_structural_changes():
    """They are not among the changed runs, even if reported as changed."""
    catalog, (a, _) = catalog_of("a", "b")
    catalog.publish(removed=[a])
    catalog.publish(changed=[a])
    assert catalog.changes_since(1) == Changes(3, (), True, False)


def test_subscribers_get_each_generation():
    """Until they unsubscribe. The generation is already visible then."""
    catalog = Catalog()
    generations = []
    unsubscribe = catalog.subscribe(lambda generation: generations.append((generation, catalog.generation)))
    catalog.publish()
    catalog.publish()
    unsubscribe()
    catalog.publish()
    assert generations == [(1, 1), (2, 2)]


def test_catalogs_without_a_loader_are_idle():
    """No progress, no suggestions, nothing unreadable."""
    catalog = Catalog()
    catalog.refresh()
    assert (catalog.progress, catalog.live, catalog.live_reason, catalog.unreadable, catalog.nearby_folders()) == (
        Progress(0, 0, 0, 0, False, 0, 0.0),
        "once",
        "",
        {},
        [],
    )
