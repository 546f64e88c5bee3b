"""Hyperparameters of a job, as `NAME=VALUE` in flags."""

import json
import re
from collections.abc import Iterable

from lightboard.errors import UsageError

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
EXACT_DIGITS = 15
"""A number with more digits is probably an id; a page or program that reads it as a double would change it."""


def hyperparameters_of(texts: Iterable[str]) -> dict[str, bool | int | float | str]:
    """The hyperparameters of several `--hp`. Raises UsageError."""
    return dict(parse_hyperparameter(text) for text in texts)


def parse_hyperparameter(text: str) -> tuple[str, bool | int | float | str]:
    """Parse `NAME=VALUE`. Raises UsageError."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"{text!r} is not a hyperparameter", hint="use --hp NAME=VALUE, for example --hp lr=0.1")
    return name, typed_value(value)


def typed_value(text: str) -> bool | int | float | str:
    """A number, `true` or `false` as JSON writes them, or the text itself."""
    if text in ("true", "false"):
        return text == "true"
    if not NUMBER.fullmatch(text) or sum(map(str.isdigit, text)) > EXACT_DIGITS:
        return text
    number: int | float = json.loads(text)
    return text if number in (float("inf"), float("-inf")) else number
