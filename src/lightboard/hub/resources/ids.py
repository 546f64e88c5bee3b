"""Ids: a prefix for the kind, then 26 characters that sort by time.

The 26 characters are a ULID (github.com/ulid/spec): 48 bits of milliseconds since the epoch, then 80 random bits, in
Crockford's base 32, in lower case so that they fit into a host name.
"""

import os
import re
from collections.abc import Callable

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 26
PATTERN = re.compile(rf"[a-z]+-[{ALPHABET}]{{{LENGTH}}}")


def new_id(prefix: str, at: float, random: Callable[[int], bytes] = os.urandom) -> str:
    """A new id of the kind `prefix`; `at` is in seconds since the epoch."""
    number = int(at * 1000) << 80 | int.from_bytes(random(10))
    digits = [ALPHABET[number >> shift & 31] for shift in range(5 * (LENGTH - 1), -1, -5)]
    return f"{prefix}-{''.join(digits)}"


def is_id(text: str, prefix: str) -> bool:
    """Whether `text` is an id of the kind `prefix`."""
    return text.startswith(f"{prefix}-") and PATTERN.fullmatch(text) is not None
