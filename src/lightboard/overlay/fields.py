"""Which fields an overlay knows, and what fits each: the same for what comes over HTTP and what lies in a file."""

import math
import re
from collections.abc import Callable
from typing import NamedTuple

MOST_VIEWS = 1000
MOST_TAGS = 100
SLOT_COLOURS = 10
"""Colours of the palette that can be chosen by number."""

HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class Field(NamedTuple):
    """A test of a value, and in words what passes it."""

    fits: Callable[[object], bool]
    wanted: str


def text(most: int, *, least: int = 0) -> Field:
    """Valid Unicode of `least` to `most` characters."""

    def fits(value: object) -> bool:
        return isinstance(value, str) and least <= len(value) <= most and size_bytes(value) >= 0

    return Field(fits, f"a text of {'at least one and ' if least else ''}at most {most:,} characters")


def long_text(most_bytes: int) -> Field:
    """Valid Unicode of at most `most_bytes` as UTF-8."""

    def fits(value: object) -> bool:
        return isinstance(value, str) and 0 <= size_bytes(value) <= most_bytes

    return Field(fits, f"a text of at most {most_bytes // 1000} kB")


def size_bytes(value: str) -> int:
    """Length as UTF-8; -1 for halves of characters, which are no text."""
    try:
        return len(value.encode())
    except UnicodeEncodeError:
        return -1


def is_flag(value: object) -> bool:
    """true or false."""
    return isinstance(value, bool)


def is_colour(value: object) -> bool:
    """A slot of the palette, or #rrggbb."""
    if isinstance(value, str):
        return HEX_COLOUR.fullmatch(value) is not None
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < SLOT_COLOURS


def are_tags(value: object) -> bool:
    """A list of short texts."""
    return isinstance(value, list) and len(value) <= MOST_TAGS and all(TAG.fits(one) for one in value)


def is_time(value: object) -> bool:
    """Seconds since the epoch."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


TAG = text(500, least=1)
RUN_NAME = text(20_000, least=1)
VIEW_NAME = text(500, least=1)

RUN_FIELDS = {
    "display_name": text(500),
    "note": long_text(100_000),
    "hidden": Field(is_flag, "true or false"),
    "archived": Field(is_flag, "true or false"),
    "color": Field(is_colour, f'a slot from 0 to {SLOT_COLOURS - 1} or "#rrggbb"'),
    "tags": Field(are_tags, f"a list of at most {MOST_TAGS} texts of at most 500 characters"),
}
"""Of a run. `note` is Markdown."""

VIEW_FIELDS = {
    "address": long_text(16_000),
    "saved": Field(is_time, "a time in seconds since the epoch"),
    "note": long_text(100_000),
}
"""Of a saved view. `address` is what follows `#` in the page's address."""
