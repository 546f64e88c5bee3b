"""Renders untrusted Markdown to sanitised HTML in linear time. Only this module imports nh3.

Logs are hostile input. A text may contain scripts, frames and tracking images: forbidden tags are escaped, embedded
images are kept, and external images become links. A text may also be crafted to take long: rules, tokens and output
characters are counted, and a text that takes more than WORK_PER_CHAR steps per character is rejected. Not here:
caching, and plain text for rejected texts (`rendering`).
"""

import html
import re
from collections.abc import Callable, Sequence
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, html_inline, newline, text
from markdown_it.token import Token

from lightboard.untrusted.links import SCHEMES, is_picture, safe_link
from lightboard.untrusted.raw_tags import ATTRIBUTES, TAGS, RawTags

LINK_REL = "noopener noreferrer nofollow"

FOREIGN = re.compile(rf"<(?!/?(?:{'|'.join(sorted(TAGS))})(?:[\s/>]))", re.IGNORECASE)
"""The beginning of a forbidden tag."""

NO_PICTURE = re.compile(r'<img(?: (?:alt|title)="[^"]*")*>')
"""An image whose source was removed."""

WORK_AT_LEAST, WORK_PER_CHAR = 2_000, 8
"""Limits of steps, of a few microseconds each. Prose takes less than one per character, short lines six."""

START_STEPS = 40
"""Steps of the shortest text."""

TOKEN_STEPS = 2
"""Steps of a token, in addition to its rules."""

MAX_INLINE = 65_536
"""Longer paragraphs are shown as written, since some rules take quadratic time."""

MARKED = re.compile(r"[\\`~*_\[<&]|  \n")
"""The beginnings of inline Markdown. A paragraph without any is complete as plain text."""

CHARS_PER_STEP = 4
"""Output characters per step."""

METER, RAW = "lightboard.meter", "lightboard.raw"
"""Keys of the environment of the parser."""


class TooMuchWork(Exception):  # not an error of the text
    """The text takes too many steps."""


class Meter:
    """Counts steps, and raises TooMuchWork above `most`. `skipped`: a paragraph was not parsed."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.spent = 0
        self.skipped = False

    def spend(self, steps: int = 1) -> None:
        self.spent += steps
        if self.spent > self.most:
            raise TooMuchWork


def work_limit(source: str) -> int:
    """The limit of steps for a text of this length."""
    return WORK_AT_LEAST + WORK_PER_CHAR * len(source)


def markdown_html(source: str, meter: Meter) -> str:
    """Render a text to sanitised HTML. Links send no referrer. Raises TooMuchWork."""
    meter.spend(START_STEPS)
    raw = RawTags()
    return sanitise(parser.render(source.replace("\0", ""), {METER: meter, RAW: raw}) + raw.end()).strip()


def tags_only_html(source: str) -> str:
    """Escape a text except for allowed tags, as TensorBoard shows text that is not Markdown."""
    raw = RawTags()
    return sanitise(raw.escape_tags(source.replace("\0", "")) + raw.end())


def sanitise(source: str) -> str:
    """The final sanitiser: only allowed tags, attributes and URLs remain."""
    cleaned = nh3.clean(
        source,
        tags=set(TAGS) | {"s"},
        attributes=ATTRIBUTES,
        attribute_filter=allowed_attribute,
        url_schemes=set(SCHEMES) | {"data"},
        link_rel=LINK_REL,
    )
    return NO_PICTURE.sub("", cleaned)


def allowed_attribute(_tag: str, attribute: str, value: str) -> str | None:
    """The value of an attribute, or None to remove it."""
    if attribute == "src":
        return value if is_picture(value) else None
    return safe_link(value) if attribute == "href" else value


class Tokens(list[Token]):
    """A list that counts appended tokens: a short table may have many cells."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self.meter = meter

    def append(self, token: Token) -> None:
        self.meter.spend(TOKEN_STEPS)
        super().append(token)


