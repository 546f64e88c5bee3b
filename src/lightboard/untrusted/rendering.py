"""What a stranger's Markdown looks like in one answer: rendered while the budget lasts, plain text after that.

What was rendered is cached by its digest, and costs its answer the same again, so that an answer depends on the log
alone. Not here: how Markdown is read (`markdown`), which texts belong into an answer.
"""

import hashlib
import html
import json
from typing import NamedTuple

from lightboard.lru_cache import LruCache
from lightboard.untrusted.markdown import Meter, TooMuchWork, markdown_html, most_work

MOST_CHARS = 1 << 20
"""A longer text is shown plain."""

ANSWER_WORK = 500_000
"""Steps for all texts of one answer: more than half a megabyte of prose, a second of whatever else."""

CACHE_BYTES = 16 << 20


class Rendered(NamedTuple):
    """A text as safe HTML, and the steps that took. `plain`: its Markdown was too much, and stands there as written."""

    html: str
    work: int
    plain: bool


class Budget:
    """What one answer may spend on Markdown."""

    def __init__(self, work: int = ANSWER_WORK) -> None:
        self.left = work
        self._rendered: dict[bytes, Rendered] = {}

    def render(self, source: str) -> Rendered:
        """A text as HTML; one that comes again in the same answer costs nothing."""
        digest = digest_of(source)
        found = self._rendered.get(digest)
        if found is None:
            found = self._rendered[digest] = self._spent_on(source, digest)
        return found

    def render_laid_out(self, source: str) -> Rendered:
        """The same, but JSON, which writers log as text and Markdown would run together, keeps its lines."""
        return Rendered(plain_html(source.strip()), 0, plain=False) if is_json(source) else self.render(source)

    def _spent_on(self, source: str, digest: bytes) -> Rendered:
        try:
            found = cache.get(digest, lambda: rendered(source, self.left))
        except TooMuchWork:
            found = None
        if found is None or found.work > self.left:
            self.left = 0
            return Rendered(plain_html(source), 0, plain=True)
        self.left -= found.work
        return found


def rendered(source: str, most: int) -> Rendered:
    """A text as HTML, plain if it takes more than a text of its length may.

    Raises:
        TooMuchWork: it may take more than `most`, and does.
    """
    if len(source) > MOST_CHARS:
        return Rendered(plain_html(source), 0, plain=True)
    own = most_work(source)
    meter = Meter(min(own, most))
    try:
        return Rendered(markdown_html(source, meter), meter.spent, plain=meter.skipped)
    except TooMuchWork:
        if most < own:
            raise
        return Rendered(plain_html(source), own, plain=True)


def plain_html(source: str) -> str:
    """A text to the letter, line by line."""
    return f"<pre><code>{html.escape(source, quote=False)}</code></pre>"


def is_json(source: str) -> bool:
    """An object or a list."""
    if source.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(source)
    except (ValueError, RecursionError):
        return False
    return True


def digest_of(source: str) -> bytes:
    """Stands for a text in the cache."""
    return hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=16).digest()


cache = LruCache[Rendered](CACHE_BYTES, lambda found: 2 * len(found.html) + 200)
