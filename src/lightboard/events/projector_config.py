"""Parses the projector's config, `projector_config.pbtxt`: a ProjectorConfig message in protobuf's text format.

Accepts what torch, tensorboardX and Keras write and the rest of the grammar. Unknown fields are ignored. Does not open
the files that a config refers to.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

MAX_BYTES = 4 << 20
"""torch appends an entry at every `add_embedding`. This is enough for tens of thousands."""

MAX_DEPTH = 16
MAX_EMBEDDINGS = 10_000

TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<word>[A-Za-z0-9_.+\-/\[\]]+)
    |(?P<mark>[{}<>:,;])""",
    re.VERBOSE,
)
ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
NAMED_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}

Message: TypeAlias = dict[str, list["str | Message"]]
"""Field name -> its values in order."""


class Sprite(NamedTuple):
    """An image of many small images, row by row. `tile` is the width and height of each in pixels, (0, 0) if not
    stated."""

    path: str
    tile: tuple[int, int]


class Embedding(NamedTuple):
    """One tensor and its files. Paths are as written, "" if there is none; `shape` is () if not stated."""

    name: str
    tensor_path: str
    metadata_path: str
    bookmarks_path: str
    shape: tuple[int, ...]
    sprite: Sprite | None


class ProjectorConfig(NamedTuple):
    """A parsed config. `problem` says why parsing stopped early; the entries before that are valid."""

    checkpoint_path: str
    checkpoint_dir: str
    embeddings: list[Embedding]
    problem: str


class ConfigSyntaxError(ValueError):
    """The text violates the grammar."""


def parse_config(data: bytes) -> ProjectorConfig:
    """Parse a config. If the text is truncated or invalid, the entries that are complete count."""
    text = data[:MAX_BYTES].decode("utf-8", "replace")
    top: Message = {}
    problem = "" if len(data) <= MAX_BYTES else f"the config is longer than {MAX_BYTES >> 20} MB"
    try:
        read_fields(tokenize(text), top, 0)
    except ConfigSyntaxError as error:
        problem = str(error)
    found = [one for one in top.get("embeddings", []) if isinstance(one, dict)]
    if len(found) > MAX_EMBEDDINGS:
        problem = f"the config names more than {MAX_EMBEDDINGS} tensors"
    embeddings = [embedding_of(one) for one in found[:MAX_EMBEDDINGS]]
    return ProjectorConfig(
        text_of(top, "model_checkpoint_path"), text_of(top, "model_checkpoint_dir"), embeddings, problem
    )


def embedding_of(message: Message) -> Embedding:
    """One EmbeddingInfo."""
    sprites = [one for one in message.get("sprite", []) if isinstance(one, dict)]
    return Embedding(
        text_of(message, "tensor_name"),
        text_of(message, "tensor_path"),
        text_of(message, "metadata_path"),
        text_of(message, "bookmarks_path"),
        numbers_of(message, "tensor_shape"),
        sprite_of(sprites[-1]) if sprites else None,
    )


def sprite_of(message: Message) -> Sprite | None:
    """One SpriteMetadata; None if it refers to no image."""
    path = text_of(message, "image_path")
    tile = (*numbers_of(message, "single_image_dim"), 0, 0)
    return Sprite(path, (tile[0], tile[1])) if path else None


def text_of(message: Message, name: str) -> str:
    """The text of a field, "" if there is none. As in protobuf, the last one counts."""
    return next((one for one in reversed(message.get(name, [])) if isinstance(one, str)), "")


def numbers_of(message: Message, name: str) -> tuple[int, ...]:
    """All numbers of a repeated field. Anything that is not a number of at most 32 bits counts as 0."""
    words = [one for one in message.get(name, []) if isinstance(one, str)]
    return tuple(number if (number := number_of(word)) < 1 << 32 else 0 for word in words[:64])


def number_of(word: str) -> int:
    """A decimal integer of at most twenty digits; 0 for anything else."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 20 else 0


class Token(NamedTuple):
    """One token: its kind (`text`, `word` or `mark`) and its value, with quotes and escapes resolved."""

    kind: str
    value: str


def tokenize(text: str) -> Iterator[Token]:
    """The tokens of a text, ending with one of kind "". Raises ConfigSyntaxError."""
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise ConfigSyntaxError(f"line {text.count(chr(10), 0, at) + 1} of the config makes no sense")
        at = found.end()
        kind = found.lastgroup or ""
        if kind == "text":
            yield Token(kind, unescape(found.group()[1:-1]))
        elif kind != "skip":
            yield Token(kind, found.group())
    yield Token("", "")


def unescape(quoted: str) -> str:
    """The contents of a quoted string, with escapes resolved as bytes and decoded as UTF-8."""
    if "\\" not in quoted:
        return quoted
    return ESCAPE.sub(resolve_escape, quoted.encode()).decode("utf-8", "replace")


def resolve_escape(found: re.Match[bytes]) -> bytes:
    """The bytes of an escape sequence."""
    octal, hexadecimal, other = found.groups()
    if octal is not None:
        return bytes([int(octal, 8) & 0xFF])
    if hexadecimal is not None:
        return bytes([int(hexadecimal, 16)])
    return NAMED_ESCAPES.get(other, other)


def read_fields(stream: Iterator[Token], into: Message, depth: int) -> None:
    """Read fields up to the end of the message or of the text. Raises ConfigSyntaxError."""
    if depth > MAX_DEPTH:
        raise ConfigSyntaxError("the config is nested too deeply")
    token = next(stream)
    while token.kind:
        if token.kind == "mark":
            if token.value in "}>" and depth:
                return
            if token.value in ",;":
                token = next(stream)
                continue
        if token.kind != "word":
            raise ConfigSyntaxError(f"the config has {token.value!r} where a field should begin")
        token = read_value(stream, into, token.value, depth)
    if depth:
        raise ConfigSyntaxError("the config breaks off")


def read_value(stream: Iterator[Token], into: Message, name: str, depth: int) -> Token:
    """Read the value of a field. Returns the token after it. Raises ConfigSyntaxError."""
    token = next(stream)
    if token == ("mark", ":"):
        token = next(stream)
    values = into.setdefault(name, [])
    if token.kind == "mark" and token.value in "{<":
        message: Message = {}
        read_fields(stream, message, depth + 1)
        values.append(message)
        return next(stream)
    if token.kind == "text":
        text = token.value
        while (token := next(stream)).kind == "text":  # adjacent strings are concatenated
            text += token.value
        values.append(text)
        return token
    if token.kind != "word":
        raise ConfigSyntaxError(f"field {name!r} of the config has no value")
    if not token.value.startswith("["):
        values.append(token.value)
        return next(stream)
    return read_list(stream, values, token)


def read_list(stream: Iterator[Token], values: list["str | Message"], token: Token) -> Token:
    """Read `[1, 2]`, whose brackets are parts of words here. Returns the next token. Lists of messages are ignored."""
    while token.kind:
        if token.kind == "text":
            values.append(token.value)
        elif token.kind == "word" and (word := token.value.strip("[]")):
            values.append(word)
        if token.kind == "word" and token.value.endswith("]"):
            return next(stream)
        token = next(stream)
    raise ConfigSyntaxError("a list of the config does not end")
