"""Column types that say what a value is, alike on SQLite and PostgreSQL."""

import dataclasses
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import JSON, Dialect, String
from sqlalchemy.types import TypeDecorator

from lightboard.errors import Invalid
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Progress

WordT = TypeVar("WordT", bound=StrEnum)
ValueT = TypeVar("ValueT")

# PostgreSQL sorts by the locale of the server otherwise, and the same list would come in two orders.
TEXT = String().with_variant(String(collation="C"), "postgresql")


class Words(TypeDecorator[str]):
    """Any text, compared and sorted by code point in both databases."""

    impl = TEXT
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Raises Invalid for what no database keeps: the character NUL, and halves of surrogate pairs."""
        if value is not None and ("\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
            raise Invalid("the text has characters that cannot be kept", hint="leave out NUL and lone surrogates")
        return value


class OneOf(TypeDecorator[WordT], Generic[WordT]):
    """A word of a fixed set."""

    impl = TEXT
    cache_ok = True

    def __init__(self, words: type[WordT]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: WordT | None, _dialect: Dialect) -> str | None:
        """The word itself."""
        return None if value is None else value.value

    def process_result_value(self, value: str | None, _dialect: Dialect) -> WordT | None:
        """The member of the set."""
        return None if value is None else self.words(value)


class Packed(TypeDecorator[ValueT], Generic[ValueT]):
    """A value that is kept as JSON: `pack` makes it so, `unpack` takes it back."""

    impl = JSON
    cache_ok = True

    def __init__(self, pack: Callable[[ValueT], Any], unpack: Callable[[Any], ValueT]) -> None:
        super().__init__()
        self.pack = pack
        self.unpack = unpack

    def process_bind_param(self, value: ValueT | None, _dialect: Dialect) -> Any:
        """As JSON."""
        return None if value is None else self.pack(value)

    def process_result_value(self, value: Any, _dialect: Dialect) -> ValueT | None:
        """Back again."""
        return None if value is None else self.unpack(value)


def pack_sources(sources: tuple[Source, ...]) -> Any:
    """Each as an object."""
    return [dataclasses.asdict(source) for source in sources]


def unpack_sources(kept: Any) -> tuple[Source, ...]:
    """In their order."""
    return tuple(Source(**{**source, "kind": SourceKind(source["kind"])}) for source in kept)


def unpack_progress(kept: Any) -> Progress:
    """By the names of its fields."""
    return Progress(**kept)


def unpack_scopes(kept: Any) -> frozenset[Scope]:
    """In no order."""
    return frozenset(map(Scope, kept))


SOURCES = Packed(pack_sources, unpack_sources)
PROGRESS = Packed(dataclasses.asdict, unpack_progress)
SCOPES = Packed(sorted, unpack_scopes)
TAGS = Packed(list, tuple)
