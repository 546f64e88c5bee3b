"""Environment variables of a job, as `NAME=VALUE` in flags and files."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from lightboard.errors import UsageError


def environment_of(texts: Iterable[str], file: str | None, own: Mapping[str, str]) -> dict[str, str]:
    """The variables of `--env-file` and of several `--env`, which take precedence.

    A NAME alone has the value in `own`, the environment of the caller. Raises UsageError.
    """
    variables = dict(read_variables(file, own)) if file else {}
    variables.update(parse_variable(text, own) for text in texts)
    return variables


def read_variables(file: str, own: Mapping[str, str]) -> Iterable[tuple[str, str]]:
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


def parse_variable(text: str, own: Mapping[str, str]) -> tuple[str, str]:
    """Parse `NAME=VALUE` or `NAME`. Raises UsageError."""
    name, equals, value = text.partition("=")
    if not name or "\0" in text or any(map(str.isspace, name)):
        raise UsageError(f"{text!r} is not a variable", hint="use NAME=VALUE, or NAME for the value it has here")
    if equals:
        return name, value
    if name not in own:
        raise UsageError(f"the variable {name} is not set here", hint=f"use {name}=VALUE, or export it")
    return name, own[name]
