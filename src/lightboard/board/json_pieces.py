"""JSON answers made a piece at a time, so that neither memory nor a turn of their lane grows with them.

Pieces are small: whoever sends them gathers what is too small to be sent (`asgi.scheduler`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lightboard.asgi.scheduler import Pieces
from lightboard.board.encoding import encode

BATCH = 4096
"""Numbers or short texts encoded in one go: less than a millisecond."""

Member = Iterable[bytes | int | None]
"""One member of a list or an object, in pieces: at least one that holds bytes."""


def enclosed(begin: bytes, members: Iterable[Member | None], end: bytes) -> Pieces:
    """The members with commas between them; None instead of a member is a moment to give way."""
    before = begin
    for member in members:
        if member is None:
            yield None
            continue
        pieces = iter(member)
        for piece in pieces:
            if isinstance(piece, bytes):
                yield before + piece
                break
            yield piece
        yield from pieces
        before = b","
    yield begin + end if before == begin else end


def array(members: Iterable[Member | None]) -> Pieces:
    """[member, ...]"""
    return enclosed(b"[", members, b"]")


def object_of(members: Iterable[Member | None]) -> Pieces:
    """{member, ...}; each begins with its name (`named`)."""
    return enclosed(b"{", members, b"}")


def named(name: str, value: Member) -> Pieces:
    """A member of an object."""
    yield encode(name) + b":"
    yield from value


def whole(value: Any) -> Member:
    """A value that is encoded in one go."""
    return (encode(value),)


def fields_then(fields: Mapping[str, Any], name: str, value: Member) -> Pieces:
    """{**fields, name: value}, for what is long only in its last field."""
    head = encode(fields).removesuffix(b"}")
    yield head + (b"," if fields else b"") + encode(name) + b":"
    yield from value
    yield b"}"


def rows(values: Iterable[Any | None]) -> Pieces:
    """A list whose items are encoded one by one; None is a moment to give way."""
    before = b"["
    for value in values:
        if value is None:
            yield None
        else:
            yield before + encode(value)
            before = b","
    yield b"[]" if before == b"[" else b"]"


def column(values: Sequence[Any]) -> Pieces:
    """A long list of numbers or texts."""
    return batches(list(values[at : at + BATCH]) for at in range(0, len(values), BATCH))


def batches(parts: Iterable[Sequence[Any]]) -> Pieces:
    """One list of the items of all parts, none of which is empty."""
    return array(map(items, parts))


def items(part: Sequence[Any] | Mapping[str, Any]) -> Member:
    """What stands between the brackets of a list or an object."""
    return (encode(part)[1:-1],)
