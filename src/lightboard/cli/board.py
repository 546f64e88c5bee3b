"""`lightboard --logdir DIR`: converts flags to settings, prints notes, and serves."""

import argparse
import os
from types import MappingProxyType
from typing import NoReturn

from lightboard.asgi.hosts import ANYTHING, host_name
from lightboard.board.ports import only_loopback
from lightboard.cli.flags import IGNORED_FLAGS
from lightboard.cli.output import say
from lightboard.config import BOARD_TOKEN, PROXY_URLS, SAMPLED, BoardSettings
from lightboard.errors import BucketNotFound, StorageDenied, UsageError
from lightboard.home import cache_folder, own_folder
from lightboard.ingest.logdir import Source, sources
from lightboard.storage.base import Storage


def run(args: argparse.Namespace) -> NoReturn:
    """Serve until interrupted. Raises UsageError before serving."""
    settings = settings_of(args)
    for line in startup_notes(args, settings):
        say(line)
    serve(settings)


def serve(settings: BoardSettings) -> NoReturn:
    """Serve a board with these settings."""
    from lightboard.board.start import start

    start(settings, say)


def settings_of(args: argparse.Namespace) -> BoardSettings:
    """The settings of a command line. Raises UsageError if flags contradict each other."""
    logdir, logdir_spec = logdirs(args)
    if args.host and args.bind_all:
        raise UsageError("--host and --bind_all cannot be used together", hint="--bind_all listens on every address")
    if args.event_file or args.tag:
        raise UsageError("--event_file and --tag require --inspect", hint="add --inspect, or leave them out")
    if args.run:
        raise UsageError("--run requires export", hint="lightboard export --logdir DIR OUT.zip --run RE")
    return BoardSettings(
        logdir=logdir,
        logdir_spec=logdir_spec,
        host=args.host or None,
        bind_all=args.bind_all,
        port=args.port,
        reuse_port=args.reuse_port,
        path_prefix=path_prefix(args.path_prefix),
        window_title=args.window_title,
        allowed_hosts=tuple(filter(None, args.allowed_hosts.split(","))),
        proxy_hosts=proxy_hosts(),
        token=os.environ.get(BOARD_TOKEN, ""),
        purge_orphaned_data=args.purge_orphaned_data,
        reload_secs=args.reload_interval,
        reload_blocking=args.reload_task == "blocking",
        reload_threads=args.max_reload_threads,
        follow_links=args.follow_links,
        home=own_folder(),
        cache=cache_folder(),
        samples=MappingProxyType(args.samples_per_plugin),
    )


def path_prefix(text: str) -> str:
    """The prefix, which must begin with a slash, without a final slash. Raises UsageError."""
    if text and not text.startswith("/"):
        raise UsageError(f"--path_prefix {text} must begin with a slash", hint=f"--path_prefix /{text}")
    return text.rstrip("/")


def logdirs(args: argparse.Namespace) -> tuple[str, str]:
    """Logdir and logdir_spec; exactly one is not empty. Raises UsageError."""
    folders = [folder for folder in (args.logdir, *args.path) if folder]
    if len(folders) > 1:
        raise UsageError(
            f"only one folder is allowed, but there are {' and '.join(folders)}",
            hint="several: --logdir_spec a:DIR,b:DIR",
        )
    if folders and args.logdir_spec:
        raise UsageError("--logdir and --logdir_spec cannot be used together", hint="--logdir_spec can list all")
    if not folders and not args.logdir_spec:
        raise UsageError("no logdir", hint="lightboard --logdir DIR, or lightboard demo for an example")
    logdir = os.path.expanduser(folders[0]) if folders else ""
    if "," in logdir and not os.path.exists(logdir):
        return "", logdir  # older TensorBoards accepted lists here
    return logdir, args.logdir_spec


def proxy_hosts() -> tuple[str, ...]:
    """The host in one of PROXY_URLS, which notebooks set to the URL of their proxy.

    A bare path, as for jupyter-server-proxy, means a proxy with an unknown name.
    """
    url = os.environ.get(proxy_variable(), "")
    if not url:
        return ()
    name = host_name(url.partition("://")[2].partition("/")[0]) if "://" in url else ANYTHING
    return (name,) if name else ()


def proxy_variable() -> str:
    """The one of PROXY_URLS that is set, else the last."""
    return next((name for name in PROXY_URLS if os.environ.get(name)), PROXY_URLS[-1])


def startup_notes(args: argparse.Namespace, settings: BoardSettings) -> list[str]:
    """Notes that are printed before the address."""
    lines = [
        f"note: --{name} has no effect: {why}" for name, why in IGNORED_FLAGS.items() if getattr(args, name) is not None
    ]
    for source in sources(settings.logdir, settings.logdir_spec, follow_links=settings.follow_links):
        if reason := unreadable_reason(source.storage):
            lines.append(f"note: {source.storage.locate('')} {reason}; its runs appear as soon as that changes")
    if settings.logdir_spec and not args.logdir_spec:
        lines.append("note: a list of folders is read as --logdir_spec")
    if others := [name for name in settings.samples if name not in SAMPLED]:
        lines.append(
            f"note: --samples_per_plugin has no effect on {', '.join(others)}; it applies to {', '.join(SAMPLED)}"
        )
    if line := exposure_note(settings):
        lines.append(line)
    return lines


def exposure_note(settings: BoardSettings) -> str:
    """A note if other users can reach the board, or it requires a token, else "".

    Raises UsageError as `addresses_of`.
    """
    if settings.token:
        return f"note: only requests with the token in {BOARD_TOKEN} are answered"
    if not only_loopback(settings):
        flag = "--bind_all" if settings.bind_all else f"--host {settings.host}"
        line = f"note: {flag} lets everyone who can reach this machine read these logs and edit your notes"
    elif ANYTHING in settings.proxy_hosts and not settings.allowed_hosts:
        line = f"note: {proxy_variable()} does not name its proxy, so requests for any host are accepted"
    else:
        return ""
    return line if settings.allowed_hosts else f"{line}; --allowed_hosts restricts the hosts"


def readable_sources(logdir: str, logdir_spec: str, *, follow_links: bool = True) -> list[Source]:
    """The sources of the flags, for commands that read them once. Raises UsageError if one cannot be read."""
    log_sources = sources(logdir, logdir_spec, follow_links=follow_links)
    for source in log_sources:
        if reason := unreadable_reason(source.storage):
            raise UsageError(
                f"{source.storage.locate('')} {reason.removesuffix(' yet')}",
                hint="give a folder that exists and can be read",
            )
    return log_sources


def unreadable_reason(storage: Storage) -> str:
    """Why the root of a storage cannot be listed now; "" if it can.

    Raises UsageError if waiting does not help.
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
        raise UsageError(f"{error}", hint="give its folder")
    if isinstance(error, FileNotFoundError):
        return "is not there yet"
    return f"cannot be read ({error.strerror or error})"
