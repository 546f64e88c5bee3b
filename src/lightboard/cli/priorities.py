"""Priorities of jobs, as numbers or in Neu.ro's words."""

from lightboard.errors import UsageError

WORDS = {"low": 3, "normal": 5, "high": 7}


def priority_number(text: str) -> int:
    """The priority that `low`, `normal`, `high` or a number from 1 to 9 means. Raises UsageError."""
    if text in WORDS:
        return WORDS[text]
    if len(text) == 1 and text in "123456789":
        return int(text)
    raise UsageError(f"{text!r} is not a priority", hint="low, normal, high, or a number from 1 to 9")
