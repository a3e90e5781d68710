"""A cache drops what has not been used for longest, and computes nothing twice that it holds."""

from parlor.server.operations.lru_cache import LruCache


def test_what_was_not_used_for_longest_is_dropped() -> None:
    cache: LruCache[str] = LruCache(2)
    made: list[str] = []

    def get(key: str) -> str:
        return cache.get_or(key, lambda: made.append(key) or key.upper())  # type: ignore[func-returns-value]

    assert [get(key) for key in "abacab"] == list("ABACAB")
    assert made == ["a", "b", "c", "b"]  # when c came, b had not been used for longest
