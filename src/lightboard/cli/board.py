"""`lightboard --logdir DIR`: flags into settings, a word about each thing worth knowing, then serve."""

import argparse
import os
from types import MappingProxyType
from typing import NoReturn

from lightboard.board.ports import open_to_all
from lightboard.cli.flags import WITHOUT_MEANING
from lightboard.cli.output import say
from lightboard.config import BoardSettings
from lightboard.errors import BucketNotFound, StorageDenied, UsageError
from lightboard.home import own_folder
from lightboard.ingest.logdir import Source, sources
from lightboard.storage.base import Storage


def run(asked: argparse.Namespace) -> NoReturn:
    """Serves until interrupted. Raises UsageError before anything is served."""
    settings = settings_of(asked)
    for line in remarks(asked, settings):
        say(line)
    serve(settings)


def serve(settings: BoardSettings) -> NoReturn:
    """Serves `settings`; the import is late because it starts reading as early as it can."""
    from lightboard.board.start import start

    start(settings, say)


def settings_of(asked: argparse.Namespace) -> BoardSettings:
    """The settings that a command line asks for. Raises UsageError where flags contradict each other."""
    logdir, logdir_spec = places(asked)
    if asked.host and asked.bind_all:
        raise UsageError("--host and --bind_all exclude each other", hint="--bind_all listens on every address")
    if asked.event_file or asked.tag:
        raise UsageError("--event_file and --tag go with --inspect", hint="add --inspect, or leave them out")
    if asked.run:
        raise UsageError("--run goes with export", hint="lightboard export --logdir DIR OUT.zip --run RE")
    return BoardSettings(
        logdir=logdir,
        logdir_spec=logdir_spec,
        host=asked.host or None,
        bind_all=asked.bind_all,
        port=asked.port,
        reuse_port=asked.reuse_port,
        path_prefix=asked.path_prefix,
        window_title=asked.window_title,
        allowed_hosts=tuple(filter(None, asked.allowed_hosts.split(","))) + proxy_names(),
        purge_orphaned_data=asked.purge_orphaned_data,
        reload_secs=asked.reload_interval,
        reload_blocking=asked.reload_task == "blocking",
        reload_threads=asked.max_reload_threads,
        home=own_folder(),
        samples=MappingProxyType(asked.samples_per_plugin),
    )


def places(asked: argparse.Namespace) -> tuple[str, str]:
    """Logdir and logdir_spec, exactly one of them not empty."""
    given = [word for word in (asked.logdir, *asked.path) if word]
    if len(given) > 1:
        raise UsageError(
            f"one folder is enough, but there are {' and '.join(given)}", hint="several: --logdir_spec a:DIR,b:DIR"
        )
    if given and asked.logdir_spec:
        raise UsageError("--logdir and --logdir_spec exclude each other", hint="--logdir_spec can name all folders")
    if not given and not asked.logdir_spec:
        raise UsageError(
            "no folder to look through", hint="lightboard --logdir DIR, or lightboard demo for a first look"
        )
    logdir = os.path.expanduser(given[0]) if given else ""
    if "," in logdir and not os.path.exists(logdir):
        return "", logdir  # older TensorBoards took lists here, and people still write them
    return logdir, asked.logdir_spec


def proxy_names() -> tuple[str, ...]:
    """The name in TENSORBOARD_PROXY_URL: notebooks announce there how their proxy reaches this server."""
    url = os.environ.get("TENSORBOARD_PROXY_URL", "")
    name = url.partition("://")[2].partition("/")[0].partition(":")[0] if "://" in url else ""
    return (name,) if name else ()


def remarks(asked: argparse.Namespace, settings: BoardSettings) -> list[str]:
    """One line for each thing a person would want to know before the address."""
    lines = [
        f"note: --{name} has no effect: {why}"
        for name, why in WITHOUT_MEANING.items()
        if getattr(asked, name) is not None
    ]
    for source in sources(settings.logdir, settings.logdir_spec):
        if reason := why_unseen(source.storage):
            lines.append(f"note: {source.storage.locate('')} {reason}; its runs appear as soon as that changes")
    if settings.logdir_spec and not asked.logdir_spec:
        lines.append("note: a list of folders is read as --logdir_spec")
    if others := [name for name in settings.samples if name != "scalars"]:
        lines.append(f"note: --samples_per_plugin has no effect on {', '.join(others)}: only scalars are served so far")
    if open_to_all(settings):
        flag = "--bind_all" if settings.bind_all else f"--host {settings.host}"
        lines.append(f"note: {flag} lets everybody who can reach this machine read these logs and edit your notes")
    return lines


def readable_sources(logdir: str, logdir_spec: str) -> list[Source]:
    """What the flags name, for a command that reads once and cannot wait for it. Raises UsageError."""
    chosen = sources(logdir, logdir_spec)
    for source in chosen:
        if reason := why_unseen(source.storage):
            raise UsageError(
                f"{source.storage.locate('')} {reason.removesuffix(' yet')}",
                hint="give a folder that is there and can be read",
            )
    return chosen


def why_unseen(storage: Storage) -> str:
    """Why the top of a storage cannot be looked into now; "" if it can.

    Raises UsageError where waiting will not help.
    """
    errors: list[OSError] = []

    def note(path: str, error: OSError) -> None:
        if not path:
            errors.append(error)

    list(storage.walk(deep=False, select=lambda _name: False, on_error=note))
    if not errors:
        return ""
    error = errors[0]
    if isinstance(error, StorageDenied | BucketNotFound):
        raise UsageError(error.message, hint=error.hint)
    if isinstance(error, NotADirectoryError) and storage.remote:
        raise UsageError(f"{error}", hint="give the folder that holds it")
    if isinstance(error, FileNotFoundError):
        return "is not there yet"
    return f"cannot be read ({error.strerror or error})"
