"""The entry point: selects the command, and prints errors as one line with a hint.

Commands import what they need, so that --version, --help and --inspect are fast.
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

COMMANDS = ("serve", "demo", "export", "graph", "profile")
REMOTE = (
    *(
        "tb",
        "job",
        "notebook",
        "project",
        "dataset",
        "secret",
        "image",
        "permission",
        "token",
        "login",
        "logout",
        "whoami",
    ),
    *("run", "ps", "status", "logs", "top", "attach", "exec", "port-forward", "kill", "browse"),
    *("bump-life-span", "generate-run-command"),
)
"""Commands that talk to a hub. They must come first; a folder with such a name needs --logdir."""
NAMED = (
    "run",
    "status",
    "logs",
    "attach",
    "exec",
    "port-forward",
    "kill",
    "browse",
    "bump-life-span",
    "generate-run-command",
)
"""Those that do nothing without a name. Alone, they are a folder if there is one."""


def main(words: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit code: 0 success, 1 failure, 2 usage error, 130 interrupted.

    Contradicting flags of a board and invalid folders exit with 1, as in TensorBoard.

    A board that is interrupted while serving exits with 0.
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
    """Print the message and the hint."""
    say(f"lightboard: {error.message}")
    if error.hint:
        say(f"hint: {error.hint}")


def run(words: list[str]) -> int:
    """Select and run the command."""
    if words and words[0] in REMOTE and not is_folder(words):
        load_httpx()
        from lightboard.cli.hub_client import run as speak  # loads the SDK

        return speak(words)
    if words[:1] == ["hub"]:
        need_posix()
        from lightboard.cli.hub import run as hub  # loads the service

        return hub(words[1:])
    args = flags.parse(words)
    if args.help:
        show(flags.parser().format_help().rstrip())
        return OK
    if args.version or args.version_tb:
        return version()
    need_posix()
    command, args.path = split_command(args.path)
    if command == "export" and not args.inspect:
        from lightboard.cli.export import export  # reads files

        return export(args)
    if command == "graph" and not args.inspect:
        from lightboard.cli.graph import run as graph  # loads NumPy

        return graph(args)
    if command == "profile" and not args.inspect:
        from lightboard.cli.profile import run as profile  # loads NumPy

        return profile(args)
    if command == "demo" and not args.inspect:
        from lightboard.cli.demo import run as demo  # trains models

        return demo(args)
    try:
        return as_tensorboard(args)
    except UsageError as error:
        say_error(error)
        return FAILED


def load_httpx() -> None:
    """Load it without its own command, which needs Rich and Pygments: a fifth of the time of a short command here.

    It is made to do without them, as where they are not installed.
    """
    if "httpx" in sys.modules:
        return
    sys.modules["httpx._main"] = None  # type: ignore[assignment]  # what the import system understands as absent
    try:
        import httpx  # noqa: F401  # takes a while
    finally:
        del sys.modules["httpx._main"]


def is_folder(words: list[str]) -> bool:
    """Whether a command line that could be for a hub is the name of a folder.

    `lightboard logs` is one in any case: the name is common, and boards wait for folders that do not exist yet.
    """
    return len(words) == 1 and words[0] in NAMED and (words[0] == "logs" or os.path.isdir(words[0]))


def need_posix() -> None:
    """Raise UsageError on systems where the board and the hub do not run."""
    if not POSIX:
        raise UsageError(
            "the board and the hub run on Linux and macOS only",
            hint="on Windows use WSL; the SDK and the commands that talk to a hub run everywhere",
        )


def as_tensorboard(args: argparse.Namespace) -> int:
    """The commands of TensorBoard's command line. Raises UsageError if flags contradict each other."""
    if args.inspect:
        from lightboard.cli.digest import inspect  # reads files

        return inspect(args)
    from lightboard.cli.board import run as serve  # loads the server

    return serve(args)


def version() -> int:
    """Print the version to stdout, and missing components to stderr."""
    from lightboard.board.installation import missing_components

    show(__version__)
    for line in missing_components():
        say(line)
    return OK


def split_command(path: list[str]) -> tuple[str, list[str]]:
    """The command, which is the first or last positional argument, and the other arguments."""
    for position in (0, -1):
        if path and path[position] in COMMANDS:
            command = path[position]
            left = path[1:] if position == 0 else path[:-1]
            return command, left
    return "serve", path
