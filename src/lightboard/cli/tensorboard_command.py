"""The command `tensorboard --logdir=...` in `lightboard run`, which becomes a TensorBoard of the hub."""

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


def tensorboard_words(command: Sequence[str]) -> list[str] | None:
    """The arguments of `tensorboard` if the command is that, as words or as one line; None if it is another one."""
    words = list(command)
    if len(words) == 1:
        try:
            words = shlex.split(words[0])
        except ValueError:  # not one that a shell could run either
            return None
    if not words or words[0].rpartition("/")[2] not in PROGRAMS:
        return None
    return words[1:]


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
