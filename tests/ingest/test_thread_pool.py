"""A thread pool shared by queues: few threads, fair, and none when idle."""

import threading
import weakref

from lightboard.ingest.thread_pool import ThreadPool
from lightboard.ingest.work_queue import WorkQueue
from lightboard.testing.launchers import wait_for

TIMEOUT_SECS = 60


def test_tasks_run_in_order():
    """First come, first served, with one thread."""
    seen, done = [], threading.Event()
    thread_pool = ThreadPool(1)
    for task in (lambda: seen.append("a"), lambda: seen.append("b"), done.set):
        thread_pool.submit(task)
    assert (done.wait(TIMEOUT_SECS), seen) == (True, ["a", "b"])
    thread_pool.stop()


def test_the_number_of_threads_is_limited():
    """However many queues share the pool."""
    thread_pool = ThreadPool(2, name="shared")
    names, all_done = set(), threading.Barrier(2)

    def work(item):
        names.add(threading.current_thread().name)
        if item == "last":
            all_done.wait(TIMEOUT_SECS)

    queues = [WorkQueue(work, 2, thread_pool=thread_pool) for _ in range(20)]
    for number, queue in enumerate(queues):
        queue.submit("last" if number >= 18 else "item")
    assert [queue.wait(TIMEOUT_SECS) for queue in queues] == [True] * 20
    assert names == {"shared-0", "shared-1"}
    thread_pool.stop()


def test_queues_take_turns():
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
    assert (long.wait(TIMEOUT_SECS), short.wait(TIMEOUT_SECS), seen) == (True, True, [0, "short", 1, 2])
    thread_pool.stop()


def test_idle_threads_end():
    """New work starts a new one."""
    thread_pool = ThreadPool(1, name="resting", idle_secs=0.0)
    ended = []
    for _ in range(2):
        working = threading.Event()
        thread_pool.submit(lambda working=working: (ended.append(threading.current_thread()), working.set()))
        assert working.wait(TIMEOUT_SECS)
        ended[-1].join(TIMEOUT_SECS)
    assert [thread.is_alive() for thread in ended] == [False, False]
    assert ended[0] is not ended[1]


def test_stopped_queues_do_not_affect_others():
    """Only their own items are dropped."""
    seen = []
    thread_pool = ThreadPool(1)
    gone, stays = WorkQueue(seen.append, 1, thread_pool=thread_pool), WorkQueue(seen.append, 1, thread_pool=thread_pool)
    gone.stop()
    gone.submit("gone")
    stays.submit("stays")
    assert (stays.wait(TIMEOUT_SECS), seen) == (True, ["stays"])
    thread_pool.stop()


def test_stopped_pools_drop_tasks():
    """The task never runs."""
    seen = []
    thread_pool = ThreadPool(1)
    thread_pool.stop()
    thread_pool.submit(lambda: seen.append("late"))
    assert seen == []


def test_waiting_threads_hold_no_references():
    """A queue without other references is freed at once."""
    thread_pool = ThreadPool(1, idle_secs=10 * TIMEOUT_SECS)
    queue = WorkQueue(lambda item: None, 1, thread_pool=thread_pool)
    queue.submit("item")
    assert queue.wait(TIMEOUT_SECS)
    gone = weakref.ref(queue)
    del queue
    wait_for(lambda: gone() is None)
    thread_pool.stop()
