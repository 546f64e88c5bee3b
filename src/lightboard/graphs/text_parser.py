"""Parses the text format of protocol buffers, as `.pbtxt` files have it, to the bytes of a message.

So graphs in text have the readers of those in bytes. Fields that are not in `messages` are skipped.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from lightboard import cancellation
from lightboard.events.wire import BYTES, FIXED32, FIXED64, VARINT, MalformedError
from lightboard.graphs.messages import ENUMS, MESSAGES, FieldType
from lightboard.graphs.text_format import MAX_LEVELS

TOKENS_PER_CHECK = 100_000
"""Tokens that are read between two checks whether somebody still waits for them."""

TOKEN = re.compile(
    r"""\s+|\#[^\n]*
    |(?P<name>[A-Za-z_]\w*)
    |(?P<text>"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+')
    |(?P<number>[-+]?\s*(?:[\d.][\w.]*(?:(?<=[eE])[-+]\d+)?|inf\w*|nan))
    |(?P<mark>[{}<>:\[\],;])""",
    re.VERBOSE | re.DOTALL,
)

ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))", re.DOTALL)

CHARACTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}

NUMBERS = {name: {text: number for number, text in values.items()} for name, values in ENUMS.items()}
"""The numbers of the names of each enum."""

TRUE, FALSE = frozenset({"true", "True", "t", "1"}), frozenset({"false", "False", "f", "0"})

Token = tuple[str, str]
"""Its kind, "name", "text", "number" or "mark", and what is written."""

END: Token = ("", "")

FoundField = tuple[int, FieldType]
"""The number of a field, and what it is. None stands for one that is skipped."""


@dataclass
class Frame:
    """A message that is open: its name, "" if it is skipped, the field that it is, and what was read of it.

    Or a list of values in it, which is closed by "]", and the field that they are.
    """

    message: str
    number: int = 0
    closing: str = "}"
    items: "FoundField | None" = None
    data: bytearray = field(default_factory=bytearray)


def first_field(text: str) -> str:
    """The name of the first field in a text, "" if it does not begin with one."""
    token = next(tokens(text[:100_000]), END)
    return token[1] if token[0] == "name" else ""


def parse_message(text: str, message: str) -> tuple[bytes, bool]:
    """The bytes of a message, and whether the text is right. Otherwise it is the message up to the error."""
    frames = [Frame(message)]
    try:
        _Parser(text, frames).parse()
        complete = len(frames) == 1
    except MalformedError:
        complete = False
    while len(frames) > 1:
        close(frames)
    return bytes(frames[0].data), complete


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text. Raises MalformedError."""
    at, count = 0, 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise MalformedError
        at = found.end()
        if found.lastgroup is not None:
            yield found.lastgroup, found.group()
            count += 1
            if count % TOKENS_PER_CHECK == 0:
                cancellation.check()


class _Parser:
    def __init__(self, text: str, frames: list[Frame]) -> None:
        self._tokens = tokens(text)
        self._frames = frames
        self._next = END
        self._read()

    def _read(self) -> Token:
        """The current token; the one after it becomes the current one."""
        token = self._next
        self._next = next(self._tokens, END)
        return token

    def parse(self) -> None:
        """Read all fields into the frames. Raises MalformedError."""
        while self._next != END:
            frame = self._frames[-1]
            if self._next in (("mark", ","), ("mark", ";")):
                self._read()
            elif self._next == ("mark", frame.closing) and len(self._frames) > 1:
                self._read()
                close(self._frames)
            elif frame.closing == "]":
                self._value(frame, frame.items)
            else:
                self._field(frame)

    def _field(self, frame: Frame) -> None:
        """The name of a field, and its value, or the beginning of a list of values."""
        kind, text = self._read()
        if (kind, text) == ("mark", "["):  # the name of an extension
            while self._next not in (("mark", "]"), END):
                self._read()
            self._read()
        elif kind != "name":
            raise MalformedError
        found = FIELDS.get(frame.message, {}).get(text)
        if self._next == ("mark", ":"):
            self._read()
        if self._next == ("mark", "["):
            self._read()
            self._frames.append(Frame(frame.message, closing="]", items=found))
        else:
            self._value(frame, found)

    def _value(self, frame: Frame, found: FoundField | None) -> None:
        """A message, which is opened, or a single value."""
        if self._next not in (("mark", "{"), ("mark", "<")):
            self._scalar(frame, found)
            return
        if len(self._frames) > MAX_LEVELS:
            raise MalformedError
        closing = "}" if self._read()[1] == "{" else ">"
        if found is not None and found[1].kind == "m":
            self._frames.append(Frame(found[1].of, found[0], closing))
        else:
            self._frames.append(Frame("", 0, closing))

    def _scalar(self, frame: Frame, found: FoundField | None) -> None:
        """A single value. One that the field cannot have is an error."""
        kind, text = self._read()
        if kind not in ("name", "text", "number"):
            raise MalformedError
        parts = [text]
        while kind == "text" and self._next[0] == "text":
            parts.append(self._read()[1])
        if found is not None:
            number, type_ = found
            value = b"".join(map(unescape, parts)) if kind == "text" else text.replace(" ", "")
            frame.data += encoded(number, type_, value)


def close(frames: list[Frame]) -> None:
    """End the innermost message, and put it into the one around it."""
    inner = frames.pop()
    if inner.closing == "]":
        frames[-1].data += inner.data
    elif inner.number:
        frames[-1].data += varint_bytes(inner.number << 3 | BYTES) + varint_bytes(len(inner.data)) + inner.data


FIELDS = {
    message: {type_.name: (number, type_) for number, type_ in fields.items()} for message, fields in MESSAGES.items()
}
"""The fields of each message by name."""


def unescape(text: str) -> bytes:
    """The bytes of a text in quotation marks."""
    return ESCAPE.sub(_character, text[1:-1].encode("utf-8", "surrogateescape"))


def _character(found: "re.Match[bytes]") -> bytes:
    octal, digits, character = found.groups()
    if octal is not None:
        return bytes([int(octal, 8) & 0xFF])
    return bytes([int(digits, 16)]) if digits is not None else CHARACTERS.get(character, character)


def varint_bytes(number: int) -> bytes:
    """A number as a varint."""
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def encoded(number: int, type_: FieldType, value: str | bytes) -> bytes:
    """One field. Raises MalformedError if it cannot have this value."""
    try:
        if isinstance(value, bytes):
            if type_.kind not in "sy":
                raise MalformedError
            return varint_bytes(number << 3 | BYTES) + varint_bytes(len(value)) + value
        if type_.kind == "f":
            return varint_bytes(number << 3 | FIXED32) + struct.pack("<f", real(value))
        if type_.kind == "d":
            return varint_bytes(number << 3 | FIXED64) + struct.pack("<d", real(value))
        whole = integer(type_, value)
        if type_.kind == "x":
            return varint_bytes(number << 3 | FIXED64) + whole.to_bytes(8, "little")
        return varint_bytes(number << 3 | VARINT) + varint_bytes(whole)
    except (ValueError, OverflowError):
        raise MalformedError from None


def real(text: str) -> float:
    """A number such as `1.5`, `1e-3f` or `-inf`. Raises ValueError."""
    return float(text if "inf" in text.lower() else text.rstrip("fF"))


def integer(type_: FieldType, text: str) -> int:
    """64 bits: a number, a truth value or the name of an enum. Raises ValueError."""
    if type_.kind == "b":
        if text not in TRUE | FALSE:
            raise ValueError(text)
        return int(text in TRUE)
    if type_.kind == "e" and text in NUMBERS[type_.of]:
        return NUMBERS[type_.of][text]
    if type_.kind not in "iunwxe" or len(text) > 30:
        raise ValueError(text)
    octal = text.lstrip("+-").startswith("0") and text.lstrip("+-").isdigit()
    return int(text, 8 if octal else 0) & 0xFFFF_FFFF_FFFF_FFFF