class CountedInlineParser(ParserInline):
    """An inline parser that counts lookahead."""

    def skipToken(self, state: StateInline) -> None:  # noqa: N802  # the name of the library
        """Skip a token, for example in the text of a link."""
        state.env[METER].spend()
        super().skipToken(state)


class Writer(RendererHTML):
    """A renderer that escapes raw tags with `raw_tags`, and renders external images as links."""

    def renderToken(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:  # noqa: N802  # the name of the library
        """Render a Markdown tag. Raw tags inside it are closed before it ends."""
        token = tokens[idx]
        closing_tags = env[RAW].leave() if token.nesting < 0 else ""
        if token.nesting > 0:
            env[RAW].enter()
        output = closing_tags + super().renderToken(tokens, idx, options, env)
        env[METER].spend(1 + len(output) // CHARS_PER_STEP)
        return output

    def renderInline(self, tokens: Sequence[Token], options: Any, env: Any) -> str:  # noqa: N802
        """Render the content of a block."""
        raw: RawTags = env[RAW]
        raw.enter()
        return super().renderInline(tokens, options, env) + raw.leave()

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Render an image."""
        source = str(tokens[idx].attrGet("src") or "")
        if is_picture(source):
            return super().image(tokens, idx, options, env)
        words = self.renderInlineAsText(tokens[idx].children or [], options, env) or source
        env[METER].spend((len(source) + len(words)) // CHARS_PER_STEP)
        return f'<a href="{html.escape(source)}">{html.escape(words)}</a>'

    def html_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:  # noqa: ARG002
        """Render raw HTML."""
        raw: RawTags = env[RAW]
        return raw.escape_tags(tokens[idx].content)

    html_inline = html_block


def read_blocks(state: StateCore) -> None:
    """Parse blocks, counting steps."""
    tokens = Tokens(state.env[METER])
    state.md.block.parse(state.src, state.md, state.env, tokens)
    state.tokens = tokens


def read_inlines(state: StateCore) -> None:
    """Parse inline content, counting steps."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) <= MAX_INLINE:
            token.children = Tokens(state.env[METER])
            state.md.inline.parse(token.content, state.md, state.env, token.children)
        elif token.type == "inline":
            state.env[METER].skipped |= MARKED.search(token.content) is not None
            token.children = [Token("text", "", 0, content=token.content)]


def count_calls(rule: Callable[..., bool]) -> Callable[..., bool]:
    """Wrap a rule so that its calls count as steps."""

    def wrapper(state: StateBlock | StateInline, *args: Any) -> bool:
        state.env[METER].spend()
        return rule(state, *args)

    return wrapper


def html_block_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The rule of HTML blocks, without forbidden tags."""
    if FOREIGN.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    return html_block(state, start, end, silent)


def html_inline_rule(state: StateInline, silent: bool) -> bool:
    """The rule of inline HTML, without forbidden tags."""
    return not FOREIGN.match(state.src, state.pos) and html_inline(state, silent)


def indented_newline(state: StateInline, silent: bool) -> bool:
    """The rule of line breaks, which keeps the indentation of the next line, as TensorBoard does."""
    position = state.pos
    if not newline(state, silent):
        return False
    state.pos = position + 1
    return True


def create_parser() -> MarkdownIt:
    """A parser of CommonMark with tables and strikethrough, with every rule counted."""
    parser = MarkdownIt("commonmark", {"html": True}, renderer_cls=Writer)
    parser.inline = CountedInlineParser()
    parser.configure("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.core.ruler.at("block", read_blocks)
    parser.core.ruler.at("inline", read_inlines)
    parser.block.ruler.at("html_block", html_block_rule, {"alt": ["paragraph", "reference", "blockquote"]})
    for rule in parser.block.ruler.__rules__:
        parser.block.ruler.at(rule.name, count_calls(rule.fn), {"alt": rule.alt})
    parser.inline.ruler.at("html_inline", html_inline_rule)
    parser.inline.ruler.at("newline", indented_newline)
    parser.inline.ruler.at("text", count_calls(text))  # called first at every position
    return parser


parser = create_parser()
