"""Renders the descriptions of tags as HTML for the page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lightboard.untrusted.rendering import Budget

MAX_CHARS = 16_384
"""Longer descriptions are truncated."""

MAX_PLAIN_CHARS = 300
"""The limit of descriptions that are shown as plain text because the budget is used up."""


class Descriptions:
    """Renders the descriptions of one response, which share a budget.

    The Markdown parser is imported when it is needed, since most logs have no descriptions.
    """

    def __init__(self) -> None:
        self._budget: Budget | None = None

    def html(self, descriptions: Mapping[str, list[str]]) -> str:
        """Sanitised HTML of descriptions, each with the names of the runs that have it.

        Different descriptions are shown below each other with their runs, as in TensorBoard. The HTML says where
        something is left out.
        """
        return (
            self.one(next(iter(descriptions)) if len(descriptions) == 1 else merge_descriptions(descriptions))
            if descriptions
            else ""
        )

    def one(self, text: str) -> str:
        """Sanitised HTML of one description, "" for an empty one."""
        if not text:
            return ""
        from lightboard.untrusted.rendering import Budget, plain_html  # slow to import, and rarely needed

        if self._budget is None:
            self._budget = Budget()
        truncated = len(text) > MAX_CHARS
        rendered = self._budget.render(text[:MAX_CHARS])
        if rendered.plain and not self._budget.left:
            truncated = truncated or len(text) > MAX_PLAIN_CHARS
            return with_notice("not rendered", plain_html(text[:MAX_PLAIN_CHARS]), len(text), cut=truncated)
        return with_notice("shown as plain text" if rendered.plain else "", rendered.html, len(text), cut=truncated)


def merge_descriptions(descriptions: Mapping[str, list[str]]) -> str:
    """Different descriptions as one text, truncated."""
    parts, left = ["# Multiple descriptions"], MAX_CHARS
    for text, runs in sorted(descriptions.items()):
        part = f"## For {'runs' if len(runs) > 1 else 'run'}: {', '.join(sorted(runs))}\n{text}"
        parts.append(part[: left + 1])
        left -= len(part)
        if left < 0:
            break
    return "\n".join(parts)


def with_notice(reason: str, html: str, size: int, *, cut: bool) -> str:
    """HTML with a notice before it if it is truncated or not rendered."""
    text = ", ".join(filter(None, [reason, f"the beginning of {size} characters" if cut else ""]))
    return f"<p><em>{text[:1].upper()}{text[1:]}.</em></p>\n{html}" if text else html
