"""The order people expect of names: `run_9` before `run_10`."""

import re

_DIGITS = re.compile(r"([0-9]+)")

NaturalKey = tuple[tuple[str, int, str], ...]


def natural_key(name: str) -> NaturalKey:
    """A sort key that compares digit runs by their value and everything else by its characters.

    Numbers are compared as text without leading zeros, shorter first: names may hold more digits than an int parses.
    """
    parts = _DIGITS.split(name)
    key: list[tuple[str, int, str]] = []
    for text, digits in zip(parts[::2], [*parts[1::2], ""], strict=True):
        number = digits.lstrip("0")
        key.append((text, len(number) if digits else -1, number))
    key.append(("", -1, name))
    return tuple(key)
