"""The cache whose values expire."""

from collections.abc import Callable

from lightboard.hub.api.expiring_cache import Cached, ExpiringCache


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def cache_of(clock: Callable[[], float], most: int = 10) -> ExpiringCache[str, int]:
    return ExpiringCache(1.0, most, clock)


def test_a_value_is_kept_until_it_expires() -> None:
    clock = Clock()
    cache = cache_of(clock)
    assert cache.load("a", lambda: 1) == 1
    clock.now = 101.0
    assert cache.get("a") == Cached(1, 100.0)
    clock.now = 101.1
    assert cache.get("a") is None


def test_the_age_of_a_value_counts_from_before_it_was_read() -> None:
    clock = Clock()
    cache = cache_of(clock)

    def slow() -> int:
        clock.now = 100.9
        return 1

    cache.load("a", slow)
    assert cache.get("a") == Cached(1, 100.0)


def test_none_is_a_value() -> None:
    cache: ExpiringCache[str, int | None] = ExpiringCache(1.0, 10, Clock())
    cache.load("a", lambda: None)
    assert cache.get("a") == Cached(None, 100.0)


def test_the_oldest_values_are_dropped() -> None:
    cache = cache_of(Clock(), most=2)
    for key in "abc":
        cache.load(key, lambda: 1)
    assert [key for key in "abc" if cache.get(key)] == ["b", "c"]


def test_values_are_dropped_by_key() -> None:
    cache = cache_of(Clock())
    for key in ("a1", "a2", "b1"):
        cache.load(key, lambda: 1)
    cache.drop(lambda key: key.startswith("a"))
    assert [key for key in ("a1", "a2", "b1") if cache.get(key)] == ["b1"]
