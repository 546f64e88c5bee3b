"""Environment variables of a job, as `NAME=VALUE` or `NAME=secret:SECRET` in flags and files."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from lightboard.client.project_secrets import Secret
from lightboard.errors import UsageError

SECRET = re.compile(r"secret:(?P<name>[A-Za-z_][A-Za-z0-9_.-]{0,99})")
MARK = "secret:"


def environment_of(texts: Iterable[str], file: str | None, own: Mapping[str, str]) -> dict[str, str | Secret]:
    """The variables of `--env-file` and of several `--env`, which take precedence.

    A NAME alone has the value in `own`, the environment of the caller, whatever it looks like. Raises UsageError.
    """
    variables = dict(read_variables(file, own)) if file else {}
    variables.update(parse_variable(text, own) for text in texts)
    return variables


def read_variables(file: str, own: Mapping[str, str]) -> Iterable[tuple[str, str | Secret]]:
    """The variables in a file, one on each line; empty lines and those that begin with # are skipped.

    Values are taken as they are, with quotes. Raises UsageError, with the number of the line.
    """
    try:
        lines = Path(file).read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{file} cannot be read: {reason}", hint="use --env-file FILE") from None
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                yield parse_variable(line.removesuffix("\r"), own)
            except UsageError as error:
                raise UsageError(f"{file}:{number}: {error.message}", hint=error.hint) from None


def parse_variable(text: str, own: Mapping[str, str]) -> tuple[str, str | Secret]:
    """Parse `NAME=VALUE`, `NAME=secret:SECRET` or `NAME`. Raises UsageError."""
    name, equals, value = text.partition("=")
    if not name or "\0" in text or any(map(str.isspace, name)):
        raise UsageError(f"{text!r} is not a variable", hint="use NAME=VALUE, or NAME for the value it has here")
    if equals and value.startswith(MARK):
        return name, secret_of(name, value)
    if equals:
        return name, value
    if name not in own:
        raise UsageError(f"the variable {name} is not set here", hint=f"use {name}=VALUE, or export it")
    return name, own[name]


def secret_of(variable: str, text: str) -> Secret:
    """The secret that `secret:NAME` names. Raises UsageError."""
    match = SECRET.fullmatch(text)
    if match is None:
        raise UsageError(
            f"{variable}={text} does not name a secret of the project",
            hint=f"use {variable}=secret:NAME; for a value that begins so, export it and use --env {variable}",
        )
    return Secret(match["name"])
