"""Protocol-buffers messages that come as JSON: names in both spellings, null for what is not said, words for numbers.

A message is described by its fields, a field by a function that reads its value. Knows no message by name.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lightboard.untrusted import numbers

Reader = Callable[[Any], Any]
Fields = Mapping[str, Reader]
"""Name, with underscores -> how its value is read."""

NO_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
INT32 = range(-(2**31), 2**31)

MOST_TOLD = 40
"""Letters of a wrong number that are told back."""


def parse(text: bytes | str, fields: Fields) -> dict[str, Any]:
    """A message as a dictionary by names with underscores; what was not said is left out. Raises ValueError."""
    try:
        value = json.loads(text, parse_constant=no_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return message(fields)(value)  # type: ignore[no-any-return]  # a message reads as a dictionary


def no_number(word: str) -> float:
    """JSON has no such words outside of texts."""
    raise ValueError(word)


def message(fields: Fields, *, one_of: Sequence[frozenset[str]] = ()) -> Reader:
    """Reads an object; of the fields in each set of `one_of` at most one may be there."""
    names = {name: name for name in fields} | {camel(name): name for name in fields}

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"not an object: {value!r}")
        found: dict[str, Any] = {}
        for spelling, one in value.items():
            name = names[spelling] if spelling in names else unknown(spelling)
            if name in found:
                raise ValueError(f"{name} is there twice")
            if one is not None:
                found[name] = fields[name](one)
        for rivals in one_of:
            if len(rivals & found.keys()) > 1:
                raise ValueError(f"only one of {sorted(rivals)} may be there")
        return found

    return read


def unknown(spelling: str) -> str:
    """Raises ValueError."""
    raise ValueError(f"no field {spelling!r}")


def camel(name: str) -> str:
    """The spelling that JSON uses by default."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def repeated(read: Reader) -> Reader:
    """Reads a list."""

    def read_all(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError(f"not a list: {value!r}")
        return [read(one) for one in value]

    return read_all


def string(value: Any) -> str:
    """Reads a text."""
    if not isinstance(value, str):
        raise ValueError(f"not a text: {value!r}")
    return value


def boolean(value: Any) -> bool:
    """Reads true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"neither true nor false: {value!r}")
    return value


def double(value: Any) -> float:
    """Reads a number, also out of a text."""
    if isinstance(value, str) and value in NO_NUMBERS:
        return NO_NUMBERS[value]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"not a number: {value!r}")
    found = numbers.double(value if isinstance(value, str) else repr(value))
    if found is None:
        raise ValueError(f"not a number: {str(value)[:MOST_TOLD]!r}")
    return found


def int32(value: Any) -> int:
    """Reads a whole number, also out of a text."""
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(f"not a whole number: {value!r}")
    if not isinstance(value, int | float | str):
        raise ValueError(f"not a whole number: {value!r}")
    found = whole(value) if isinstance(value, str) else int(value)
    if found not in INT32:
        raise ValueError(f"too large: {str(value)[:MOST_TOLD]!r}")
    return found


def whole(text: str) -> int:
    """Reads digits, perhaps with a sign."""
    found = numbers.whole_number(text.removeprefix("-"))
    if found is None:
        raise ValueError(f"not a whole number: {text[:MOST_TOLD]!r}")
    return -found if text.startswith("-") else found


def enum(words: Sequence[str]) -> Reader:
    """Reads one of the words, or a number that may stand for one."""

    def read(value: Any) -> int:
        if isinstance(value, str) and value in words:
            return words.index(value)
        return int32(value)

    return read


def scalars(value: Any) -> list[Any]:
    """Reads a list of any JSON values."""
    if not isinstance(value, list):
        raise ValueError(f"not a list: {value!r}")
    return value
