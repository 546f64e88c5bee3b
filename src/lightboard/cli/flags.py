"""The flags of the board: TensorBoard's flags with their meanings, and a few of our own.

Parses arguments to a namespace and raises UsageError. `cli.board` converts the namespace to settings.
"""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from lightboard.cli.tables import TABLE, Format
from lightboard.errors import UsageError

USAGE = """\
lightboard --logdir DIR [flags]
       lightboard DIR [flags]
       lightboard demo [flags]
       lightboard graph FILE [flags]
       lightboard graph FILE --summary [--json] | --export dot|model-explorer [--program NAME]
       lightboard profile ls|overview|steps|ops|tree DIR [--capture NAME] [--json]
       lightboard profile ops DIR --by-shape [--json]
       lightboard profile breakdown|skew|memory DIR [--capture NAME] [--json]
       lightboard profile diff BEFORE AFTER [--rank N,M] [--json]
       lightboard profile export DIR FILE.json [--format perfetto|speedscope]
       lightboard export --logdir DIR OUT.zip|.csv|.json [--run RE] [--tag RE]
       lightboard --inspect --logdir DIR [--tag TAG]
       lightboard hub [flags]
       lightboard run|ps|status|logs|top|exec|port-forward|attach|kill|browse
       lightboard bump-life-span|generate-run-command
       lightboard login|tb|job|notebook|project|dataset|secret|image|permission|token|whoami|logout"""

DESCRIPTION = (
    "Shows the runs in a folder of TensorBoard event files, live and with all points. "
    "`hub` serves many boards to many users; the commands of the last three lines talk to a hub, and each has --help."
)

EPILOG = """\
TensorBoard's flags keep their meaning; true/false flags are written --flag true or --flag=true.
"""

SWITCHES = ("--bind_all", "--inspect", "--db_import")
"""Flags with an optional value. Only a following `true` or `false` is taken as the value, never a folder."""

