"""Reads JSON from a file piece by piece, compressed or not, one value of an array at a time.

The text is decoded as Latin-1, one character for each byte, so that positions are offsets of bytes and damaged
characters harm nothing; `text_of` decodes a string. What is malformed is skipped up to the next event.
"""

import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange

CHUNK_BYTES = 1 << 20
"""How much is read, and decompressed, at once."""

MAX_VALUE_CHARS = 16 << 20
"""The longest value that is read. It limits memory."""

MAX_TEXT_BYTES = 64 << 30
"""How much text of one file is read, decompressed."""

GZIP = b"\x1f\x8b"
GZIP_WBITS = 31
MAX_LAYERS = 3
"""How often a file may be compressed."""

MAX_DEPTH = 100
"""Values within values that are read. The native decoder has the same limit, as its recursion."""

NUMBER_TAIL = 2
"""A number may go on after so many characters that are not part of it yet: `1` in `1e+7`."""

HIGH = re.compile(r"[\x80-\xff]+")
SURROGATE = re.compile(r"[\ud800-\udfff]")
NEXT_EVENT = re.compile(r'\{[ \t\n\r]{0,20}"(?:ph|name|cat|pid|ts|args)"[ \t\n\r]{0,20}:')
"""Where an event begins: at most 48 characters."""

SPACE = re.compile(r"[ \t\n\r\f\v,\x00]*")
STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{}]', re.DOTALL)


class CutOffError(Exception):
    """The file ends within a value."""


def text_of(text: str) -> str:
    """A string of the file, in which each character stands for a byte unless it was escaped.

    Half of a surrogate pair, which UTF-8 cannot tell, becomes U+FFFD.
    """
    return text if text.isascii() else SURROGATE.sub("\ufffd", HIGH.sub(decode_high, text))


def decode_high(found: re.Match[str]) -> str:
    """Bytes as UTF-8, or what they are."""
    try:
        return found[0].encode("latin-1").decode()
    except UnicodeDecodeError:
        return found[0]


def raw_pieces(read: ReadRange, size: int) -> Iterator[bytes]:
    """The bytes of the file."""
    at = 0
    while at < size:
        piece = read(at, min(CHUNK_BYTES, size - at))
        if not piece:
            return
        at += len(piece)
        yield piece


def unzipped(pieces: Iterator[bytes], problems: list[str], layers: int = MAX_LAYERS) -> Iterator[bytes]:
    """The same without compression. Damage ends it with a problem."""
    first = next(pieces, b"")
    while len(first) < len(GZIP) and (more := next(pieces, b"")):
        first += more
    if not first.startswith(GZIP) or not layers:
        yield first
        yield from pieces
        return
    yield from unzipped(inflate(first, pieces, problems), problems, layers - 1)


def inflate(first: bytes, pieces: Iterator[bytes], problems: list[str]) -> Iterator[bytes]:
    """Decompress, in bounded pieces, one or more members."""
    data, inflater = first, zlib.decompressobj(GZIP_WBITS)
    try:
        while True:
            while data:
                cancellation.check()  # a few bytes may stand for gigabytes
                if inflater.eof:
                    if not data.startswith(GZIP):  # padding
                        return
                    inflater = zlib.decompressobj(GZIP_WBITS)
                if text := inflater.decompress(data, CHUNK_BYTES):
                    yield text
                data = inflater.unconsumed_tail or inflater.unused_data
            data = next(pieces, b"")
            if not data:
                break
        if not inflater.eof:
            problems.append("the compressed file is cut off")
    except zlib.error:
        problems.append("the compressed file is damaged, and is read up to there")


class TextStream:
    """A buffer over the text. `at` is the position in it; `offset` that of its beginning in the text."""

    def __init__(self, read: ReadRange, size: int, problems: list[str]) -> None:
        self.problems = problems
        self._pieces = unzipped(raw_pieces(read, size), problems)
        self.text, self.at, self.offset, self.ended = "", 0, 0, False
        self._decoder = json.JSONDecoder(strict=False)
        self.malformed = 0

    def more(self, wanted: int = 1) -> bool:
        """Read at least so many further characters, unless the text ends. Returns whether there were some."""
        parts, have = [self.text[self.at :]], 0
        while have < wanted and not self.ended:
            piece = next(self._pieces, b"")
            self.ended = not piece or self.offset > MAX_TEXT_BYTES
            parts.append(piece.decode("latin-1"))
            have += len(piece)
        self.offset += self.at
        self.text, self.at = "".join(parts), 0
        return have > 0

    def move_to(self, offset: int) -> bool:
        """Move forward to an offset of the text. Returns whether it is there, and not before what is in memory."""
        while offset >= self.offset + len(self.text):
            self.at = len(self.text)
            if not self.more():
                return False
        self.at = max(0, offset - self.offset)
        return offset >= self.offset

    def peek(self) -> str:
        """The next character that is neither space nor comma, "" at the end."""
        while True:
            self.at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # it matches nothing, too
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def value(self) -> Any:
        """The next value.

        Raises CutOffError at the end, and ValueError, without having moved, if it is malformed or too long.
        """
        self.peek()
        while True:
            is_number = False
            try:
                found, end = self._decoder.raw_decode(self.text, self.at)
                self._check(end)
                is_number = isinstance(found, int | float)
                if not is_number or self.ended or len(self.text) - end > NUMBER_TAIL:
                    self.at = end
                    return found
            except json.JSONDecodeError as error:
                self._check(error.pos)
                if not self._may_go_on(error):
                    raise
            except RecursionError:
                raise ValueError("too deep") from None
            if len(self.text) - self.at > MAX_VALUE_CHARS:
                raise ValueError("too long")
            if not self.more(len(self.text) - self.at) and not is_number:
                raise CutOffError

    def _check(self, end: int) -> None:
        """Raise ValueError if what is valid up to `end` is too long or too deep."""
        text, begin = self.text, self.at
        if end - begin > MAX_VALUE_CHARS:
            raise ValueError("too long")
        if text.count("{", begin, end) + text.count("[", begin, end) <= MAX_DEPTH:
            return
        depth = 0
        for found in STRING_OR_BRACKET.finditer(text, begin, end):
            depth += found[0] in "[{"
            depth -= found[0] in "]}"
            if depth > MAX_DEPTH:
                raise ValueError("too deep")

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        """Whether the text may only be incomplete."""
        near_end = len(self.text) - error.pos < 16
        return near_end or "Unterminated string" in error.msg

    def skip_to_event(self) -> bool:
        """After a malformed value, move to the next beginning of an event. Returns whether there is one."""
        self.malformed += 1
        self.at += 1
        while True:
            if found := NEXT_EVENT.search(self.text, self.at):
                self.at = found.start()
                return True
            self.at = max(self.at, len(self.text) - 64)
            if not self.more():
                return False
