"""A secret of a project: a value that jobs of the project get in an environment variable, and nobody is shown."""

import re
from dataclasses import dataclass

from lightboard.errors import Invalid

LONGEST_NAME = 100
MAX_VALUE_BYTES = 65_536
"""Linux allows 128 KiB for a variable."""
RULE = f"1 to {LONGEST_NAME} letters, digits, '_', '-' and '.', beginning with a letter or '_'"
NAME_PATTERN = rf"^[A-Za-z_][A-Za-z0-9_.-]{{0,{LONGEST_NAME - 1}}}$"
ENCODE = "encode binary data, for example as base64"
_NAME = re.compile(NAME_PATTERN.removeprefix("^").removesuffix("$"))

SECRET_NOT_FOUND = "SecretNotFound"  # noqa: S105  # a reason
SECRET_UNREADABLE = "SecretUnreadable"  # noqa: S105  # a reason
"""Reasons why a job does not start."""


@dataclass(frozen=True, kw_only=True)
class ProjectSecret:
    """What is told of a secret. `owner` is the account that created it; `version` counts its values."""

    project: str
    name: str
    owner: str
    created_at: float
    updated_at: float
    version: int = 1


def check_secret_name(name: str) -> str:
    """`name` unchanged. Raises Invalid, with the rule as a hint."""
    if not _NAME.fullmatch(name):
        raise Invalid(f"{name[:LONGEST_NAME]!r} cannot be the name of a secret", hint=RULE)
    return name


def check_value(value: str) -> str:
    """`value` unchanged. Raises Invalid, without quoting it, for what cannot be the value of a variable."""
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise Invalid("the value of the secret is not valid text", hint=ENCODE) from None
    if not value or "\0" in value:
        raise Invalid("the value of the secret is empty or has a null character", hint=ENCODE)
    if size > MAX_VALUE_BYTES:
        raise Invalid(
            f"the value of the secret has more than {MAX_VALUE_BYTES:,} bytes", hint="put large data into the storage"
        )
    return value
