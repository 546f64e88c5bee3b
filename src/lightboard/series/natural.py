"""The order people expect of names: `run_9` before `run_10`, `lr0.0001` before `lr0.001`, `1e-4` before `1e-3`."""

import re
from decimal import Decimal

_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)*(?:[eE][+-]?[0-9]{1,2}(?![0-9]))?)")

NaturalKey = str


def natural_key(name: str) -> NaturalKey:
    """A sort key that compares numbers by their value and everything else by its characters.

    Numbers are compared as text without leading zeros, shorter first, and their decimals from the left: names may hold
    more digits than an int parses. One text and no tuple: sorting a hundred thousand of these holds up others a fifth
    of the time.
    """
    parts = _NUMBER.split(name)
    for at in range(1, len(parts), 2):
        part = parts[at]
        parts[at] = whole(part) if part.isdigit() else number(part)
    # What ends, or has a number, comes before what goes on; equal ones differ in zeros, and so by name.
    return f"{''.join(parts)}\0\0{name}"


def whole(digits: str, decimals: str = "") -> str:
    """The key of a number: longer ones are larger, and what ends comes before what has decimals."""
    digits = digits.lstrip("0")
    return f"\0{chr(len(digits) + 1)}{digits}{decimals}\1"


def number(text: str) -> str:
    """The key of a number with decimals or an exponent, or of a version: 1.10.2 is no fraction."""
    parts = text.split(".")
    if len(parts) > 2:
        return "".join(whole(part) if part.isdigit() else number(part) for part in parts)
    if not parts[-1].isdigit():
        parts = f"{Decimal(text):f}".split(".")
    return whole(parts[0], parts[1].rstrip("0") if len(parts) > 1 else "")
