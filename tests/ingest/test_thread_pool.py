"""Threads that queues share: few, fair, and ended when there is nothing to do."""

import threading
import weakref

from lightboard.ingest.thread_pool import ThreadPool
from lightboard.ingest.work_queue import WorkQueue
from lightboard.testing.launchers import wait_for

PATIENCE_SECS = 60


def test_tasks_are_done_in_the_order_they_were_asked_for():
    """One thread, first come first served."""
    seen, done = [], threading.Event()
    thread_pool = ThreadPool(1)
    for task in (lambda: seen.append("a"), lambda: seen.append("b"), done.set):
        thread_pool.submit(task)
    assert (done.wait(PATIENCE_SECS), seen) == (True, ["a", "b"])
    thread_pool.stop()


def test_there_are_never_more_threads_than_wanted():
    """However many queues share them."""
    thread_pool = ThreadPool(2, name="shared")
    names, all_done = set(), threading.Barrier(2)

    def work(item):
        names.add(threading.current_thread().name)
        if item == "last":
            all_done.wait(PATIENCE_SECS)

    queues = [WorkQueue(work, 2, thread_pool=thread_pool) for _ in range(20)]
    for number, queue in enumerate(queues):
        queue.submit("last" if number >= 18 else "item")
    assert [queue.wait(PATIENCE_SECS) for queue in queues] == [True] * 20
    assert names == {"shared-0", "shared-1"}
    thread_pool.stop()


def test_a_queue_with_much_to_do_lets_others_have_their_turn():
    """After each batch the next queue is served."""
    seen, begin = [], threading.Event()
    thread_pool = ThreadPool(1)
    thread_pool.submit(begin.wait)
    long = WorkQueue(lambda item: seen.append(item), 1, thread_pool=thread_pool)
    short = WorkQueue(lambda item: seen.append(item), 1, thread_pool=thread_pool)
    for item in range(3):
        long.submit(item)
    short.submit("short")
    begin.set()
    assert (long.wait(PATIENCE_SECS), short.wait(PATIENCE_SECS), seen) == (True, True, [0, "short", 1, 2])
    thread_pool.stop()


def test_a_thread_without_work_goes_and_another_comes_when_there_is_some():
    """A board at rest holds no threads."""
    thread_pool = ThreadPool(1, name="resting", idle_secs=0.0)
    ended = []
    for _ in range(2):
        working = threading.Event()
        thread_pool.submit(lambda working=working: (ended.append(threading.current_thread()), working.set()))
        assert working.wait(PATIENCE_SECS)
        ended[-1].join(PATIENCE_SECS)
    assert [thread.is_alive() for thread in ended] == [False, False]
    assert ended[0] is not ended[1]


def test_a_stopped_queue_leaves_the_thread_pool_to_the_others():
    """Only what it asked for is forgotten."""
    seen = []
    thread_pool = ThreadPool(1)
    gone, stays = WorkQueue(seen.append, 1, thread_pool=thread_pool), WorkQueue(seen.append, 1, thread_pool=thread_pool)
    gone.stop()
    gone.submit("gone")
    stays.submit("stays")
    assert (stays.wait(PATIENCE_SECS), seen) == (True, ["stays"])
    thread_pool.stop()


def test_a_stopped_thread_pool_does_nothing_more():
    """Late tasks are dropped."""
    seen = []
    thread_pool = ThreadPool(1)
    thread_pool.stop()
    thread_pool.submit(lambda: seen.append("late"))
    assert seen == []


def test_a_thread_that_waits_holds_nothing_of_what_it_did():
    """A queue that nobody needs is freed at once."""
    thread_pool = ThreadPool(1, idle_secs=10 * PATIENCE_SECS)
    queue = WorkQueue(lambda item: None, 1, thread_pool=thread_pool)
    queue.submit("item")
    assert queue.wait(PATIENCE_SECS)
    gone = weakref.ref(queue)
    del queue
    wait_for(lambda: gone() is None)
    thread_pool.stop()
