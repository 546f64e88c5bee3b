"""The entry point: says which command a line means, and turns errors into one line with a hint.

Everything heavy is imported by the command that needs it, so that --version, --help and --inspect answer at once.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from lightboard import __version__
from lightboard.cli import flags
from lightboard.cli.output import say, show
from lightboard.errors import LightboardError, UsageError

OK, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
POSIX = os.name == "posix"

COMMANDS = ("serve", "demo", "export")
REMOTE = ("tb", "project", "dataset", "permission", "token", "login", "logout", "whoami")
"""Commands that speak to a hub: they come first on their line, unless a folder of that name is meant with --logdir."""


def main(words: Sequence[str] | None = None) -> int:
    """Runs one command line and gives the exit code: 0 done, 1 failed, 2 not understood, 130 interrupted.

    Flags of a board that are right each but not together, and folders that cannot be, are failures, as in TensorBoard.

    A board that serves ends with 0 when it is interrupted: that is how boards end.
    """
    try:
        return run(list(sys.argv[1:] if words is None else words))
    except KeyboardInterrupt:
        return INTERRUPTED
    except UsageError as error:
        say_error(error)
        return WRONG_USAGE
    except LightboardError as error:
        say_error(error)
        return FAILED


def say_error(error: LightboardError) -> None:
    """What is wrong, then what to do."""
    say(f"lightboard: {error.message}")
    if error.hint:
        say(f"hint: {error.hint}")


def run(words: list[str]) -> int:
    """Chooses the command."""
    if words and words[0] in REMOTE:
        from lightboard.cli.hub_client import run as speak  # loads the SDK

        return speak(words)
    if words[:1] == ["hub"]:
        need_posix()
        from lightboard.cli.hub import run as hub  # loads the service

        return hub(words[1:])
    asked = flags.parse(words)
    if asked.help:
        show(flags.parser().format_help().rstrip())
        return OK
    if asked.version or asked.version_tb:
        return version()
    need_posix()
    command, asked.path = split_command(asked.path)
    if command == "export" and not asked.inspect:
        from lightboard.cli.export import export  # reads files

        return export(asked)
    if command == "demo" and not asked.inspect:
        from lightboard.cli.demo import run as demo  # trains models

        return demo(asked)
    try:
        return as_tensorboard(asked)
    except UsageError as error:
        say_error(error)
        return FAILED


def need_posix() -> None:
    """Raises UsageError where the board and the hub do not run."""
    if not POSIX:
        raise UsageError(
            "the board and the hub run on Linux and macOS only",
            hint="on Windows use WSL; the SDK and the commands that speak to a hub run everywhere",
        )


def as_tensorboard(asked: argparse.Namespace) -> int:
    """What TensorBoard's command line does as well. Raises UsageError where flags make no sense together."""
    if asked.inspect:
        from lightboard.cli.digest import inspect  # reads files

        return inspect(asked)
    from lightboard.cli.board import run as serve  # loads the server

    return serve(asked)


def version() -> int:
    """The bare version on stdout, as scripts expect it; what this installation lacks on stderr."""
    from lightboard.board.installation import missing_parts

    show(__version__)
    for line in missing_parts():
        say(line)
    return OK


def split_command(path: list[str]) -> tuple[str, list[str]]:
    """The command among the words that are no flags, first or last, and the words that are left."""
    for place in (0, -1):
        if path and path[place] in COMMANDS:
            command = path[place]
            left = path[1:] if place == 0 else path[:-1]
            return command, left
    return "serve", path
