"""Column types that behave alike on SQLite and PostgreSQL."""

import dataclasses
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import JSON, Dialect, String
from sqlalchemy.types import TypeDecorator

from lightboard.errors import Invalid
from lightboard.hub.resources.attempts import Contents, ContentsProblem, RecordedInput
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Progress
from lightboard.hub.resources.volumes import Volume

WordT = TypeVar("WordT", bound=StrEnum)
ValueT = TypeVar("ValueT")

# Otherwise PostgreSQL sorts by the locale of the server, and lists differ between databases.
TEXT = String().with_variant(String(collation="C"), "postgresql")


class Text(TypeDecorator[str]):
    """Text, compared and sorted by code point in both databases."""

    impl = TEXT
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Raises Invalid for NUL and unpaired surrogates, which databases do not store."""
        if value is not None and ("\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
            raise Invalid("the text has characters that cannot be stored", hint="remove NUL and unpaired surrogates")
        return value


class OneOf(TypeDecorator[WordT], Generic[WordT]):
    """A member of an enum."""

    impl = TEXT
    cache_ok = True

    def __init__(self, words: type[WordT]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: WordT | None, _dialect: Dialect) -> str | None:
        """The value of the member."""
        return None if value is None else value.value

    def process_result_value(self, value: str | None, _dialect: Dialect) -> WordT | None:
        """The member of the enum."""
        return None if value is None else self.words(value)


class Packed(TypeDecorator[ValueT], Generic[ValueT]):
    """A value stored as JSON: `pack` converts it to JSON, `unpack` from it."""

    impl = JSON
    cache_ok = True

    def __init__(self, pack: Callable[[ValueT], Any], unpack: Callable[[Any], ValueT]) -> None:
        super().__init__()
        self.pack = pack
        self.unpack = unpack

    def process_bind_param(self, value: ValueT | None, _dialect: Dialect) -> Any:
        """The value as JSON."""
        return None if value is None else self.pack(value)

    def process_result_value(self, value: Any, _dialect: Dialect) -> ValueT | None:
        """The value from JSON."""
        return None if value is None else self.unpack(value)


def pack_sources(sources: tuple[Source, ...]) -> Any:
    """Sources as JSON objects."""
    return [dataclasses.asdict(source) for source in sources]


def unpack_sources(value: Any) -> tuple[Source, ...]:
    """Sources from JSON objects."""
    return tuple(Source(**{**source, "kind": SourceKind(source["kind"])}) for source in value)


def pack_inputs(inputs: dict[str, RecordedInput]) -> Any:
    """Recorded inputs as JSON objects, by name."""
    return {name: dataclasses.asdict(each) for name, each in inputs.items()}


def unpack_inputs(value: Any) -> dict[str, RecordedInput]:
    """Recorded inputs from JSON objects."""
    return {name: unpack_input(**each) for name, each in value.items()}


def unpack_input(contents: dict[str, Any] | None = None, **rest: Any) -> RecordedInput:
    """A recorded input from the fields of a JSON object. Earlier hubs recorded no contents."""
    return RecordedInput(**rest, contents=unpack_contents(**contents) if contents else None)


def unpack_contents(problem: str | None = None, **rest: Any) -> Contents:
    """Contents of an input from the fields of a JSON object."""
    return Contents(**rest, problem=ContentsProblem(problem) if problem else None)


def pack_volumes(volumes: tuple[Volume, ...]) -> Any:
    """Volumes as JSON objects."""
    return [dataclasses.asdict(volume) for volume in volumes]


def unpack_volumes(value: Any) -> tuple[Volume, ...]:
    """Volumes from JSON objects."""
    return tuple(Volume(**each) for each in value)


def unpack_progress(value: Any) -> Progress:
    """Progress from a JSON object."""
    return Progress(**value)


def unpack_scopes(value: Any) -> frozenset[Scope]:
    """Scopes from a JSON list."""
    return frozenset(map(Scope, value))


SOURCES = Packed(pack_sources, unpack_sources)
INPUTS = Packed(pack_inputs, unpack_inputs)
VOLUMES = Packed(pack_volumes, unpack_volumes)
PROGRESS = Packed(dataclasses.asdict, unpack_progress)
SCOPES = Packed(sorted, unpack_scopes)
TAGS = Packed(list, tuple)
NUMBERS = Packed(list, tuple)
