"""The flags of the board: TensorBoard's, with their meanings, and a few of our own.

Turns words into a plain namespace and errors into `UsageError`s. What is done with them is `cli.board`'s business.
"""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from lightboard.errors import UsageError

USAGE = """\
lightboard --logdir DIR [flags]
       lightboard DIR [flags]
       lightboard demo [flags]
       lightboard export --logdir DIR OUT.zip|.csv|.json [--run RE] [--tag RE]
       lightboard --inspect --logdir DIR [--tag TAG]
       lightboard hub [flags]
       lightboard login|tb|project|dataset|permission|token|whoami|logout ..."""

DESCRIPTION = (
    "Shows what every run below a folder of TensorBoard event files wrote, live, with every point kept. "
    "`hub` serves many such boards to many people; the last line speaks to one, and each word of it has --help."
)

EPILOG = """\
TensorBoard's flags keep their meaning; true/false flags are written --flag true or --flag=true.
"""

SWITCHES = ("--bind_all", "--inspect", "--db_import")
"""Flags that mean something alone: of the words after them only true and false belong to them, never a folder."""

WITHOUT_MEANING = {
    "load_fast": "there is one fast reader",
    "extra_data_server_flags": "there is no data server to pass them to",
    "grpc_creds_type": "there is no data server to talk to",
    "grpc_data_provider": "data is read from files",
    "db": "data is read from files, not from a database",
    "db_import": "data is read from files, not from a database",
    "generic_data": "there is one way to read data",
    "reload_multifile": "all files of a run are always read",
    "reload_multifile_inactive_secs": "all files of a run are always read",
    "detect_file_replacement": "replaced files are always noticed",
}
"""Accepted, and answered with one line that says why nothing happens."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises instead of printing and leaving."""

    def error(self, message: str) -> NoReturn:
        """Raises UsageError with argparse's words."""
        raise UsageError(message, hint="lightboard --help lists all flags")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The namespace for a command line, without the program's name.

    Raises:
        UsageError: a flag is unknown or its value makes no sense.
    """
    known, unknown = parser().parse_known_args(with_values(words))
    if flags := [word for word in unknown if word.startswith("-")]:
        raise unknown_flag(flags[0].partition("=")[0])
    known.path += unknown  # words after a flag are left over by argparse if there were words before it
    return known


def with_values(words: Sequence[str]) -> list[str]:
    """The words with every switch written as `--switch=value`."""
    names, left, done = flag_names(), list(words), list[str]()
    while left and left[0] != "--":
        word = left.pop(0)
        meant = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
        if len(meant) == 1 and meant[0] in SWITCHES:
            alone = not left or left[0].lower() not in ("true", "false")
            word = f"{meant[0]}={'true' if alone else left.pop(0)}"
        done.append(word)
    return done + left


def unknown_flag(flag: str) -> UsageError:
    """The error for a flag nobody knows, with the nearest one."""
    import difflib  # only wanted when something is wrong

    near = difflib.get_close_matches(flag, flag_names(), n=1, cutoff=0.6)
    return UsageError(
        f"unknown flag {flag}", hint=f"did you mean {near[0]}?" if near else "lightboard --help lists all flags"
    )


def flag_names() -> list[str]:
    """Every flag with its dashes."""
    return [name for action in parser()._actions for name in action.option_strings if action.help != argparse.SUPPRESS]


def parser() -> Parser:
    """The parser of all flags."""
    made = Parser(
        prog="lightboard",
        usage=USAGE,
        description=DESCRIPTION,
        epilog=EPILOG,
        add_help=False,
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=26, width=100),
    )
    made.add_argument("path", nargs="*", metavar="DIR", help=argparse.SUPPRESS)
    add_what(made.add_argument_group("what to show"))
    add_where(made.add_argument_group("where to serve it"))
    add_how(made.add_argument_group("how to read it"))
    add_instead(made.add_argument_group("instead of serving"))
    add_old(
        made.add_argument_group("accepted so that old command lines go on working; one line says that nothing happens")
    )
    return made


def add_what(group: Any) -> None:
    """Logs and their name."""
    group.add_argument(
        "--logdir", default="", metavar="DIR", help="folder to look through for event files, at any depth"
    )
    group.add_argument(
        "--logdir_spec",
        default="",
        metavar="NAME:DIR,..",
        help="several folders, each with a name that its runs begin with",
    )
    add_boolean(
        group,
        "--follow_links",
        True,
        "follow symlinks out of these folders, as TensorBoard does (default: true); false: read nothing outside",
    )
    group.add_argument("--window_title", default="", metavar="TEXT", help="title of the page")


def add_where(group: Any) -> None:
    """Addresses."""
    group.add_argument(
        "--port", type=port, default=None, metavar="N", help="default: 6006 or a free one after it; 0: any free one"
    )
    group.add_argument("--host", default=None, metavar="ADDR", help="address to listen on (default: localhost)")
    add_boolean(group, "--bind_all", False, "listen on all addresses of this machine: others can read your logs")
    group.add_argument(
        "--allowed_hosts",
        default="",
        metavar="NAME,..",
        help="further names of this server, as through a proxy; .example.com: all below; *: any",
    )
    group.add_argument("--path_prefix", default="", metavar="/PATH", help="serve below this path")
    add_boolean(group, "--reuse_port", False, "let several processes share the port")


def add_how(group: Any) -> None:
    """Reading."""
    group.add_argument(
        "--reload_interval",
        type=seconds,
        default=5.0,
        metavar="SECS",
        help="look again after so long; local files are also watched; 0: load once (default: 5)",
    )
    group.add_argument(
        "--reload_task",
        choices=("auto", "thread", "process", "blocking"),
        default="auto",
        help="blocking: serve only after everything was read once",
    )
    group.add_argument(
        "--max_reload_threads",
        type=count,
        default=None,
        metavar="N",
        help="threads that read (default: one for each core)",
    )
    kept = "hide points that a restart wrote again (default: true); they are kept either way"
    add_boolean(group, "--purge_orphaned_data", True, kept)
    group.add_argument(
        "--samples_per_plugin",
        type=samples,
        default={},
        metavar="KIND=N,..",
        help="most values of a series on TensorBoard's routes (default: scalars=1000); 0: all; the page has all",
    )


def add_instead(group: Any) -> None:
    """Flags that print and leave."""
    add_boolean(group, "--inspect", False, "print what the event files hold")
    group.add_argument(
        "--tag", default="", metavar="TAG", help="with --inspect: only this tag; with export: tags that match"
    )
    group.add_argument("--run", default="", metavar="RE", help="with export: only runs that match; case does not count")
    group.add_argument("--event_file", default="", metavar="FILE", help="with --inspect: only this file")
    group.add_argument("--version", action="store_true", help="print the version; what is not built is noted beside it")
    group.add_argument("--version_tb", action="store_true", help="the same")
    group.add_argument("--help", "-h", "--helpfull", action="store_true", help="print this")


def add_old(group: Any) -> None:
    """Flags without a meaning here."""
    for name in WITHOUT_MEANING:
        group.add_argument(f"--{name}", nargs="?", const="", default=None, metavar="..", help=WITHOUT_MEANING[name])


def add_boolean(group: Any, name: str, default: bool, text: str) -> None:
    """A flag that takes true or false, and alone means true."""
    group.add_argument(name, type=boolean, nargs="?", const=True, default=default, metavar="BOOL", help=text)


def port(text: str) -> int | None:
    """None for `default`, else 0 to 65535."""
    if text == "default":
        return None
    number = whole(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; it takes a number from 0 to 65535, or `default`")
    return number


def boolean(text: str) -> bool:
    """true or false, in the usual spellings."""
    lowered = text.lower()
    if lowered in ("true", "1", "yes", "t", "y"):
        return True
    if lowered in ("false", "0", "no", "f", "n"):
        return False
    raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")


def seconds(text: str) -> float:
    """A number of seconds, 0 or more."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0 up")
    return value


def count(text: str) -> int:
    """A number from 1 up."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return number


def samples(text: str) -> dict[str, int]:
    """`scalars=500,images=0` as a mapping."""
    found = {}
    for item in filter(None, text.split(",")):
        name, _, number = item.partition("=")
        if not name.strip() or whole(number.strip()) < 0:
            raise argparse.ArgumentTypeError(f"{item!r} is not of the form scalars=500")
        found[name.strip()] = whole(number.strip())
    return found


def whole(text: str) -> int:
    """A number from 0 up in plain digits; -1 for anything else, also for what no flag could mean."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1
