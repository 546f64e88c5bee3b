"""Parses and formats sizes of memory such as `512M` or `4G`, in powers of 1024."""

import re

from lightboard.errors import UsageError

UNITS = {"M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([MGT])", re.A | re.I)
MIN_BYTES, MAX_BYTES = 1 << 20, 1 << 50
"""The limits of the hub."""


def memory_bytes(text: str) -> int:
    """The bytes of a size such as `512M` or `1.5G`. Raises UsageError."""
    match = _SIZE.fullmatch(text.strip())
    size = int(float(match[1]) * UNITS[match[2].upper()]) if match else 0
    if not MIN_BYTES <= size <= MAX_BYTES:
        raise UsageError(f"{text!r} is not a size of memory", hint="for example 512M or 4G, from 1M to 1024T")
    return size


def memory_text(size_bytes: int | None) -> str:
    """A size with its largest unit: `512M`, `1.5G`; "-" for None."""
    if size_bytes is None:
        return "-"
    unit = unit_of(size_bytes)
    return f"{size_bytes / UNITS[unit]:.3f}".rstrip("0").rstrip(".") + unit


def measured_memory_text(size_bytes: float | None) -> str:
    """A size that is no round number, to three digits: `340M`, `1.9G`; `0` for nothing, "-" for None."""
    if size_bytes is None:
        return "-"
    if size_bytes <= 0:
        return "0"
    unit = unit_of(size_bytes)
    amount = size_bytes / UNITS[unit]
    return f"{amount:.{0 if amount >= 100 else 1}f}".removesuffix(".0") + unit


def unit_of(size_bytes: float) -> str:
    """The largest unit that is not larger than a size, at least M."""
    return next((unit for unit, factor in reversed(UNITS.items()) if size_bytes >= factor), "M")
