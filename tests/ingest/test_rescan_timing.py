"""When to scan and retry."""

from lightboard.ingest.rescan_timing import IDLE_SECS, Backoff, BurstDetector, RescanInterval, RetrySet, earliest


def pause(interval, **conditions):
    return interval.after(**({"quiet": True, "patient": True, "missing": False, "took": 0.0} | conditions))


def test_quiet_watched_logdirs_are_scanned_less_often():
    """Intervals double, up to a minute."""
    interval = RescanInterval(5.0)
    assert [pause(interval) for _ in range(6)] == [10.0, 20.0, 40.0, IDLE_SECS, IDLE_SECS, IDLE_SECS]


def test_changes_reset_the_interval():
    """The next scan comes after the usual time."""
    interval = RescanInterval(5.0)
    pause(interval)
    pause(interval)
    assert (pause(interval, quiet=False), pause(interval)) == (5.0, 10.0)


def test_unwatched_logdirs_are_scanned_at_the_interval():
    """Only scans notice changes there."""
    interval = RescanInterval(5.0)
    assert [pause(interval, patient=False) for _ in range(3)] == [5.0, 5.0, 5.0]


def test_missing_logdirs_are_polled_every_second():
    """Boards are often started before the training. Shorter intervals are respected."""
    assert (pause(RescanInterval(5.0), missing=True), pause(RescanInterval(0.2), missing=True)) == (1.0, 0.2)


def test_slow_scans_take_at_most_one_percent_of_the_time():
    """A scan of half a second is repeated after 50 seconds."""
    assert pause(RescanInterval(5.0), patient=False, took=0.5) == 50.0


def test_very_slow_scans_are_delayed_by_a_minute():
    """Or by twice their duration, if that is longer."""
    assert [pause(RescanInterval(5.0), patient=False, took=took) for took in (5.0, 20.0, 90.0)] == [60.0, 60.0, 180.0]


def test_bursts_are_counted_over_one_second():
    """However the changes are divided into batches."""
    bursts = BurstDetector(10)
    assert [bursts.add(count, now) for count, now in ((6, 0.0), (4, 0.9), (1, 1.0), (9, 1.1), (9, 9.0))] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_backoff_doubles_until_success_lasts():
    """A short success does not reset it."""
    backoff = Backoff(10.0, 60.0)
    assert not backoff.due(0.0)
    backoff.start(0.0)
    assert [backoff.due(now) for now in (9.0, 10.0, 29.0, 30.0, 70.0)] == [False, True, False, True, True]
    backoff.settle(100.0)
    backoff.start(101.0)
    assert (backoff.due(129.0), backoff.due(130.0)) == (False, True)
    backoff.settle(200.0)
    backoff.start(200.0)
    assert backoff.due(210.0)


def test_backoff_says_when_the_next_retry_is_due():
    """Whoever waits for it need not ask again and again."""
    backoff = Backoff(10.0, 60.0)
    moments = [backoff.next_due]
    backoff.start(0.0)
    moments.append(backoff.next_due)
    backoff.due(10.0)
    moments.append(backoff.next_due)
    backoff.settle(30.0)
    assert [*moments, backoff.next_due] == [None, 10.0, 30.0, None]


def test_long_intervals_are_respected():
    """Ten minutes stay ten minutes."""
    assert pause(RescanInterval(600.0)) == 600.0


def test_retries_are_spaced_exponentially():
    """After 1, 2, 4 ... seconds, up to the maximum."""
    rechecks = RetrySet(1.0, 8.0)
    rechecks.add("a", now=0.0)
    moments = []
    while len(moments) < 5:
        moments.append(rechecks.next_due())
        assert rechecks.take_due(moments[-1]) == ["a"]
    assert moments == [1.0, 3.0, 7.0, 15.0, 23.0]


def test_adding_an_item_again_does_not_delay_its_retry():
    """It stays in the set until it is discarded."""
    rechecks = RetrySet(1.0, 8.0)
    rechecks.add("a", now=0.0)
    rechecks.add("a", now=0.9)
    assert (rechecks.take_due(0.99), rechecks.take_due(1.0), "a" in rechecks) == ([], ["a"], True)


def test_discarded_items_are_not_retried():
    """Because they healed, or were deleted."""
    rechecks = RetrySet(1.0, 8.0)
    rechecks.add("a", now=0.0)
    rechecks.discard("a")
    assert (rechecks.take_due(99.0), rechecks.next_due()) == ([], None)


def test_earliest_ignores_unknown_times():
    """None if there is no known one."""
    assert (earliest([None, 3.0, 2.0]), earliest([None]), earliest([])) == (2.0, None, None)
