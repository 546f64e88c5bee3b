"""Renders untrusted Markdown within the budget of a response, and as plain text after that.

Rendered texts are cached by digest, and cost the same if they are cached, so that a response depends only on the logs.
Not here: parsing (`markdown`).
"""

import hashlib
import html
import json
from typing import NamedTuple

from lightboard.lru_cache import LruCache
from lightboard.untrusted.markdown import Meter, TooMuchWork, markdown_html, work_limit

MAX_CHARS = 1 << 20
"""Longer texts are shown as plain text."""

RESPONSE_WORK = 500_000
"""Budget of a response in steps: over half a megabyte of prose, or a second of the slowest Markdown."""

CACHE_BYTES = 16 << 20


class RenderedHtml(NamedTuple):
    """A text as safe HTML, and its cost in steps. `plain`: it was too expensive, and is shown as plain text."""

    html: str
    work: int
    plain: bool


class Budget:
    """The budget of one response for Markdown."""

    def __init__(self, work: int = RESPONSE_WORK) -> None:
        self.left = work
        self._rendered: dict[bytes, RenderedHtml] = {}

    def render(self, source: str) -> RenderedHtml:
        """A text as HTML. Repeated texts of a response cost nothing."""
        digest = digest_of(source)
        rendered = self._rendered.get(digest)
        if rendered is None:
            rendered = self._rendered[digest] = self._spend_on(source, digest)
        return rendered

    def render_keeping_json(self, source: str) -> RenderedHtml:
        """As `render`, but JSON is shown as plain text, since Markdown would join its lines."""
        return RenderedHtml(plain_html(source.strip()), 0, plain=False) if is_json(source) else self.render(source)

    def _spend_on(self, source: str, digest: bytes) -> RenderedHtml:
        try:
            rendered = cache.get(digest, lambda: render_html(source, self.left))
        except TooMuchWork:
            rendered = None
        if rendered is None or rendered.work > self.left:
            self.left = 0
            return RenderedHtml(plain_html(source), 0, plain=True)
        self.left -= rendered.work
        return rendered


def render_html(source: str, most: int) -> RenderedHtml:
    """A text as HTML, or as plain text if it takes more steps than its length allows.

    Raises:
        TooMuchWork: it takes more than `most` steps, which its length allows.
    """
    if len(source) > MAX_CHARS:
        return RenderedHtml(plain_html(source), 0, plain=True)
    limit = work_limit(source)
    meter = Meter(min(limit, most))
    try:
        return RenderedHtml(markdown_html(source, meter), meter.spent, plain=meter.skipped)
    except TooMuchWork:
        if most < limit:
            raise
        return RenderedHtml(plain_html(source), limit, plain=True)


def plain_html(source: str) -> str:
    """A text as written, as HTML."""
    return f"<pre><code>{html.escape(source, quote=False)}</code></pre>"


def is_json(source: str) -> bool:
    """Whether a text is a JSON object or list."""
    if source.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(source)
    except (ValueError, RecursionError):
        return False
    return True


def digest_of(source: str) -> bytes:
    """The key of a text in the cache."""
    return hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=16).digest()


cache = LruCache[RenderedHtml](CACHE_BYTES, lambda rendered: 2 * len(rendered.html) + 200)
