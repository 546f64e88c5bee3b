"""Shared parts of all commands for a hub: its options, and how values are typed and shown."""

import os
import shlex
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from lightboard.cli.tables import Format
from lightboard.client.session import Session
from lightboard.client.settings import PROJECT
from lightboard.errors import UsageError

Url = Annotated[
    str | None, typer.Option("--url", envvar="LIGHTBOARD_URL", help="URL of the hub; default: the one of the login")
]
ProjectName = Annotated[str | None, typer.Option("--project", "-p", envvar=PROJECT, help="name of the project")]
AsJson = Annotated[bool, typer.Option("--json", is_eager=True, help="the same as --output json")]
"""Commands need not look at it: `Output` does."""


def chosen_format(context: typer.Context, output: Format) -> Format:
    """The format of `--output` and `--json` together, which is parsed before. Raises UsageError if they differ."""
    if not context.params.get("_json"):
        return output
    if output is Format.YAML:
        raise UsageError("--json and --output yaml contradict each other", hint="use one of them")
    return Format.JSON


Output = Annotated[
    Format, typer.Option("--output", "-o", callback=chosen_format, metavar="FORMAT", help="table, json or yaml")
]
Which = Annotated[str, typer.Argument(metavar="NAME_OR_ID", show_default=False)]
Several = Annotated[list[str], typer.Argument(metavar="NAME_OR_ID...", show_default=False)]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="repeatable")]
LabelTexts = Annotated[list[str] | None, typer.Option("--label", metavar="KEY=VALUE", help="repeatable")]
Owner = Annotated[str, typer.Option(help="name of the owner, or me")]
Statuses = Annotated[str, typer.Option("--status", help="statuses, separated by commas")]
Browse = Annotated[bool, typer.Option("--browse", help="open it in the browser")]
Sure = Annotated[bool, typer.Option("--yes", "-y", help="do not ask for confirmation")]

PLAIN_REASONS = ("", "Ready", "Completed")
"""Reasons that say no more than the status."""

TOP_PAUSE_SECS = 2.0


def session_of(url: str | None, project: str | None) -> Session:
    """A session for the options, environment or login.

    The token is never an option, because other users of the machine could read it.
    """
    return Session(url, None, project)


def command_text(verb: str, name: str, project: str | None, *command: str) -> str:
    """A command for something with a name, as it can be typed. A project of the environment is left out.

    `command` follows the name, and then flags precede it.
    """
    typed = project if project != os.environ.get(PROJECT) else None
    flags = ["--project", typed] if typed else []
    rest = [*flags, name, *command] if command else [name, *flags]
    return shlex.join(["lightboard", *verb.split(), *rest])


def parse_label(text: str) -> tuple[str, str]:
    """Parse `key=value`. Raises UsageError."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UsageError(f"{text!r} is not a label", hint="use --label KEY=VALUE")
    return key, value


def parse_labels(texts: list[str] | None) -> dict[str, str]:
    """The labels of several `--label`. Raises UsageError."""
    return dict(parse_label(text) for text in texts or [])


def status_text(item: Any) -> str:
    """The status, with a reason that adds information."""
    return f"{item['status']} {item['reason']}" if item["reason"] not in PLAIN_REASONS else str(item["status"])


def step_words(step: Any) -> list[str]:
    """When and what of a history entry."""
    return [word for word in (time_text(step["at"]), step["status"], step["reason"]) if word]


def field(key: str) -> Callable[[Any], str]:
    """A function that formats a field unchanged, or as "-" if it is empty."""
    return lambda item: str(item[key]) if item[key] not in ("", None, []) else "-"


def when(key: str) -> Callable[[Any], str]:
    """A function that formats a time in the local time zone."""
    return lambda item: time_text(item[key])


def time_text(secs: float | None) -> str:
    """`2026-11-20 12:04` in the local time zone; "-" for never, and for what is no time, which files may have."""
    if secs is None:
        return "-"
    try:
        return datetime.fromtimestamp(secs, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "-"


def confirm(question: str, sure: bool) -> None:
    """Ask for confirmation unless `sure`. Exits with code 1 if the user declines."""
    if not sure:
        typer.confirm(question, abort=True, err=True)


def repeat(show_usage: Callable[[], None], once: bool) -> None:
    """Show something every two seconds on a terminal, and once elsewhere."""
    show_usage()
    while not once and sys.stdout.isatty():
        time.sleep(TOP_PAUSE_SECS)
        show_usage()
