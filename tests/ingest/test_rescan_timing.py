"""When to look again."""

from lightboard.ingest.rescan_timing import IDLE_SECS, Backoff, BurstDetector, RescanInterval, RetrySet, earliest


def pause(interval, **told):
    return interval.after(**({"quiet": True, "patient": True, "missing": False, "took": 0.0} | told))


def test_quiet_patient_listings_drift_apart_up_to_a_minute():
    """While the watch works and nothing happens there is less and less to do."""
    interval = RescanInterval(5.0)
    assert [pause(interval) for _ in range(6)] == [10.0, 20.0, 40.0, IDLE_SECS, IDLE_SECS, IDLE_SECS]


def test_news_bring_the_pace_back():
    """Something happened: the next listing comes after the usual time."""
    interval = RescanInterval(5.0)
    pause(interval)
    pause(interval)
    assert (pause(interval, quiet=False), pause(interval)) == (5.0, 10.0)


def test_without_patience_listings_keep_the_usual_pace():
    """Nobody tells of changes: they must be looked for."""
    interval = RescanInterval(5.0)
    assert [pause(interval, patient=False) for _ in range(3)] == [5.0, 5.0, 5.0]


def test_absent_logdir_is_looked_for_every_second():
    """People start the board before the training; a shorter interval is kept."""
    assert (pause(RescanInterval(5.0), missing=True), pause(RescanInterval(0.2), missing=True)) == (1.0, 0.2)


def test_slow_listings_never_take_more_than_a_hundredth():
    """A tree that takes half a second to list is listed every 50 seconds."""
    assert pause(RescanInterval(5.0), patient=False, took=0.5) == 50.0


def test_very_slow_listings_are_not_put_off_for_long():
    """A hundredth of the time would be minutes: a minute is enough, or twice as long as the listing took."""
    assert [pause(RescanInterval(5.0), patient=False, took=took) for took in (5.0, 20.0, 90.0)] == [60.0, 60.0, 180.0]


def test_a_burst_is_what_comes_within_a_second():
    """However it is divided; what came before does not count."""
    bursts = BurstDetector(10)
    assert [bursts.add(count, now) for count, now in ((6, 0.0), (4, 0.9), (1, 1.0), (9, 1.1), (9, 9.0))] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_backoff_doubles_until_it_has_worked_for_a_while():
    """A success that does not last does not bring the shortest time back."""
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


def test_long_interval_is_not_shortened():
    """Who asks for ten minutes gets ten minutes."""
    assert pause(RescanInterval(600.0)) == 600.0


def test_rechecks_come_at_growing_distances():
    """After 1, 2, 4 ... seconds, up to the longest."""
    rechecks = RetrySet(1.0, 8.0)
    rechecks.add("a", now=0.0)
    moments = []
    while len(moments) < 5:
        moments.append(rechecks.next_due())
        assert rechecks.take_due(moments[-1]) == ["a"]
    assert moments == [1.0, 3.0, 7.0, 15.0, 23.0]


def test_recheck_is_not_due_early_and_keeps_its_time():
    """Adding it once more does not put it off."""
    rechecks = RetrySet(1.0, 8.0)
    rechecks.add("a", now=0.0)
    rechecks.add("a", now=0.9)
    assert (rechecks.take_due(0.99), rechecks.take_due(1.0), "a" in rechecks) == ([], ["a"], True)


def test_discarded_item_is_not_looked_at():
    """It healed, or it is gone."""
    rechecks = RetrySet(1.0, 8.0)
    rechecks.add("a", now=0.0)
    rechecks.discard("a")
    assert (rechecks.take_due(99.0), rechecks.next_due()) == ([], None)


def test_earliest_of_some():
    """Moments that are not known do not count."""
    assert (earliest([None, 3.0, 2.0]), earliest([None]), earliest([])) == (2.0, None, None)
