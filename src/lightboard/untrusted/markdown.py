"""Markdown of strangers into HTML that can do nothing, in a time that its length bounds: the only importer of nh3.

Logs are hostile input. A text may hold scripts, frames and pictures that phone home: tags that it may not have stand
there as they were written, pictures stay where they bring their pixels along, and one that lies elsewhere is a link to
it. And a text may be built to take long: every rule of the reader, every token and every letter of an answer that it
makes is counted, and what would take more than WORK_PER_CHAR for each letter is given up. Not here: what is shown then,
and what was rendered before (`rendering`).
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
"""The beginning of a tag that a text may not have."""

NO_PICTURE = re.compile(r'<img(?: (?:alt|title)="[^"]*")*>')
"""What is left of a picture that had an address."""

WORK_AT_LEAST, WORK_PER_CHAR = 2_000, 8
"""Steps that a text may take, of a few microseconds each. Prose takes less than one for a letter, short lines six."""

START_STEPS = 40
"""What the shortest text takes."""

TOKEN_STEPS = 2
"""What a token costs beside the rules that made it."""

MOST_INLINE = 65_536
"""A longer paragraph is shown as written: some rules copy all that follows for each letter that they look at."""

MARKED = re.compile(r"[\\`~*_\[<&]|  \n")
"""Where some of Markdown may begin within a paragraph; one without any of it is shown as it was meant."""

CHARS_PER_STEP = 4
"""Letters of the answer that count as one step."""

METER, RAW = "lightboard.meter", "lightboard.raw"
"""Keys of what goes with a text while it is read and written."""


class TooMuchWork(Exception):  # nothing is wrong but the price
    """The text takes more steps than it may."""


class Meter:
    """Counts steps; raises TooMuchWork at the first one beyond `most`. `skipped`: some part is not shown as meant."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.spent = 0
        self.skipped = False

    def spend(self, steps: int = 1) -> None:
        self.spent += steps
        if self.spent > self.most:
            raise TooMuchWork


def most_work(source: str) -> int:
    """The steps that a text of this length may take."""
    return WORK_AT_LEAST + WORK_PER_CHAR * len(source)


def markdown_html(source: str, meter: Meter) -> str:
    """A text as sanitised HTML; links open elsewhere and tell nobody where they came from. Raises TooMuchWork."""
    meter.spend(START_STEPS)
    raw = RawTags()
    return sanitised(reader.render(source.replace("\0", ""), {METER: meter, RAW: raw}) + raw.end()).strip()


def tags_only_html(source: str) -> str:
    """A text to the letter, but for the tags that it may have, as TensorBoard shows what is no Markdown."""
    raw = RawTags()
    return sanitised(raw.written(source.replace("\0", "")) + raw.end())


def sanitised(written: str) -> str:
    """The last word: whatever wrote this, nothing but these tags, attributes and addresses leaves."""
    cleaned = nh3.clean(
        written,
        tags=set(TAGS) | {"s"},
        attributes=ATTRIBUTES,
        attribute_filter=allowed_attribute,
        url_schemes=set(SCHEMES) | {"data"},
        link_rel=LINK_REL,
    )
    return NO_PICTURE.sub("", cleaned)


def allowed_attribute(_tag: str, attribute: str, value: str) -> str | None:
    """The value that an attribute may have; None takes it away."""
    if attribute == "src":
        return value if is_picture(value) else None
    return safe_link(value) if attribute == "href" else value


class Tokens(list[Token]):
    """A list that counts what is put into it: a table of few letters may have many cells."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self.meter = meter

    def append(self, token: Token) -> None:
        self.meter.spend(TOKEN_STEPS)
        super().append(token)


class Words(ParserInline):
    """The reader of what stands in a block, which counts each place that it looks at in advance."""

    def skipToken(self, state: StateInline) -> None:  # noqa: N802  # its name
        """Looks for the end of a link's words, for one."""
        state.env[METER].spend()
        super().skipToken(state)


class Writer(RendererHTML):
    """Writes tags that stood in the text as `raw_tags` has them, and a picture that is not here as a link."""

    def renderToken(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:  # noqa: N802  # its name
        """One tag of Markdown's own; what it holds is closed before it ends."""
        token = tokens[idx]
        closed = env[RAW].leave() if token.nesting < 0 else ""
        if token.nesting > 0:
            env[RAW].enter()
        written = closed + super().renderToken(tokens, idx, options, env)
        env[METER].spend(1 + len(written) // CHARS_PER_STEP)
        return written

    def renderInline(self, tokens: Sequence[Token], options: Any, env: Any) -> str:  # noqa: N802
        """The words of one block."""
        raw: RawTags = env[RAW]
        raw.enter()
        return super().renderInline(tokens, options, env) + raw.leave()

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """One picture."""
        source = str(tokens[idx].attrGet("src") or "")
        if is_picture(source):
            return super().image(tokens, idx, options, env)
        words = self.renderInlineAsText(tokens[idx].children or [], options, env) or source
        env[METER].spend((len(source) + len(words)) // CHARS_PER_STEP)
        return f'<a href="{html.escape(source)}">{html.escape(words)}</a>'

    def html_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:  # noqa: ARG002
        """Some lines of HTML."""
        raw: RawTags = env[RAW]
        return raw.written(tokens[idx].content)

    html_inline = html_block


def read_blocks(state: StateCore) -> None:
    """The first half of reading, counted."""
    tokens = Tokens(state.env[METER])
    state.md.block.parse(state.src, state.md, state.env, tokens)
    state.tokens = tokens


def read_inlines(state: StateCore) -> None:
    """The second half."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) <= MOST_INLINE:
            token.children = Tokens(state.env[METER])
            state.md.inline.parse(token.content, state.md, state.env, token.children)
        elif token.type == "inline":
            state.env[METER].skipped |= MARKED.search(token.content) is not None
            token.children = [Token("text", "", 0, content=token.content)]


def counted(rule: Callable[..., bool]) -> Callable[..., bool]:
    """The same rule, each try of which is a step."""

    def count(state: StateBlock | StateInline, *given: Any) -> bool:
        state.env[METER].spend()
        return rule(state, *given)

    return count


def known_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines of HTML; those that begin with a foreign tag are text like any other."""
    if FOREIGN.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    return html_block(state, start, end, silent)


def known_inline(state: StateInline, silent: bool) -> bool:
    """A tag; a foreign one is text like any other."""
    return not FOREIGN.match(state.src, state.pos) and html_inline(state, silent)


def indented_newline(state: StateInline, silent: bool) -> bool:
    """A line break that leaves the spaces of the next line there, as TensorBoard does: logged JSON is read by them."""
    at = state.pos
    if not newline(state, silent):
        return False
    state.pos = at + 1
    return True


def made_reader() -> MarkdownIt:
    """CommonMark with tables and struck-out text, every rule counted."""
    made = MarkdownIt("commonmark", {"html": True}, renderer_cls=Writer)
    made.inline = Words()
    made.configure("commonmark", {"html": True}).enable(["table", "strikethrough"])
    made.core.ruler.at("block", read_blocks)
    made.core.ruler.at("inline", read_inlines)
    made.block.ruler.at("html_block", known_block, {"alt": ["paragraph", "reference", "blockquote"]})
    for rule in made.block.ruler.__rules__:
        made.block.ruler.at(rule.name, counted(rule.fn), {"alt": rule.alt})
    made.inline.ruler.at("html_inline", known_inline)
    made.inline.ruler.at("newline", indented_newline)
    made.inline.ruler.at("text", counted(text))  # tried first at every place that is looked at
    return made


reader = made_reader()
