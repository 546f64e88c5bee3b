"""Descriptions that writers gave to a tag, as HTML for the page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lightboard.untrusted.rendering import Budget

MOST_CHARS = 16_384
"""Of a longer description the beginning is shown."""

MOST_PLAIN_CHARS = 300
"""And so much of one for which the answer has no budget left."""


class Descriptions:
    """The descriptions of one answer, which share its budget.

    Most logs have none, so the Markdown reader is loaded only when it is needed.
    """

    def __init__(self) -> None:
        self._budget: Budget | None = None

    def html(self, given: Mapping[str, list[str]]) -> str:
        """Sanitised HTML of descriptions, which are given by the names of the runs that say them.

        Runs that disagree are shown one under the other, each with its names, as TensorBoard shows them. Where
        something is left out the HTML says so.
        """
        return self.one(next(iter(given)) if len(given) == 1 else several(given)) if given else ""

    def one(self, text: str) -> str:
        """The same of a single one, "" for none."""
        if not text:
            return ""
        from lightboard.untrusted.rendering import Budget, plain_html  # heavy, and rarely needed

        if self._budget is None:
            self._budget = Budget()
        cut = len(text) > MOST_CHARS
        found = self._budget.render(text[:MOST_CHARS])
        if found.plain and not self._budget.left:
            cut = cut or len(text) > MOST_PLAIN_CHARS
            return said("not rendered", plain_html(text[:MOST_PLAIN_CHARS]), len(text), cut=cut)
        return said("shown as plain text" if found.plain else "", found.html, len(text), cut=cut)


def several(given: Mapping[str, list[str]]) -> str:
    """Descriptions that differ, as one text; only so much of it is made as can be shown."""
    parts, left = ["# Multiple descriptions"], MOST_CHARS
    for text, runs in sorted(given.items()):
        part = f"## For {'runs' if len(runs) > 1 else 'run'}: {', '.join(sorted(runs))}\n{text}"
        parts.append(part[: left + 1])
        left -= len(part)
        if left < 0:
            break
    return "\n".join(parts)


def said(what: str, html: str, size: int, *, cut: bool) -> str:
    """HTML with a word before it where it is not all, or not as it was meant."""
    words = ", ".join(filter(None, [what, f"the beginning of {size} characters" if cut else ""]))
    return f"<p><em>{words[:1].upper()}{words[1:]}.</em></p>\n{html}" if words else html
