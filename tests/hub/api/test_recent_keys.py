"""Keys that are recorded once within some time."""

from lightboard.hub.api.recent_keys import RecentKeys


def test_a_key_is_new_again_after_some_time() -> None:
    """Counted from when it was new, whatever comes between."""
    times = iter([0.0, 9.0, 10.0, 10.0])
    keys = RecentKeys(10.0, lambda: next(times))

    assert [keys.add(("a",)) for _ in range(3)] == [True, False, True]
    assert keys.add(("b",)) is True
