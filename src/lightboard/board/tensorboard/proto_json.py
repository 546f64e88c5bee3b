"""Parses protobuf messages in JSON: names in both spellings, null for missing values, names for enum values.

A message is described by its fields, and a field by a function that parses its value.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lightboard.untrusted import numbers

Reader = Callable[[Any], Any]
Fields = Mapping[str, Reader]
"""Name in snake case -> parser of the value."""

NO_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
INT32 = range(-(2**31), 2**31)

MAX_QUOTED_CHARS = 40
"""Characters of an invalid number that are repeated in messages."""


def parse(text: bytes | str, fields: Fields) -> dict[str, Any]:
    """A message as a dictionary by names in snake case, without missing fields. Raises ValueError."""
    try:
        value = json.loads(text, parse_constant=reject_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return message(fields)(value)  # type: ignore[no-any-return]  # a message is parsed to a dictionary


def reject_constant(word: str) -> float:
    """Reject constants that are not JSON. Raises ValueError."""
    raise ValueError(word)


def message(fields: Fields, *, one_of: Sequence[frozenset[str]] = ()) -> Reader:
    """Parser of an object. Of each set in `one_of` at most one field may be present."""
    names = {name: name for name in fields} | {camel(name): name for name in fields}

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"not an object: {value!r}")
        parsed: dict[str, Any] = {}
        for spelling, item in value.items():
            name = names[spelling] if spelling in names else unknown(spelling)
            if name in parsed:
                raise ValueError(f"{name} is there twice")
            if item is not None:
                parsed[name] = fields[name](item)
        for rivals in one_of:
            if len(rivals & parsed.keys()) > 1:
                raise ValueError(f"only one of {sorted(rivals)} may be there")
        return parsed

    return read


def unknown(spelling: str) -> str:
    """Raises ValueError."""
    raise ValueError(f"no field {spelling!r}")


def camel(name: str) -> str:
    """The name in camel case, protobuf's default in JSON."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def repeated(read: Reader) -> Reader:
    """Parser of a list."""

    def read_all(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError(f"not a list: {value!r}")
        return [read(item) for item in value]

    return read_all


def string(value: Any) -> str:
    """Parse a string."""
    if not isinstance(value, str):
        raise ValueError(f"not a text: {value!r}")
    return value


def boolean(value: Any) -> bool:
    """Parse a boolean."""
    if not isinstance(value, bool):
        raise ValueError(f"neither true nor false: {value!r}")
    return value


def double(value: Any) -> float:
    """Parse a number, also from a string."""
    if isinstance(value, str) and value in NO_NUMBERS:
        return NO_NUMBERS[value]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"not a number: {value!r}")
    number = numbers.double(value if isinstance(value, str) else repr(value))
    if number is None:
        raise ValueError(f"not a number: {str(value)[:MAX_QUOTED_CHARS]!r}")
    return number


def int32(value: Any) -> int:
    """Parse an integer, also from a string."""
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(f"not a whole number: {value!r}")
    if not isinstance(value, int | float | str):
        raise ValueError(f"not a whole number: {value!r}")
    number = whole(value) if isinstance(value, str) else int(value)
    if number not in INT32:
        raise ValueError(f"too large: {str(value)[:MAX_QUOTED_CHARS]!r}")
    return number


def whole(text: str) -> int:
    """Parse digits with an optional sign."""
    number = numbers.whole_number(text.removeprefix("-"))
    if number is None:
        raise ValueError(f"not a whole number: {text[:MAX_QUOTED_CHARS]!r}")
    return -number if text.startswith("-") else number


def enum(words: Sequence[str]) -> Reader:
    """Parser of a name of an enum value, or its number."""

    def read(value: Any) -> int:
        if isinstance(value, str) and value in words:
            return words.index(value)
        return int32(value)

    return read


def scalars(value: Any) -> list[Any]:
    """Parse a list of any JSON values."""
    if not isinstance(value, list):
        raise ValueError(f"not a list: {value!r}")
    return value
