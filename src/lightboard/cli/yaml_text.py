"""YAML in block style, for data that JSON can have. Pure functions.

Readers of YAML 1.1 and of 1.2 find the same values: strings that one of them could take for something else are quoted.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

PLAIN = re.compile(r"[A-Za-z_/][\w./@+=-]*(?::[\w./@+=-]+)*(?: [\w./@+=-]+(?::[\w./@+=-]+)*)*", re.ASCII)
"""Strings that need no quotes: words with single spaces between, without what could be a comment or a key."""
WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""What would be no string without quotes, in capitals too."""
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
INDENT = "  "


def yaml_text(value: Any) -> str:
    """A document without a final line break."""
    return "\n".join(lines_of(value))


def lines_of(value: Any) -> Iterator[str]:
    """The lines of a value, the first of which may follow a dash."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from entry_lines(f"{scalar_text(key)}:", item, INDENT)
    elif isinstance(value, list) and value:
        for item in value:
            first, *rest = lines_of(item)
            yield f"- {first}"
            yield from (INDENT + line for line in rest)
    else:
        yield scalar_text(value)


def entry_lines(head: str, value: Any, indent: str) -> Iterator[str]:
    """The lines of a key with its value: behind it, or below if the value has lines of its own."""
    if isinstance(value, dict | list) and value:
        yield head
        yield from (indent + line for line in lines_of(value))
    else:
        yield f"{head} {scalar_text(value)}"


def scalar_text(value: Any) -> str:
    """A value on one line: of any type that JSON has, lists and objects only if they are empty."""
    if isinstance(value, str):
        return value if PLAIN.fullmatch(value) and value.lower() not in WORDS else quoted(value)
    if isinstance(value, float):
        return float_text(value)
    return json.dumps(value)


def float_text(value: float) -> str:
    """A number with a point, without which YAML 1.1 takes `1e-05` for a string."""
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else f"{'-' if value < 0 else ''}.inf"
    digits, exponent, power = repr(value).partition("e")
    return (digits if "." in digits else f"{digits}.0") + exponent + power


def quoted(text: str) -> str:
    """A string in double quotes. Characters that are not printable are escaped."""
    return '"' + "".join(map(escaped, text)) + '"'


def escaped(letter: str) -> str:
    """A character as it is written in double quotes."""
    if letter in ESCAPES:
        return ESCAPES[letter]
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"
