"""The command `tensorboard --logdir=...` in `lightboard run`: a TensorBoard of the hub, or a job that serves one."""

import argparse
import shlex
from collections.abc import Sequence

from lightboard.cli import flags
from lightboard.client.volumes import WRITABLE, Volume, clean_path, parse_volumes, source_at
from lightboard.errors import UsageError

PROGRAMS = ("tensorboard", "lightboard")
READ = ("logdir", "logdir_spec", "path")
"""Flags that say what to show."""
HOSTING = (
    "host", "port", "bind_all", "allowed_hosts", "path_prefix", "reuse_port",
    *flags.IGNORED_FLAGS, "reload_interval", "reload_task", "max_reload_threads",
)  # fmt: skip
"""Flags about serving and reading, for which the hub has ways of its own."""
TENSORBOARD_PORT = 6006
"""The default of TensorBoard. It also stands for the page of a board, which has no port of its own."""
ADDRESS = {"--host": 1, "--port": 1, "--bind_all": 0}
"""Flags about where to listen, and how many words follow them."""


def tensorboard_words(command: Sequence[str]) -> list[str] | None:
    """The arguments of `tensorboard` if the command is that, as words or as one line; None if it is another one."""
    words = split_words(command)
    if not words or words[0].rpartition("/")[2] not in PROGRAMS:
        return None
    return words[1:]


def split_words(command: Sequence[str]) -> list[str]:
    """The words of a command that may be one line; none if no shell could run that."""
    if len(command) != 1:
        return list(command)
    try:
        return shlex.split(command[0])
    except ValueError:
        return []


def viewer_command(command: Sequence[str], port: int) -> list[str]:
    """The command of a job that serves TensorBoard at a port of the machine, which nobody reaches but through the hub.

    Raises UsageError for another command.
    """
    if tensorboard_words(command) is None:
        raise UsageError("--image-viewer is for tensorboard", hint="leave it out: a job runs in IMAGE anyway")
    program, *words = split_words(command)
    return [program, *without_address(words), "--host=127.0.0.1", f"--port={port}"]


def without_address(words: Sequence[str]) -> list[str]:
    """The arguments of `tensorboard` without those about where to listen."""
    kept, skipped = list[str](), 0
    for word in words:
        name, equals, _ = word.partition("=")
        if skipped:
            skipped -= 1
        elif name in ADDRESS:
            skipped = 0 if equals else ADDRESS[name]
        else:
            kept.append(word)
    return kept


def is_viewer(command: Sequence[str], port: int | None) -> bool:
    """Whether a job has the command that `viewer_command` makes for its port."""
    is_tensorboard = port is not None and tensorboard_words(command) is not None
    return is_tensorboard and viewer_command(command, port or TENSORBOARD_PORT) == list(command)


def sources_of(words: Sequence[str], volumes: Sequence[Volume]) -> list[dict[str, str]]:
    """The sources of the TensorBoard for `tensorboard` with these arguments. Raises UsageError.

    Each has a `uri`, the path where the command expects it as `target`, and an `alias` if `--logdir_spec` names it.
    """
    return [
        {"uri": covered(path, volumes), "target": clean_path(path), **({"alias": name} if name else {})}
        for name, path in named_folders(flags.parse(words))
    ]


def named_folders(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The names ("" for none) and paths of the folders to show. Raises UsageError unless there is one."""
    if args.inspect or args.version or args.version_tb or args.help:
        raise UsageError("this tensorboard command shows no logs", hint="give it a --logdir")
    folders = [*([args.logdir] if args.logdir else []), *args.path]
    if len(folders) + bool(args.logdir_spec) > 1:
        raise UsageError("several folders are given", hint="--logdir_spec=a:/logs/a,b:/logs/b shows several")
    if args.logdir_spec:
        from lightboard.ingest.logdir import parse_spec  # reads files

        return parse_spec(args.logdir_spec)
    if not folders:
        raise UsageError("tensorboard has no --logdir", hint="for example --logdir=/project/results")
    return [("", folders[0])]


def covered(path: str, volumes: Sequence[Volume]) -> str:
    """The source at `path`. Raises UsageError if no volume is there."""
    source = source_at(clean_path(path), volumes)
    if source is None:
        hint = f"add --volume storage:FOLDER:{clean_path(path)}:ro"
        raise UsageError(f"no volume has the folder {path} of --logdir", hint=hint)
    return source


def notes(words: Sequence[str], volumes: Sequence[str]) -> list[str]:
    """What a user should know who asked for more than a TensorBoard of a hub does."""
    defaults, given = vars(flags.parse([])), vars(flags.parse(words))
    unused = [name for name in given if name not in (*READ, *HOSTING) and given[name] != defaults[name]]
    writable = [volume.target for volume in parse_volumes(volumes) if volume.mode == WRITABLE]
    return [f"--{name} has no effect on a hub" for name in unused] + [
        f"{target} is read only: TensorBoards never write to their logs" for target in writable
    ]
