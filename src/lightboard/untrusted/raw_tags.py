"""Makes HTML tags inside Markdown well-formed: allowed tags are closed and nested, others are escaped.

HTML parsers reopen unclosed formatting in every following block, so that 32 KB can grow to 30 MB. The output of this
module is well-formed, at most DEPTH deep, and larger than the input by at most a constant factor. Not here: which URLs
are allowed (`links`).
"""

import html
import re

from lightboard.untrusted.links import is_picture

VOID = frozenset({"br", "hr", "img"})
TAGS = VOID | {
    "a", "blockquote", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "strong", "table",
    "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
"""The allowed tags, as in TensorBoard."""

ATTRIBUTES = {"a": {"href", "title"}, "img": {"src", "title", "alt"}, "td": {"align"}, "th": {"align"}}

DEPTH = 10
"""Limit of nested tags. Deeper ones are escaped."""

CELLS = frozenset({"td", "th"})
ENDED_BY = {
    "li": frozenset({"li"}),
    "p": frozenset({"p"}),
    "td": CELLS,
    "th": CELLS,
    "tr": CELLS | {"tr"},
    "thead": CELLS | {"tr", "thead", "tbody"},
    "tbody": CELLS | {"tr", "thead", "tbody"},
}
"""The open tags that a new tag closes, since their end tags are optional."""

TAG = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*+)>""")
"""Contains no `<` and does not backtrack, so matching takes linear time."""

ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([a-zA-Z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


class RawTags:
    """The open tags of one document."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._floors: list[int] = []

    def enter(self) -> None:
        """Begin a Markdown element. Tags that are open now stay open until it ends."""
        self._floors.append(len(self._open))

    def leave(self) -> str:
        """End a Markdown element, and return the end tags of the tags opened inside."""
        return self._close_to(self._floors.pop())

    def end(self) -> str:
        """The end tags of all open tags."""
        return self._close_to(0)

    def escape_tags(self, text: str) -> str:
        """Make allowed tags in a piece of HTML well-formed, and escape all others."""
        pieces, end = [], 0
        for match in TAG.finditer(text):
            pieces += [text[end : match.start()].replace("<", "&lt;"), self._rewrite_tag(match)]
            end = match.end()
        pieces.append(text[end:].replace("<", "&lt;"))
        return "".join(pieces)

    def _rewrite_tag(self, match: re.Match[str]) -> str:
        slash, name = match[1], match[2].lower()
        if name not in TAGS:
            return "&lt;" + match[0][1:]
        if slash:
            return self._close(name)
        if name == "img":
            return self._rewrite_image(match[3])
        if name in VOID:
            return f"<{name}{attributes(name, match[3])}>"
        end_tags = self._close_implied(name)
        if len(self._open) >= DEPTH:
            return end_tags + "&lt;" + match[0][1:]
        self._open.append(name)
        return f"{end_tags}<{name}{attributes(name, match[3])}>"

    def _rewrite_image(self, text: str) -> str:
        """Keep an embedded image, and replace an external one by a link, as in Markdown."""
        values = allowed_attributes("img", text)
        source = values.get("src", "")
        if not source or is_picture(source):
            return f"<img{attributes('img', text)}>"
        words = html.escape(values.get("alt") or ("" if source.lower().startswith("data:") else source))
        return words if not words or "a" in self._open else f'<a href="{html.escape(source)}">{words}</a>'

    def _close(self, name: str) -> str:
        """Close the nearest open tag of this name and all tags inside. Ignored if there is none."""
        for index in range(len(self._open) - 1, self._floor - 1, -1):
            if self._open[index] == name:
                return self._close_to(index)
        return ""

    def _close_implied(self, name: str) -> str:
        index = len(self._open)
        while index > self._floor and self._open[index - 1] in ENDED_BY.get(name, ()):
            index -= 1
        return self._close_to(index)

    def _close_to(self, index: int) -> str:
        end_tags = "".join(f"</{name}>" for name in reversed(self._open[index:]))
        del self._open[index:]
        return end_tags

    @property
    def _floor(self) -> int:
        return self._floors[-1] if self._floors else 0


def attributes(name: str, text: str) -> str:
    """The allowed attributes of a tag as HTML."""
    return "".join(f' {key}="{html.escape(value)}"' for key, value in allowed_attributes(name, text).items())


def allowed_attributes(name: str, text: str) -> dict[str, str]:
    """The allowed attributes of a tag. Of repeated ones the first is used."""
    allowed, values = ATTRIBUTES.get(name, ()), dict[str, str]()
    for match in ATTRIBUTE.finditer(text):
        if (key := match[1].lower()) in allowed:
            values.setdefault(key, html.unescape(match[2] or match[3] or match[4] or ""))
    return values
