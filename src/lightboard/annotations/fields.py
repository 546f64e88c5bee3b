"""The fields of annotations and their valid values, for requests and files alike."""

import math
import re
from collections.abc import Callable
from typing import NamedTuple

MAX_VIEWS = 1000
MAX_TAGS = 100
SLOT_COLOURS = 10
"""Number of palette colours that can be chosen by slot."""

HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class Field(NamedTuple):
    """A check of a value, and a description of valid values for messages."""

    is_valid: Callable[[object], bool]
    description: str


def text(max_length: int, *, min_length: int = 0) -> Field:
    """Valid Unicode of `min_length` to `max_length` characters."""

    def is_valid(value: object) -> bool:
        return isinstance(value, str) and min_length <= len(value) <= max_length and size_bytes(value) >= 0

    return Field(is_valid, f"a text of {'at least one and ' if min_length else ''}at most {max_length:,} characters")


def long_text(max_bytes: int) -> Field:
    """Valid Unicode of at most `max_bytes` as UTF-8."""

    def is_valid(value: object) -> bool:
        return isinstance(value, str) and 0 <= size_bytes(value) <= max_bytes

    return Field(is_valid, f"a text of at most {max_bytes // 1000} kB")


def size_bytes(value: str) -> int:
    """Length as UTF-8; -1 for lone surrogates, which cannot be encoded."""
    try:
        return len(value.encode())
    except UnicodeEncodeError:
        return -1


def is_flag(value: object) -> bool:
    """Whether a value is true or false."""
    return isinstance(value, bool)


def is_colour(value: object) -> bool:
    """Whether a value is a slot of the palette or #rrggbb."""
    if isinstance(value, str):
        return HEX_COLOUR.fullmatch(value) is not None
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < SLOT_COLOURS


def are_tags(value: object) -> bool:
    """Whether a value is a list of short texts."""
    return isinstance(value, list) and len(value) <= MAX_TAGS and all(TAG.is_valid(one) for one in value)


def is_time(value: object) -> bool:
    """Whether a value is a time in seconds since the epoch."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


TAG = text(500, min_length=1)
RUN_NAME = text(20_000, min_length=1)
VIEW_NAME = text(500, min_length=1)

RUN_FIELDS = {
    "display_name": text(500),
    "note": long_text(100_000),
    "hidden": Field(is_flag, "true or false"),
    "archived": Field(is_flag, "true or false"),
    "color": Field(is_colour, f'a slot from 0 to {SLOT_COLOURS - 1} or "#rrggbb"'),
    "tags": Field(are_tags, f"a list of at most {MAX_TAGS} texts of at most 500 characters"),
}
"""Fields of a run. `note` is Markdown."""

VIEW_FIELDS = {
    "address": long_text(16_000),
    "saved": Field(is_time, "a time in seconds since the epoch"),
    "note": long_text(100_000),
}
"""Fields of a saved view. `address` is the part of the page's address after `#`."""
