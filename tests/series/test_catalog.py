"""What readers of the catalog see, and when."""

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
    """The order of admission is the order of slots."""
    catalog, _ = catalog_of("b", "a")
    assert [(run.name, run.id, run.slot) for run in catalog.runs()] == [("b", 0, 0), ("a", 1, 1)]


def test_name_that_comes_back_has_its_old_place():
    """Ids and slots are never given to another name."""
    catalog, (first, _) = catalog_of("a", "b")
    catalog.publish(removed=[first])
    catalog.publish(added=[Run("c"), Run("a")])
    assert [(run.name, run.id, run.slot) for run in catalog.runs()] == [("a", 0, 0), ("b", 1, 1), ("c", 2, 2)]


def test_known_slots_are_kept():
    """A name from before has its slot again; a new one takes the smallest that nobody ever had, gone or not."""
    catalog = Catalog({"gone": 0, "b": 1, "a": 3})
    catalog.publish(added=[Run("new"), Run("a"), Run("b"), Run("newer")])
    assert [(run.name, run.id, run.slot) for run in catalog.runs()] == [
        ("b", 2, 1),
        ("new", 0, 2),
        ("a", 1, 3),
        ("newer", 3, 4),
    ]


def test_slots_are_told_for_the_next_catalog():
    """Those of runs that are gone too; handing them on gives every name its own again, whatever the order."""
    catalog, (a, _) = catalog_of("a", "b")
    catalog.publish(removed=[a])
    told = catalog.slots()
    assert told == {"a": 0, "b": 1}
    again = Catalog(told)
    again.publish(added=[Run("c"), Run("b"), Run("a")])
    assert (again.slots(), [run.name for run in again.runs()]) == ({"a": 0, "b": 1, "c": 2}, ["a", "b", "c"])


def test_run_is_found_by_name_and_id():
    """A run that is not there is named in the error."""
    catalog, (run,) = catalog_of("a")
    assert (catalog.run("a"), catalog.runs()) == (run, [run])
    with pytest.raises(RunNotFound, match="no run 'x'"):
        catalog.run("x")


def test_snapshot_stays_as_it_was():
    """A list of runs taken before a change does not change."""
    catalog, (run,) = catalog_of("a")
    before = catalog.runs()
    catalog.publish(removed=[run])
    assert (before, catalog.runs()) == ([run], [])


def test_changes_since_a_generation():
    """Only runs that changed after it are told; structure only if runs or tags came or went after it."""
    catalog, (a, b) = catalog_of("a", "b")
    catalog.publish(changed=[b])
    catalog.publish(changed=[a])
    assert [catalog.changes_since(since) for since in range(4)] == [
        Changes(3, (0, 1), True, False),
        Changes(3, (0, 1), False, False),
        Changes(3, (0,), False, False),
        Changes(3, (), False, False),
    ]


def test_new_tags_are_a_change_of_structure():
    """Whoever lists tags must ask again."""
    catalog, (a,) = catalog_of("a")
    catalog.publish(changed=[a], structure=True)
    assert catalog.changes_since(1) == Changes(2, (0,), True, False)


def test_removed_run_is_a_change_of_structure_and_nothing_else():
    """A run that is gone is not among the changed ones, not even if it is said to have changed."""
    catalog, (a, _) = catalog_of("a", "b")
    catalog.publish(removed=[a])
    catalog.publish(changed=[a])
    assert catalog.changes_since(1) == Changes(3, (), True, False)


def test_subscribers_hear_each_generation_until_they_leave():
    """The callback gets the generation that is visible by then."""
    catalog = Catalog()
    heard = []
    leave = catalog.subscribe(lambda generation: heard.append((generation, catalog.generation)))
    catalog.publish()
    catalog.publish()
    leave()
    catalog.publish()
    assert heard == [(1, 1), (2, 2)]


def test_catalog_nobody_fills_is_at_rest():
    """Without a keeper there is no progress, no neighbourhood, nothing unreadable."""
    catalog = Catalog()
    catalog.refresh()
    assert (catalog.progress, catalog.live, catalog.live_reason, catalog.unreadable, catalog.nearest()) == (
        Progress(0, 0, 0, 0, False, 0, 0.0),
        "once",
        "",
        {},
        [],
    )