IGNORED_FLAGS = {
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
"""Flags that are accepted and have no effect, with the reason, which is printed."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises instead of printing and exiting."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with argparse's message."""
        raise UsageError(message, hint="lightboard --help lists all flags")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The namespace of a command line without the program name.

    Raises:
        UsageError: a flag is unknown or its value is invalid.
    """
    known, unknown = parser().parse_known_args(expand_switches(words))
    if flags := [word for word in unknown if word.startswith("-")]:
        raise unknown_flag(flags[0].partition("=")[0])
    known.path += unknown  # argparse leaves positional arguments after flags here
    return known


def expand_switches(words: Sequence[str]) -> list[str]:
    """The arguments with every switch written as `--switch=value`."""
    names, left, done = flag_names(), list(words), list[str]()
    while left and left[0] != "--":
        word = left.pop(0)
        matches = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
        if len(matches) == 1 and matches[0] in SWITCHES:
            alone = not left or left[0].lower() not in ("true", "false")
            word = f"{matches[0]}={'true' if alone else left.pop(0)}"
        done.append(word)
    return done + left


def unknown_flag(flag: str) -> UsageError:
    """The error for an unknown flag, with the most similar one."""
    import difflib  # only needed for errors

    near = difflib.get_close_matches(flag, flag_names(), n=1, cutoff=0.6)
    return UsageError(
        f"unknown flag {flag}", hint=f"did you mean {near[0]}?" if near else "lightboard --help lists all flags"
    )


def flag_names() -> list[str]:
    """All flags with their dashes."""
    return [name for action in parser()._actions for name in action.option_strings if action.help != argparse.SUPPRESS]


def parser() -> Parser:
    """The parser of all flags."""
    result = Parser(
        prog="lightboard",
        usage=USAGE,
        description=DESCRIPTION,
        epilog=EPILOG,
        add_help=False,
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=26, width=100),
    )
    result.add_argument("path", nargs="*", metavar="DIR", help=argparse.SUPPRESS)
    add_log_flags(result.add_argument_group("what to show"))
    add_server_flags(result.add_argument_group("where to serve it"))
    add_read_flags(result.add_argument_group("how to read it"))
    add_command_flags(result.add_argument_group("instead of serving"))
    add_ignored_flags(result.add_argument_group("accepted for compatibility, without effect"))
    return result


def add_log_flags(group: Any) -> None:
    """Add the flags for logs."""
    group.add_argument("--logdir", default="", metavar="DIR", help="folder with event files, at any depth")
    group.add_argument(
        "--logdir_spec",
        default="",
        metavar="NAME:DIR,..",
        help="several folders, each with a name that prefixes its runs",
    )
    add_boolean(
        group,
        "--follow_links",
        True,
        "follow symlinks out of these folders, as TensorBoard does (default: true); false: ignore them",
    )
    group.add_argument("--window_title", default="", metavar="TEXT", help="title of the page")


def add_server_flags(group: Any) -> None:
    """Add the flags for the server."""
    group.add_argument(
        "--port", type=port, default=None, metavar="N", help="default: 6006 or a free one after it; 0: any free one"
    )
    group.add_argument(
        "--host",
        default=None,
        metavar="ADDR",
        help="address to listen on (default: localhost); with profile: only this host",
    )
    add_boolean(group, "--bind_all", False, "listen on all addresses of this machine: others can read your logs")
    group.add_argument(
        "--allowed_hosts",
        default="",
        metavar="NAME,..",
        help="additional host names of this server, such as those of a proxy; .example.com: all subdomains; *: any",
    )
    group.add_argument("--path_prefix", default="", metavar="/PATH", help="serve below this path")
    add_boolean(group, "--reuse_port", False, "allow several processes to share the port")


def add_read_flags(group: Any) -> None:
    """Add the flags for reading."""
    group.add_argument(
        "--reload_interval",
        type=seconds,
        default=5.0,
        metavar="SECS",
        help="seconds between rescans; local files are also watched; 0: load once (default: 5)",
    )
    group.add_argument(
        "--reload_task",
        choices=("auto", "thread", "process", "blocking"),
        default="auto",
        help="blocking: start serving after everything was read once",
    )
    group.add_argument(
        "--max_reload_threads",
        type=count,
        default=None,
        metavar="N",
        help="number of threads that read files (default: one per core)",
    )
    orphans_help = "hide points that were superseded by a restart (default: true); they are kept in any case"
    add_boolean(group, "--purge_orphaned_data", True, orphans_help)
    group.add_argument(
        "--samples_per_plugin",
        type=samples,
        default={},
        metavar="KIND=N,..",
        help="maximum values per series on TensorBoard's routes (default: scalars=1000); 0: all; the page has all",
    )


def add_command_flags(group: Any) -> None:
    """Add the flags of other commands."""
    add_boolean(group, "--inspect", False, "print a summary of the event files")
    group.add_argument(
        "--tag", default="", metavar="TAG", help="with --inspect: only this tag; with export: tags that match"
    )
    group.add_argument("--run", default="", metavar="RE", help="with export: only runs that match (case-insensitive)")
    group.add_argument("--capture", default="", metavar="NAME", help="with profile: this capture, one of profile ls")
    group.add_argument("--rank", default="", metavar="N", help="with profile: only this rank; diff: N,M")
    group.add_argument("--bottom-up", action="store_true", help="with profile tree: what calls are inside of, by name")
    group.add_argument("--by-shape", action="store_true", help="with profile ops: by the shapes of inputs")
    group.add_argument(
        "--format",
        choices=("perfetto", "speedscope"),
        default="perfetto",
        help="with profile export: the viewer that the file is for (default: perfetto)",
    )
    group.add_argument("--summary", action="store_true", help="with graph: print parameters, bytes and FLOPs by scope")
    group.add_argument(
        "--export",
        default="",
        choices=["dot", "model-explorer"],
        help="with graph: print it for Graphviz or Model Explorer",
    )
    group.add_argument(
        "--program", default="", metavar="NAME", help="with graph --summary and --export: this program of a capture"
    )
    group.add_argument(
        "--output",
        "-o",
        type=output_format,
        default=TABLE,
        metavar="FORMAT",
        help="with profile and graph --summary: table, json or yaml; times are in microseconds (default: table)",
    )
    group.add_argument("--json", dest="output", action="store_const", const=Format.JSON, help="the same as -o json")
    group.add_argument("--event_file", default="", metavar="FILE", help="with --inspect: only this file")
    group.add_argument("--version", action="store_true", help="print the version, with notes about missing components")
    group.add_argument("--version_tb", action="store_true", help="the same")
    group.add_argument("--help", "-h", "--helpfull", action="store_true", help="print this")


def add_ignored_flags(group: Any) -> None:
    """Add the flags that have no effect."""
    for name in IGNORED_FLAGS:
        group.add_argument(f"--{name}", nargs="?", const="", default=None, metavar="..", help=IGNORED_FLAGS[name])


def add_boolean(group: Any, name: str, default: bool, text: str) -> None:
    """Add a flag with the value true or false; without a value it means true."""
    group.add_argument(name, type=boolean, nargs="?", const=True, default=default, metavar="BOOL", help=text)


def port(text: str) -> int | None:
    """Parse a port from 0 to 65535, or `default`, which is None."""
    if text == "default":
        return None
    number = whole(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: it must be a number from 0 to 65535, or `default`")
    return number


def boolean(text: str) -> bool:
    """Parse true or false, in the usual spellings."""
    lowered = text.lower()
    if lowered in ("true", "1", "yes", "t", "y"):
        return True
    if lowered in ("false", "0", "no", "f", "n"):
        return False
    raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")


def output_format(text: str) -> Format:
    """Parse the name of a format."""
    if text not in [*Format]:
        raise argparse.ArgumentTypeError(f"{text!r} is no format: {', '.join(Format)}")
    return Format(text)


def seconds(text: str) -> float:
    """Parse a non-negative number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 up")
    return value


def count(text: str) -> int:
    """Parse a positive number."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return number


def samples(text: str) -> dict[str, int]:
    """Parse `scalars=500,images=0`."""
    limits = {}
    for item in filter(None, text.split(",")):
        name, _, number = item.partition("=")
        if not name.strip() or whole(number.strip()) < 0:
            raise argparse.ArgumentTypeError(f"{item!r} is not of the form scalars=500")
        limits[name.strip()] = whole(number.strip())
    return limits


def whole(text: str) -> int:
    """Parse a non-negative number in ASCII digits. Returns -1 for anything else, including very large numbers."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1
