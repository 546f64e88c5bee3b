"""The commands for a hub, as one Typer application named `lightboard`."""

import os
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from lightboard.cli import datasets, images, jobs, notebooks, permissions, projects, secrets, tensorboards, tokens
from lightboard.cli.exec_command import exec_in_instance, exec_in_job
from lightboard.cli.instance_commands import COMMANDS
from lightboard.cli.job_lineage import lineage
from lightboard.cli.job_metrics import metrics
from lightboard.cli.job_queue import queue
from lightboard.cli.login import login, logout, whoami
from lightboard.cli.output import show
from lightboard.cli.port_forward import port_forward
from lightboard.cli.run import run as run_command
from lightboard.cli.run_again import run_again
from lightboard.errors import UsageError

app = typer.Typer(name="lightboard", add_completion=False, rich_markup_mode=None, no_args_is_help=True)
for group in (tensorboards, jobs, notebooks, projects, datasets, secrets, images, permissions, tokens):
    app.add_typer(group.app)
WITH_COMMAND = {"allow_interspersed_args": False}
"""Of commands whose last words are a command with flags of its own."""
app.command("run", context_settings=WITH_COMMAND)(run_command)
app.command("exec", context_settings=WITH_COMMAND)(exec_in_instance)
app.command("port-forward")(port_forward)
jobs.app.command("exec", context_settings=WITH_COMMAND)(exec_in_job)
jobs.app.command()(queue)
jobs.app.command()(metrics)
jobs.app.command()(lineage)
jobs.app.command()(run_again)
for command in (*COMMANDS, login, logout, whoami):
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
        hint = f"lightboard --logdir {words[0]} shows the folder" if os.path.isdir(words[0]) else hint_of(error)
        raise UsageError(message, hint=hint) from None
    return code if isinstance(code, int) else 0


def hint_of(error: TyperException) -> str:
    """A hint at the help of the command that failed."""
    context = getattr(error, "ctx", None)
    return f"{context.command_path} --help" if context is not None else "lightboard tb --help"
