"""Text search: words and patterns, in steps, with timeouts."""

import pytest

from lightboard.config import BoardSettings
from lightboard.errors import BadRequest
from lightboard.query import text_search
from lightboard.query.provider import CatalogProvider
from lightboard.query.text_search import Hit, Query, Target, search, targets_of
from lightboard.testing.event_files import STRING, summary_metadata, tensor, tensor_record, version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.untrusted import regex

RUNS = {
    "a": {"note": [(0, "The quick brown fox"), (5, "nothing here"), (9, "fox, FOX and fox")]},
    "b": {"note": [(0, "лиса")], "other": [(0, "fox")]},
}


def provider_of(runs: dict[str, dict[str, list[tuple[int, str]]]] = RUNS) -> CatalogProvider:
    files = {
        f"{run}/events.out.tfevents.1": b"".join(
            [
                version_record(),
                *(
                    tensor_record(tag, step, tensor(STRING, [text.encode()]), 1.0, summary_metadata("text"))
                    for tag, texts in tags.items()
                    for step, text in texts
                ),
            ]
        )
        for run, tags in runs.items()
    }
    return CatalogProvider(MemoryBoard(files).catalog, BoardSettings(logdir="memory"))


def targets(tags: list[str] | None = None, runs: frozenset[int] | None = None) -> list[Target]:
    return list(targets_of(provider_of(), tags, runs, orphans=False))


def search_hits(query: Query) -> list[tuple[str, int, int, int]]:
    """Tag, run, step and number of matches of each hit."""
    return [(hit.tag, hit.run, hit.step, hit.matches) for hit in search(targets(), query).hits]


def test_words_are_found_in_every_step_of_every_run() -> None:
    """Case-insensitively by default."""
    assert search_hits(Query("fox", False, False)) == [("note", 0, 0, 1), ("note", 0, 9, 3), ("other", 1, 0, 1)]
    assert search_hits(Query("fox", False, True)) == [("note", 0, 0, 1), ("note", 0, 9, 2), ("other", 1, 0, 1)]
    assert search_hits(Query("ЛИС", False, False)) == [("note", 1, 0, 1)]


def test_words_are_literal() -> None:
    """Special characters of patterns have no meaning."""
    assert search_hits(Query("f.x", False, False)) == []


def test_patterns_are_found() -> None:
    """Anchors match at line ends."""
    assert search_hits(Query(r"f.x$", True, False)) == [("note", 0, 0, 1), ("note", 0, 9, 1), ("other", 1, 0, 1)]


def test_hits_have_context() -> None:
    """And a position."""
    everything = targets(["note"], frozenset({0}))

    assert search(everything, Query("quick", False, False)).hits == [
        Hit("note", 0, everything[0].position.at, 0, 0, 1, "The ", "quick", " brown fox")
    ]


def test_searches_can_be_limited() -> None:
    """To tags, runs and positions."""
    assert [len(targets()), len(targets(["other"])), len(targets(None, frozenset({0}))), len(targets([]))] == [
        5,
        1,
        3,
        0,
    ]


def test_searches_resume_from_a_cursor() -> None:
    """Without gaps or duplicates."""
    seconds = iter(range(0, 1000, 3))
    hits, progress, after = [], [], None
    for _ in range(10):
        part = search(targets(), Query("fox", False, False), after=after, clock=lambda: float(next(seconds)))
        hits += part.hits
        progress.append((part.searched, part.total))
        after = part.last
        if after is None:
            break

    assert progress == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]
    assert [(hit.tag, hit.run, hit.step) for hit in hits] == [("note", 0, 0), ("note", 0, 9), ("other", 1, 0)]


def test_hits_are_paged() -> None:
    """With a cursor for the rest."""
    first = search(targets(), Query("fox", False, False), most=1)
    rest = search(targets(), Query("fox", False, False), after=first.last)

    assert [len(first.hits), len(rest.hits), rest.last] == [1, 2, None]


def test_invalid_search_patterns_are_refused() -> None:
    """With the reason."""
    with pytest.raises(BadRequest, match="not a regular expression"):
        search(targets(), Query("(", True, False))


def test_catastrophic_search_patterns_time_out() -> None:
    """The value is skipped, and the search can continue."""
    provider = provider_of({"run": {"note": [(0, "a" * 40 + "!"), (1, "aaa")]}})
    everything = list(targets_of(provider, None, None, orphans=False))
    query = Query(r"^(a+)+$", True, False)

    stopped = search(everything, query, pattern_secs=0.3)
    rest = search(everything, query, after=stopped.last)

    assert [stopped.pattern_given_up, stopped.hits, stopped.searched] == [True, [], 1]
    assert [rest.pattern_given_up, [hit.step for hit in rest.hits], rest.last] == [False, [1], None]


def test_matches_across_chunks_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks overlap."""
    monkeypatch.setattr(text_search, "PIECE_BYTES", 100)
    monkeypatch.setattr(text_search, "OVERLAP_CHARS", 20)
    text = ("я" * 48 + "needle" + "я" * 30) * 5
    everything = list(targets_of(provider_of({"run": {"note": [(0, text)]}}), None, None, orphans=False))

    assert [hit.matches for hit in search(everything, Query("needle", False, False)).hits] == [5]


def test_huge_texts_are_searched_partially(monkeypatch: pytest.MonkeyPatch) -> None:
    """One value cannot take forever."""
    monkeypatch.setattr(text_search, "VALUE_BYTES", 10)
    everything = list(targets_of(provider_of({"run": {"note": [(0, "fox" + " " * 20 + "fox")]}}), None, None, False))

    assert [hit.matches for hit in search(everything, Query("fox", False, False)).hits] == [1]


def test_without_subprocesses_words_are_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Embedded interpreters have no executable."""
    monkeypatch.setattr(regex.sys, "executable", "/nowhere/python")

    with pytest.raises(BadRequest, match="no process"):
        search(targets(), Query("fox", True, False))
    assert len(search_hits(Query("fox", False, False))) == 3
