"""HTML tags inside Markdown: those that may be there, closed and nested like any others, the rest as it was written.

A parser of HTML opens unclosed formatting again in every block that follows, so that 32 KB of it grow to 30 MB. What
comes out here is well-formed and at most DEPTH deep, and grows by a constant factor at most. Not here: whether an
address may be linked to (`links`), which the sanitiser asks.
"""

import html
import re

from lightboard.untrusted.links import is_picture

VOID = frozenset({"br", "hr", "img"})
TAGS = VOID | {
    "a", "blockquote", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "strong", "table",
    "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
"""Tags that a text may be written with, as in TensorBoard."""

ATTRIBUTES = {"a": {"href", "title"}, "img": {"src", "title", "alt"}, "td": {"align"}, "th": {"align"}}

DEPTH = 10
"""Tags within tags; deeper ones stand there as they were written."""

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
"""Which open tags a new one ends, since people leave out the end of these."""

TAG = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*+)>""")
"""No `<` inside, quoted or not, and no way back: looking for tags takes time by the length alone."""

ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([a-zA-Z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


class RawTags:
    """The tags that are open while one document is written."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._floors: list[int] = []

    def enter(self) -> None:
        """Something of Markdown's own begins: what is open stays open until it has ended."""
        self._floors.append(len(self._open))

    def leave(self) -> str:
        """It ends, and with it what was opened inside."""
        return self._close_to(self._floors.pop())

    def end(self) -> str:
        """Ends all that is open."""
        return self._close_to(0)

    def written(self, text: str) -> str:
        """A piece of HTML with its tags made good."""
        pieces, at = [], 0
        for found in TAG.finditer(text):
            pieces += [text[at : found.start()].replace("<", "&lt;"), self._tag(found)]
            at = found.end()
        pieces.append(text[at:].replace("<", "&lt;"))
        return "".join(pieces)

    def _tag(self, found: re.Match[str]) -> str:
        slash, name = found[1], found[2].lower()
        if name not in TAGS:
            return "&lt;" + found[0][1:]
        if slash:
            return self._end_of(name)
        if name == "img":
            return self._picture(found[3])
        if name in VOID:
            return f"<{name}{attributes(name, found[3])}>"
        ended = self._implied_ends(name)
        if len(self._open) >= DEPTH:
            return ended + "&lt;" + found[0][1:]
        self._open.append(name)
        return f"{ended}<{name}{attributes(name, found[3])}>"

    def _picture(self, text: str) -> str:
        """A picture that brings its pixels along; one that lies elsewhere is a link to it, as in Markdown."""
        said = said_of("img", text)
        source = said.get("src", "")
        if not source or is_picture(source):
            return f"<img{attributes('img', text)}>"
        words = html.escape(said.get("alt") or ("" if source.lower().startswith("data:") else source))
        return words if not words or "a" in self._open else f'<a href="{html.escape(source)}">{words}</a>'

    def _end_of(self, name: str) -> str:
        """Closes the nearest of that name with all inside it; one that was never opened is nothing."""
        for at in range(len(self._open) - 1, self._floor - 1, -1):
            if self._open[at] == name:
                return self._close_to(at)
        return ""

    def _implied_ends(self, name: str) -> str:
        at = len(self._open)
        while at > self._floor and self._open[at - 1] in ENDED_BY.get(name, ()):
            at -= 1
        return self._close_to(at)

    def _close_to(self, at: int) -> str:
        closed = "".join(f"</{name}>" for name in reversed(self._open[at:]))
        del self._open[at:]
        return closed

    @property
    def _floor(self) -> int:
        return self._floors[-1] if self._floors else 0


def attributes(name: str, text: str) -> str:
    """Those that the tag may have, as they are written."""
    return "".join(f' {key}="{html.escape(value)}"' for key, value in said_of(name, text).items())


def said_of(name: str, text: str) -> dict[str, str]:
    """The attributes that the tag may have; of several of one name the first counts."""
    wanted, said = ATTRIBUTES.get(name, ()), dict[str, str]()
    for found in ATTRIBUTE.finditer(text):
        if (key := found[1].lower()) in wanted:
            said.setdefault(key, html.unescape(found[2] or found[3] or found[4] or ""))
    return said
