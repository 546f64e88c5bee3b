"""Parses and formats durations such as `1d2h3m4s`, as in Neu.ro."""

import re

from lightboard.errors import UsageError

UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_SPAN = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.A)


def span_secs(text: str) -> float:
    """The seconds of a duration such as `1d2h3m4s`, in which units may be left out, or 0. Raises UsageError."""
    if text == "0":
        return 0.0
    match = _SPAN.fullmatch(text.strip().lower())
    if match is None or not any(match.groups()):
        raise UsageError(f"{text!r} is not a duration", hint="for example 1d, 2h30m or 90s; 0 for no end")
    return float(sum(int(part or 0) * size for part, size in zip(match.groups(), UNITS.values(), strict=True)))


def span_text(secs: float | None) -> str:
    """The two largest units of a duration: `1d 2h`, `3m 4s`; "-" for None."""
    if secs is None:
        return "-"
    left, parts = round(max(0.0, secs)), list[str]()
    for unit, size in UNITS.items():
        count, left = divmod(left, size)
        if count or (unit == "s" and not parts):
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2])


def exact_span_text(secs: float) -> str:
    """A duration in whole seconds as `span_secs` parses it: `1d2h3m4s`."""
    left, parts = round(secs), list[str]()
    for unit, size in UNITS.items():
        count, left = divmod(left, size)
        parts += [f"{count}{unit}"] if count else []
    return "".join(parts) or "0"
