"""The cache that is bounded in bytes."""

from lightboard.lru_cache import LruCache


def test_a_cache_finds_what_it_has_and_nothing_else() -> None:
    cache: LruCache[str] = LruCache(100, len)
    cache.get("one", lambda: "value")

    assert (cache.find("one"), cache.find("two")) == ("value", None)
