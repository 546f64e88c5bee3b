"""Searches the texts of tags and runs. Each call takes a limited time, and the next one continues where it stopped.

Plain words are searched in this process, regular expressions in a subprocess with a timeout (`untrusted.regex`). Texts
are read in pieces, so that memory does not depend on their size.
"""

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from types import TracebackType
from typing import NamedTuple, Protocol

from lightboard.cancellation import finish
from lightboard.errors import NotFound, Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.events.payloads import read_strings
from lightboard.events.wire import MalformedError
from lightboard.query.provider import DataProvider, ValueProvider
from lightboard.query.text import PLUGIN
from lightboard.types import Step
from lightboard.untrusted.regex import PATTERN_SECS, RegexProcess, Spans
from lightboard.untrusted.regex_worker import matches

PIECE_BYTES = 1 << 20
"""Bytes read and searched at once."""

VALUE_BYTES = 64 << 20
"""Limit of the bytes searched per value. Of longer values only the beginning is searched."""

OVERLAP_CHARS = 4096
"""Overlap of consecutive pieces, which is the maximum length of a match that crosses their border."""

CONTEXT_CHARS = 60
"""Characters shown before and after a match."""

MAX_MATCH_CHARS = 200
"""Limit of the characters shown of a match."""

BUDGET_SECS = 2.0
"""Time limit of a call, after which it returns the hits so far."""


class Query(NamedTuple):
    """A search for a text, or with `regex` for a regular expression. `case` makes it case-sensitive."""

    pattern: str
    regex: bool
    case: bool


class Position(NamedTuple):
    """A value: tag, run id and key (see `query.values`)."""

    tag: str
    run: int
    at: str


class Hit(NamedTuple):
    """A value that matches, with its number of `matches`. `at` is its key.

    `before`, `match` and `after` are the text around the first match, in the string with index `cell` of the value.
    """

    tag: str
    run: int
    at: str
    step: Step
    cell: int
    matches: int
    before: str
    match: str
    after: str


class SearchResult(NamedTuple):
    """The hits of one call. `searched` of `total` values were searched by this call and those before it.

    `last` is the value to continue after, None once all are searched. `pattern_given_up`: the value searched last was
    skipped because the pattern took too long.
    """

    hits: list[Hit]
    searched: int
    total: int
    last: Position | None
    pattern_given_up: bool


class Target(NamedTuple):
    """One value to search. `window` opens it."""

    position: Position
    step: Step
    window: Callable[[], ByteReader]


class Matcher(Protocol):
    """Finds matches in a piece of text."""

    def __call__(self, data: bytes) -> tuple[str, Spans]:
        """The piece as text, and its matches as [begin, end) in characters. Raises TimeoutError."""


def targets_of(
    provider: DataProvider, tags: Sequence[str] | None, runs: frozenset[int] | None, orphans: bool
) -> Iterator[Target]:
    """All values of these tags (None: all) in the runs with these ids (None: all), by tag, run and position."""
    names = {run.id: run.name for run in provider.runs()}
    wanted = None if tags is None else set(tags)
    for info in provider.tags(PLUGIN):
        if wanted is not None and info.tag not in wanted:
            continue
        for run in info.runs:
            if (runs is None or run in runs) and run in names:
                yield from _series(provider, info.tag, run, names[run], orphans)


def _series(provider: ValueProvider, tag: str, run: int, name: str, orphans: bool) -> Iterator[Target]:
    try:
        values = provider.values(PLUGIN, name, tag, orphans)
    except NotFound:
        return  # removed since the tags were listed
    for index, (key, step) in enumerate(zip(values.keys(), values.steps, strict=True)):
        location = values.location(index)
        yield Target(Position(tag, run, key), step, lambda location=location: provider.window(location))  # type: ignore[misc]


def search(
    targets: Sequence[Target],
    query: Query,
    *,
    after: Position | None = None,
    most: int = 200,
    clock: Callable[[], float] = time.monotonic,
    pattern_secs: float = PATTERN_SECS,
) -> SearchResult:
    """Search `targets` in order, from the one following `after`, until there are `most` hits or BUDGET_SECS are over.

    `pattern_secs` is the timeout of a regular expression per piece of text. Raises BadRequest if it is invalid.
    """
    return finish(search_steps(targets, query, after=after, most=most, clock=clock, pattern_secs=pattern_secs))


