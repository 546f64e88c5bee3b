"""`lightboard --logdir DIR`: flags into settings, a word about each thing worth knowing, then serve."""

import argparse
import os
from types import MappingProxyType
from typing import NoReturn

from lightboard.asgi.hosts import ANYTHING, host_name
from lightboard.board.ports import only_loopback
from lightboard.cli.flags import WITHOUT_MEANING
from lightboard.cli.output import say
from lightboard.config import SAMPLED, BoardSettings
from lightboard.errors import BucketNotFound, StorageDenied, UsageError
from lightboard.home import own_folder
from lightboard.ingest.logdir import Source, sources
from lightboard.storage.base import Storage

PROXY_URL = "TENSORBOARD_PROXY_URL"
"""The variable in which notebooks say how their proxy reaches a board."""


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
        path_prefix=path_prefix(asked.path_prefix),
        window_title=asked.window_title,
        allowed_hosts=tuple(filter(None, asked.allowed_hosts.split(","))),
        proxy_hosts=proxy_hosts(),
        purge_orphaned_data=asked.purge_orphaned_data,
        reload_secs=asked.reload_interval,
        reload_blocking=asked.reload_task == "blocking",
        reload_threads=asked.max_reload_threads,
        follow_links=asked.follow_links,
        home=own_folder(),
        samples=MappingProxyType(asked.samples_per_plugin),
    )


def path_prefix(text: str) -> str:
    """Begins with a slash and does not end with one. Raises UsageError."""
    if text and not text.startswith("/"):
        raise UsageError(f"--path_prefix {text} must begin with a slash", hint=f"--path_prefix /{text}")
    return text.rstrip("/")


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


def proxy_hosts() -> tuple[str, ...]:
    """The name in TENSORBOARD_PROXY_URL: notebooks announce there how their proxy reaches this server.

    A bare path, as jupyter-server-proxy wants it, says that there is a proxy; its name is whatever Jupyter's is.
    """
    url = os.environ.get(PROXY_URL, "")
    if not url:
        return ()
    name = host_name(url.partition("://")[2].partition("/")[0]) if "://" in url else ANYTHING
    return (name,) if name else ()


def remarks(asked: argparse.Namespace, settings: BoardSettings) -> list[str]:
    """One line for each thing a person would want to know before the address."""
    lines = [
        f"note: --{name} has no effect: {why}"
        for name, why in WITHOUT_MEANING.items()
        if getattr(asked, name) is not None
    ]
    for source in sources(settings.logdir, settings.logdir_spec, follow_links=settings.follow_links):
        if reason := why_unseen(source.storage):
            lines.append(f"note: {source.storage.locate('')} {reason}; its runs appear as soon as that changes")
    if settings.logdir_spec and not asked.logdir_spec:
        lines.append("note: a list of folders is read as --logdir_spec")
    if others := [name for name in settings.samples if name not in SAMPLED]:
        lines.append(f"note: --samples_per_plugin has no effect on {', '.join(others)}; it takes {', '.join(SAMPLED)}")
    if line := open_door(settings):
        lines.append(line)
    return lines


def open_door(settings: BoardSettings) -> str:
    """One line about who else may come in, "" where nobody may. Raises UsageError as `addresses_of`."""
    if not only_loopback(settings):
        flag = "--bind_all" if settings.bind_all else f"--host {settings.host}"
        line = f"note: {flag} lets everybody who can reach this machine read these logs and edit your notes"
    elif ANYTHING in settings.proxy_hosts and not settings.allowed_hosts:
        line = f"note: {PROXY_URL} tells of a proxy but not its name, so requests for any host are answered"
    else:
        return ""
    return line if settings.allowed_hosts else f"{line}; --allowed_hosts narrows the hosts it answers for"


def readable_sources(logdir: str, logdir_spec: str, *, follow_links: bool = True) -> list[Source]:
    """What the flags name, for a command that reads once and cannot wait for it. Raises UsageError."""
    chosen = sources(logdir, logdir_spec, follow_links=follow_links)
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
