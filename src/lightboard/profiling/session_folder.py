"""The folders that captures are written into: `<log_dir>/plugins/profile/<session>`, a session for each capture."""

import contextlib
import os
import socket
import time
from pathlib import Path

from lightboard.errors import UsageError

PLUGIN_FOLDER = Path("plugins", "profile")


def local_folder(log_dir: str | os.PathLike[str]) -> Path:
    """The log directory as a path. Raises UsageError for the address of a bucket."""
    text = os.fspath(log_dir)
    if "://" in text:
        raise UsageError(
            f"{text} is not a local folder", hint="capture into a local folder, then copy it to the bucket"
        )
    return Path(text)


def sessions_of(log_dir: Path) -> set[Path]:
    """The folders of the sessions in a log directory."""
    folder = log_dir / PLUGIN_FOLDER
    return {path for path in folder.iterdir() if path.is_dir()} if folder.is_dir() else set()


def new_session() -> str:
    """A name for a session that begins now."""
    return time.strftime("%Y_%m_%d_%H_%M_%S")


def make_session_folder(log_dir: Path) -> Path:
    """A new folder, for this process alone."""
    first = log_dir / PLUGIN_FOLDER / new_session()
    for attempt in range(1, 10_000):
        folder = first if attempt == 1 else first.with_name(f"{first.name}_{attempt}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(parents=True)
            return folder
    raise UsageError(f"{first.parent} has too many captures", hint="give another log_dir")


def worker_name(rank: int | None) -> str:
    """What the file of this process is called: host names may be equal, as those of containers often are."""
    return f"{socket.gethostname()}_{os.getpid()}" if rank is None else f"{socket.gethostname()}_rank{rank}"
