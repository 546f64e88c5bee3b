"""The commands for a hub, as one Typer application named `lightboard`."""

from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from lightboard.cli import datasets, jobs, notebooks, permissions, projects, tensorboards, tokens
from lightboard.cli.login import login, logout, whoami
from lightboard.cli.output import show
from lightboard.errors import UsageError

app = typer.Typer(name="lightboard", add_completion=False, rich_markup_mode=None, no_args_is_help=True)
for group in (tensorboards, jobs, notebooks, projects, datasets, permissions, tokens):
    app.add_typer(group.app)
for command in (login, logout, whoami):
    app.command()(command)


def run(words: Sequence[str]) -> int:
    """Run one command line and return its exit code. Raises UsageError, and the exceptions of the command."""
    try:
        code = app(list(words), prog_name="lightboard", standalone_mode=False)
    except typer.Abort:
        return 1
    except TyperException as error:
        message = error.format_message()
        if message.startswith("Usage:"):  # a group without a command
            show(message)
            return 2
        raise UsageError(message, hint=hint_of(error)) from None
    return code if isinstance(code, int) else 0


def hint_of(error: TyperException) -> str:
    """A hint at the help of the command that failed."""
    context = getattr(error, "ctx", None)
    return f"{context.command_path} --help" if context is not None else "lightboard tb --help"