def search_steps(
    targets: Sequence[Target],
    query: Query,
    *,
    after: Position | None = None,
    most: int = 200,
    clock: Callable[[], float] = time.monotonic,
    pattern_secs: float = PATTERN_SECS,
) -> Generator[None, None, SearchResult]:
    """Like `search`, in steps of one value."""
    positions = [target.position for target in targets]
    begin = positions.index(after) + 1 if after in positions else 0
    end_time = clock() + BUDGET_SECS
    hits: list[Hit] = []
    searched, given_up = begin, False
    with matcher_of(query, pattern_secs) as matcher:
        for target in targets[begin:]:
            try:
                hit = search_value(target, matcher)
            except TimeoutError:
                given_up = True
                hit = None
            searched += 1
            if hit:
                hits.append(hit)
            if given_up or len(hits) >= most or clock() > end_time:
                break
            yield
    last = positions[searched - 1] if searched < len(targets) else None
    return SearchResult(hits, searched, len(targets), last, given_up)


def search_value(target: Target, matcher: Matcher) -> Hit | None:
    """The first match in a value, with the number of matches. None if there is none. Raises TimeoutError."""
    first: Hit | None = None
    count = 0
    try:
        window = target.window()
        remaining = VALUE_BYTES
        for cell, (begin, end) in enumerate(read_strings(window).spans):
            end = min(end, begin + remaining)
            remaining -= end - begin
            for text, spans in matches_of(window, begin, end, matcher):
                count += len(spans)
                if first is None and spans:
                    first = Hit(*target.position, target.step, cell, 0, *snippet(text, *spans[0]))
    except (NotFound, Unshowable, MalformedError):
        pass  # the page shows the error when the value is opened
    return first._replace(matches=count) if first else None


def matches_of(window: ByteReader, begin: int, end: int, matcher: Matcher) -> Iterator[tuple[str, Spans]]:
    """Text and matches of each piece of the string in [begin, end). Matches in an overlap count for the next piece."""
    while begin < end:
        stop = min(end, begin + PIECE_BYTES)
        text, spans = matcher(window.slice(begin, stop))
        if stop == end:
            yield text, spans
            return
        overlap = len(text) - OVERLAP_CHARS
        yield text, [span for span in spans if span[0] < overlap]
        begin = stop - len(text[overlap:].encode("utf-8", "replace"))


def snippet(text: str, begin: int, end: int) -> tuple[str, str, str]:
    """The text before, of and after the match in [begin, end), each truncated."""
    return (
        text[max(0, begin - CONTEXT_CHARS) : begin],
        text[begin : min(end, begin + MAX_MATCH_CHARS)],
        text[end : end + CONTEXT_CHARS],
    )


def matcher_of(query: Query, pattern_secs: float) -> "WordMatcher | PatternMatcher":
    """A matcher for the query, as a context manager."""
    return PatternMatcher(query, pattern_secs) if query.regex else WordMatcher(query)


class WordMatcher:
    """Searches for plain text in this process, in time linear in the length of the text."""

    def __init__(self, query: Query) -> None:
        self._pattern = re.compile(re.escape(query.pattern), 0 if query.case else re.IGNORECASE)

    def __enter__(self) -> "WordMatcher":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to close."""

    def __call__(self, data: bytes) -> tuple[str, Spans]:
        """See Matcher."""
        text = data.decode("utf-8", "replace")
        return text, matches(self._pattern, text)


class PatternMatcher:
    """Searches for a regular expression in a subprocess with a timeout of `secs`."""

    def __init__(self, query: Query, secs: float) -> None:
        self._process = RegexProcess(query.pattern, ignore_case=not query.case, secs=secs)

    def __enter__(self) -> "PatternMatcher":
        self._process.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def __call__(self, data: bytes) -> tuple[str, Spans]:
        """See Matcher."""
        return data.decode("utf-8", "replace"), self._process.spans(data)
