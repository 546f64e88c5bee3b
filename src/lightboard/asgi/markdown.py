"""Markdown of strangers into HTML that cannot do anything: the only importer of nh3.

Logs are hostile input; a description may hold scripts, frames and pictures that phone home. Tables, code, lists and
links to other sites stay, everything else goes.
"""

import nh3
from markdown_it import MarkdownIt

TAGS = {
    "a", "abbr", "acronym", "b", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i",
    "li", "ol", "p", "pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "td": {"align"}, "th": {"align"}}

reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def safe_html(text: str) -> str:
    """`text` as sanitised HTML; links open elsewhere and tell nobody where they came from."""
    return nh3.clean(
        reader.render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    ).strip()
