"""Generates JSON in pieces, so that neither memory nor the time between two pieces grows with the response.

`asgi.scheduler` collects pieces that are too small to be sent.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lightboard.asgi.scheduler import Pieces
from lightboard.board.encoding import encode

BATCH = 4096
"""Numbers or short texts encoded at once, in less than a millisecond."""

Member = Iterable[bytes | int | None]
"""One member of a list or object, in pieces, at least one of which is bytes."""


def enclose(begin: bytes, members: Iterable[Member | None], end: bytes) -> Pieces:
    """The members separated by commas. None instead of a member yields to other work."""
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
    return enclose(b"[", members, b"]")


def object_of(members: Iterable[Member | None]) -> Pieces:
    """{member, ...}. Create each member with `member`."""
    return enclose(b"{", members, b"}")


def member(name: str, value: Member) -> Pieces:
    """A member of an object."""
    yield encode(name) + b":"
    yield from value


def one_piece(value: Any) -> Member:
    """A value that is encoded at once."""
    return (encode(value),)


def fields_then(fields: Mapping[str, Any], name: str, value: Member) -> Pieces:
    """{**fields, name: value}, for objects whose last field is long."""
    head = encode(fields).removesuffix(b"}")
    yield head + (b"," if fields else b"") + encode(name) + b":"
    yield from value
    yield b"}"


def rows(values: Iterable[Any | None]) -> Pieces:
    """A list whose items are encoded one by one. None yields to other work."""
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
    return batches(list(values[start : start + BATCH]) for start in range(0, len(values), BATCH))


def batches(parts: Iterable[Sequence[Any]]) -> Pieces:
    """One list of the items of all parts, none of which is empty."""
    return array(map(items, parts))


def items(part: Sequence[Any] | Mapping[str, Any]) -> Member:
    """The items of a list or object, without its brackets."""
    return (encode(part)[1:-1],)
