"""The order people expect of names: `run_9` before `run_10`."""

import re

_DIGITS = re.compile(r"([0-9]+)")

NaturalKey = str


def natural_key(name: str) -> NaturalKey:
    """A sort key that compares digit runs by their value and everything else by its characters.

    Numbers are compared as text without leading zeros, shorter first: names may hold more digits than an int parses.
    One text and no tuple: sorting a hundred thousand of these holds up others a fifth of the time.
    """
    parts = _DIGITS.split(name)
    for at in range(1, len(parts), 2):
        number = parts[at].lstrip("0")
        parts[at] = f"\0{chr(len(number) + 1)}{number}"
    # What ends, or has a number, comes before what goes on; equal ones differ in zeros, and so by name.
    return f"{''.join(parts)}\0\0{name}"
