"""A work queue: order by priority, never two threads at one item, nothing lost."""

import threading

import pytest

from lightboard.ingest.work_queue import WorkQueue


def test_items_are_ordered_by_priority():
    """Lower phases first, then larger items, then in order of submission."""
    seen = []
    queue = WorkQueue(lambda item: seen.append(item), threads=0)
    for item, priority in [("late", (2, -9)), ("small", (1, -1)), ("large", (1, -5)), ("small too", (1, -1))]:
        queue.submit(item, priority)
    queue.wait()
    assert seen == ["large", "small", "small too", "late"]


def test_items_are_visited_until_they_are_done():
    """Each visit returns the priority of the next one."""
    left = {"a": 3, "b": 2}
    seen = []

    def work(item):
        seen.append(item)
        left[item] -= 1
        return (0, -left[item]) if left[item] else None

    queue = WorkQueue(work, threads=0)
    queue.submit("a", (0, -3))
    queue.submit("b", (0, -2))
    queue.wait()
    assert seen == ["a", "b", "a", "b", "a"]


def test_items_submitted_twice_are_visited_once():
    """With the higher of both priorities."""
    seen = []
    queue = WorkQueue(lambda item: seen.append(item), threads=0)
    queue.submit("a", (5, 0))
    queue.submit("b", (3, 0))
    queue.submit("a", (1, 0))
    queue.submit("b", (9, 0))
    queue.wait()
    assert seen == ["a", "b"]


def test_items_submitted_during_their_visit_are_visited_again():
    """The visit may have missed what changed."""
    seen = []

    def work(item):
        seen.append(item)
        if len(seen) == 1:
            queue.submit(item)

    queue = WorkQueue(work, threads=0)
    queue.submit("a")
    queue.wait()
    assert seen == ["a", "a"]


def test_no_item_is_visited_by_two_threads_at_once():
    """Many threads, few items, many visits; all of them happen."""
    inside = dict.fromkeys(range(3), 0)
    counts = dict.fromkeys(range(3), 0)
    overlaps = []

    def work(item):
        inside[item] += 1
        if inside[item] > 1:
            overlaps.append(item)
        counts[item] += 1
        inside[item] -= 1
        return (0, 0) if counts[item] < 500 else None

    queue = WorkQueue(work, threads=6)
    for item in inside:
        queue.submit(item)
    assert (queue.wait(60), overlaps, counts) == (True, [], dict.fromkeys(range(3), 500))
    queue.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_failing_item_does_not_stop_others(monkeypatch):
    """The error is reported, and the thread continues."""
    errors = []
    monkeypatch.setattr(threading, "excepthook", lambda args: errors.append(str(args.exc_value)))
    seen = []

    def work(item):
        if item == "bad":
            raise ValueError("no good")
        seen.append(item)

    queue = WorkQueue(work, threads=1)
    queue.submit("bad", (0, 0))
    queue.submit("good", (1, 0))
    assert (queue.wait(60), errors, seen, queue.busy) == (True, ["no good"], ["good"], False)
    queue.stop()


def test_wait_has_a_timeout():
    """It returns False, and the work continues."""
    go = threading.Event()
    queue = WorkQueue(lambda item: go.wait(60) and None, threads=1)
    queue.submit("a")
    assert queue.wait(0.01) is False
    go.set()
    assert queue.wait(60) is True
    queue.stop()


def test_stopped_queues_drop_items():
    """Waiting on them returns False."""
    queue = WorkQueue(lambda item: None, threads=1)
    queue.stop()
    queue.submit("a")
    assert (queue.busy, queue.wait(60)) == (False, False)


def test_items_of_a_batch_are_prefetched_together():
    """As many in a row as fit. An item that fills a batch is not prefetched."""
    seen = []
    shares = {"a": 0.5, "b": 0.25, "c": 0.25, "d": 0.5, "e": 1.0, "f": 0.1}
    queue = WorkQueue(
        seen.append, threads=0, weight=shares.__getitem__, prefetch=lambda items: seen.append(tuple(items))
    )
    for item in shares:
        queue.submit(item)
    queue.wait()
    assert seen == [("a", "b", "c"), "a", "b", "c", "d", "e", "f"]


def test_items_submitted_during_their_batch_are_visited_again():
    """Before or after their own visit."""
    seen = []

    def work(item):
        seen.append(item)
        if len(seen) == 2:
            queue.submit("a")
            queue.submit("c")

    queue = WorkQueue(work, threads=0, weight=lambda item: 0.1)
    for item in "abc":
        queue.submit(item)
    queue.wait()
    assert seen == ["a", "b", "c", "a", "c"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_items_are_visited_if_prefetching_fails(monkeypatch):
    """Each one, without the prefetched data."""
    monkeypatch.setattr(threading, "excepthook", lambda args: None)
    seen = []

    def ahead(items):
        raise MemoryError

    queue = WorkQueue(seen.append, threads=0, weight=lambda item: 0.1, prefetch=ahead)
    for item in "abc":
        queue.submit(item)
    queue.wait()
    assert seen == ["a", "b", "c"]
