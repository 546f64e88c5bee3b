"""Threads that pools share: few, fair, and gone when there is nothing to do."""

import threading
import weakref

from lightboard.ingest.crew import Crew
from lightboard.ingest.pool import Pool
from lightboard.testing.launchers import wait_for

PATIENCE_SECS = 60


def test_turns_are_done_in_the_order_they_were_asked_for():
    """One thread, first come first served."""
    seen, done = [], threading.Event()
    crew = Crew(1)
    for turn in (lambda: seen.append("a"), lambda: seen.append("b"), done.set):
        crew.call(turn)
    assert (done.wait(PATIENCE_SECS), seen) == (True, ["a", "b"])
    crew.stop()


def test_there_are_never_more_threads_than_wanted():
    """However many pools share them."""
    crew = Crew(2, name="shared")
    names, all_done = set(), threading.Barrier(2)

    def work(item):
        names.add(threading.current_thread().name)
        if item == "last":
            all_done.wait(PATIENCE_SECS)

    pools = [Pool(work, 2, crew=crew) for _ in range(20)]
    for number, pool in enumerate(pools):
        pool.submit("last" if number >= 18 else "item")
    assert [pool.wait(PATIENCE_SECS) for pool in pools] == [True] * 20
    assert names == {"shared-0", "shared-1"}
    crew.stop()


def test_a_pool_with_much_to_do_lets_others_have_their_turn():
    """After each lot the next pool is served."""
    seen, begin = [], threading.Event()
    crew = Crew(1)
    crew.call(begin.wait)
    long = Pool(lambda item: seen.append(item), 1, crew=crew)
    short = Pool(lambda item: seen.append(item), 1, crew=crew)
    for item in range(3):
        long.submit(item)
    short.submit("short")
    begin.set()
    assert (long.wait(PATIENCE_SECS), short.wait(PATIENCE_SECS), seen) == (True, True, [0, "short", 1, 2])
    crew.stop()


def test_a_thread_without_work_goes_and_another_comes_when_there_is_some():
    """A board at rest holds no threads."""
    crew = Crew(1, name="resting", idle_secs=0.0)
    ended = []
    for _ in range(2):
        working = threading.Event()
        crew.call(lambda working=working: (ended.append(threading.current_thread()), working.set()))
        assert working.wait(PATIENCE_SECS)
        ended[-1].join(PATIENCE_SECS)
    assert [thread.is_alive() for thread in ended] == [False, False]
    assert ended[0] is not ended[1]


def test_a_stopped_pool_leaves_the_crew_to_the_others():
    """Only what it asked for is forgotten."""
    seen = []
    crew = Crew(1)
    gone, stays = Pool(seen.append, 1, crew=crew), Pool(seen.append, 1, crew=crew)
    gone.stop()
    gone.submit("gone")
    stays.submit("stays")
    assert (stays.wait(PATIENCE_SECS), seen) == (True, ["stays"])
    crew.stop()


def test_a_stopped_crew_does_nothing_more():
    """Late turns are dropped."""
    seen = []
    crew = Crew(1)
    crew.stop()
    crew.call(lambda: seen.append("late"))
    assert seen == []


def test_a_thread_that_waits_holds_nothing_of_what_it_did():
    """A pool that nobody needs is freed at once."""
    crew = Crew(1, idle_secs=10 * PATIENCE_SECS)
    pool = Pool(lambda item: None, 1, crew=crew)
    pool.submit("item")
    assert pool.wait(PATIENCE_SECS)
    gone = weakref.ref(pool)
    del pool
    wait_for(lambda: gone() is None)
    crew.stop()
