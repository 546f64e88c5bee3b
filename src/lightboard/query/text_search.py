"""Searching all texts of some tags and runs, a bounded time at a stretch: whoever asks goes on where it stopped.

A plain word is looked for here. A pattern is looked for in a process of its own, which is ended when the time is up:
see `untrusted.regex`. Texts are read in pieces, so that one of any size costs little memory.
"""

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from types import TracebackType
from typing import NamedTuple, Protocol

from lightboard.cancellation import finish
from lightboard.errors import NotFound, Unshowable
from lightboard.events.payloads import strings_of
from lightboard.events.window import Window
from lightboard.events.wire import MalformedError
from lightboard.query.provider import Provider
from lightboard.query.text import PLUGIN
from lightboard.types import Step
from lightboard.untrusted.regex import PATTERN_SECS, RegexProcess, Spans
from lightboard.untrusted.regex_worker import matches

PIECE_BYTES = 1 << 20
"""Read and searched at a time."""

VALUE_BYTES = 64 << 20
"""Of a longer value only the beginning is searched."""

OVERLAP_CHARS = 4096
"""Read again with the next piece, so that a match across the border is found; no longer one is."""

AROUND = 60
"""Characters shown before and after a match."""

SHOWN = 200
"""And of the match itself."""

BUDGET_SECS = 2.0
"""After this long what was found so far is told."""


class Query(NamedTuple):
    """What is looked for: a word, or with `regex` a regular expression; with `case` large and small letters differ."""

    pattern: str
    regex: bool
    case: bool


class Mark(NamedTuple):
    """The value that was searched last."""

    tag: str
    run: int
    at: str


class Hit(NamedTuple):
    """A value that matches: how often, and the first place with what is around it. `cell` counts its strings."""

    tag: str
    run: int
    at: str
    step: Step
    cell: int
    matches: int
    before: str
    match: str
    after: str


class Found(NamedTuple):
    """`searched` of `total` values; `last` is where to go on, None once all are searched.

    `pattern_given_up`: the value after `last` was passed over, since the pattern took too long on it.
    """

    hits: list[Hit]
    searched: int
    total: int
    last: Mark | None
    pattern_given_up: bool


class Target(NamedTuple):
    """One value that may be searched."""

    mark: Mark
    step: Step
    window: Callable[[], Window]


class Matcher(Protocol):
    """Finds places in a piece of text."""

    def __call__(self, data: bytes) -> tuple[str, Spans]:
        """The piece as text and where it matches, in characters. Raises TimeoutError."""


def targets_of(
    provider: Provider, tags: Sequence[str] | None, runs: frozenset[int] | None, orphans: bool
) -> Iterator[Target]:
    """All values of these tags (None = all) in these runs (None = all), by tag, run and place."""
    names = {run.id: run.name for run in provider.runs()}
    wanted = None if tags is None else set(tags)
    for info in provider.tags(PLUGIN):
        if wanted is not None and info.tag not in wanted:
            continue
        for run in info.runs:
            if (runs is None or run in runs) and run in names:
                yield from _series(provider, info.tag, run, names[run], orphans)


def _series(provider: Provider, tag: str, run: int, name: str, orphans: bool) -> Iterator[Target]:
    try:
        values = provider.values(PLUGIN, name, tag, orphans)
    except NotFound:
        return  # gone since the list was made
    for number, (key, step) in enumerate(zip(values.keys(), values.steps, strict=True)):
        place = values.place(number)
        yield Target(Mark(tag, run, key), step, lambda place=place: provider.window(place))  # type: ignore[misc]


def search(
    targets: Sequence[Target],
    query: Query,
    *,
    after: Mark | None = None,
    most: int = 200,
    clock: Callable[[], float] = time.monotonic,
    pattern_secs: float = PATTERN_SECS,
) -> Found:
    """Goes through `targets` from the one behind `after` until `most` hits or BUDGET_SECS are reached.

    Raises:
        BadRequest: the pattern is no regular expression.
    """
    return finish(search_steps(targets, query, after=after, most=most, clock=clock, pattern_secs=pattern_secs))


def search_steps(
    targets: Sequence[Target],
    query: Query,
    *,
    after: Mark | None = None,
    most: int = 200,
    clock: Callable[[], float] = time.monotonic,
    pattern_secs: float = PATTERN_SECS,
) -> Generator[None, None, Found]:
    """The same, giving way after each value."""
    marks = [target.mark for target in targets]
    begin = marks.index(after) + 1 if after in marks else 0
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
    last = marks[searched - 1] if searched < len(targets) else None
    return Found(hits, searched, len(targets), last, given_up)


def search_value(target: Target, matcher: Matcher) -> Hit | None:
    """The first match in a value, and how many there are. Raises TimeoutError."""
    first: Hit | None = None
    count = 0
    try:
        window = target.window()
        left = VALUE_BYTES
        for cell, (begin, end) in enumerate(strings_of(window).spans):
            end = min(end, begin + left)
            left -= end - begin
            for text, spans in matches_of(window, begin, end, matcher):
                count += len(spans)
                if first is None and spans:
                    first = Hit(*target.mark, target.step, cell, 0, *snippet(text, *spans[0]))
    except (NotFound, Unshowable, MalformedError):
        pass  # what cannot be read has no matches; the page says why when it is opened
    return first._replace(matches=count) if first else None


def matches_of(window: Window, begin: int, end: int, matcher: Matcher) -> Iterator[tuple[str, Spans]]:
    """The matches of one string, piece by piece; one that begins in the overlap belongs to the next piece."""
    while begin < end:
        stop = min(end, begin + PIECE_BYTES)
        text, spans = matcher(window.slice(begin, stop))
        if stop == end:
            yield text, spans
            return
        keep = len(text) - OVERLAP_CHARS
        yield text, [span for span in spans if span[0] < keep]
        begin = stop - len(text[keep:].encode("utf-8", "replace"))


def snippet(text: str, begin: int, end: int) -> tuple[str, str, str]:
    """A match with what is before and after it."""
    return text[max(0, begin - AROUND) : begin], text[begin : min(end, begin + SHOWN)], text[end : end + AROUND]


def matcher_of(query: Query, pattern_secs: float) -> "WordMatcher | PatternMatcher":
    """The one that fits."""
    return PatternMatcher(query, pattern_secs) if query.regex else WordMatcher(query)


class WordMatcher:
    """Looks for a word in this process: takes time by the length of the text alone."""

    def __init__(self, query: Query) -> None:
        self._pattern = re.compile(re.escape(query.pattern), 0 if query.case else re.IGNORECASE)

    def __enter__(self) -> "WordMatcher":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to end."""

    def __call__(self, data: bytes) -> tuple[str, Spans]:
        """See Matcher."""
        text = data.decode("utf-8", "replace")
        return text, matches(self._pattern, text)


class PatternMatcher:
    """Has another process look for a pattern, which is ended when it takes too long."""

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
