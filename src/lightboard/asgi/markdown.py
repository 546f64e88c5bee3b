"""Markdown of strangers into HTML that cannot do anything: the only importer of nh3.

Logs are hostile input; a text may hold scripts, frames and pictures that phone home. Of a description tables, code,
lists and links to other sites stay, everything else goes. A logged text is data: tags that it may not have stand there
as they were written, pictures stay where they bring their pixels along, and one that lies elsewhere is a link to it.
"""

import html
import json
import re
from collections.abc import Sequence
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_inline import StateInline, html_inline
from markdown_it.token import Token

TAGS = {
    "a", "abbr", "acronym", "b", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i",
    "li", "ol", "p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "td": {"align"}, "th": {"align"}}
SCHEMES = {"http", "https", "mailto"}
LINK_REL = "noopener noreferrer nofollow"

WRITTEN_TAGS = TAGS - {"abbr", "acronym", "b", "del", "i", "s"} | {"img"}
"""Tags that a text may be written with, as in TensorBoard."""
FOREIGN = re.compile(rf"<(?!/?(?:{'|'.join(sorted(WRITTEN_TAGS))})(?:[\s/>]))", re.IGNORECASE)
"""The beginning of any other."""

PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)
"""Pixels, and nothing that could act or ask."""
NO_PICTURE = re.compile(r'<img(?: (?:alt|title)="[^"]*")*>')
"""What is left of one that had an address."""


class TextRenderer(RendererHTML):
    """Writes foreign tags among others as they were written, and a picture that is not here as a link."""

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """One picture."""
        source = str(tokens[idx].attrGet("src") or "")
        if PICTURE.fullmatch(source):
            return super().image(tokens, idx, options, env)
        words = self.renderInlineAsText(tokens[idx].children or [], options, env) or source
        return f'<a href="{html.escape(source)}">{html.escape(words)}</a>'

    def html_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:  # noqa: ARG002
        """Some lines of HTML."""
        return FOREIGN.sub("&lt;", tokens[idx].content)


def own_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines of HTML; those that begin with a foreign tag are text like any other."""
    if FOREIGN.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    return html_block(state, start, end, silent)


def own_inline(state: StateInline, silent: bool) -> bool:
    """A tag; a foreign one is text like any other."""
    return not FOREIGN.match(state.src, state.pos) and html_inline(state, silent)


describing = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
reading = MarkdownIt("commonmark", {"html": True}, renderer_cls=TextRenderer).enable(["table", "strikethrough"])
reading.block.ruler.at("html_block", own_block, {"alt": ["paragraph", "reference", "blockquote"]})
reading.inline.ruler.at("html_inline", own_inline)


def safe_html(text: str) -> str:
    """A description as sanitised HTML; links open elsewhere and tell nobody where they came from."""
    return nh3.clean(
        describing.render(text), tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=LINK_REL
    ).strip()


def text_html(text: str) -> str:
    """A logged text as sanitised HTML, likewise."""
    cleaned = nh3.clean(
        reading.render(text.replace("\0", "")),
        tags=TAGS | {"img"},
        attributes=ATTRIBUTES | {"img": {"src", "title", "alt"}},
        attribute_filter=_pictures_only,
        url_schemes=SCHEMES | {"data"},
        link_rel=LINK_REL,
    )
    return NO_PICTURE.sub("", cleaned).strip()


def laid_out_html(text: str) -> str:
    """The same, but JSON, which writers log as text and Markdown would run together, keeps its lines."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            return f"<pre><code>{html.escape(text.strip(), quote=False)}</code></pre>"
    return text_html(text)


def _pictures_only(_tag: str, attribute: str, value: str) -> str | None:
    """Only pictures may be data, and nothing else may be a picture."""
    if attribute == "src":
        return value if PICTURE.fullmatch(value) else None
    if attribute == "href" and value.strip().lower().startswith("data:"):
        return None
    return value
