"""The hub's own directory: created private, refused when others may look into it, locked while the hub runs."""

import contextlib
import fcntl
import os
import shlex
import socket
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from lightboard.errors import UsageError
from lightboard.home import create_private

SUBDIRECTORIES = ("storage", "overlays", "credentials", "workers")
DATABASE = "hub.sqlite3"
STORAGE = "storage"
"""Training jobs write below it, with the permissions that they choose; who may is a matter of its own directory."""
LOCK = "lock"
OTHERS = 0o077
"""The permissions of everybody but the hub's own user."""
SAMPLE_BYTES = 4096
SQLITE_SUFFIXES = ("", "-wal", "-shm", "-log_buffer")


def create(home: str) -> Path:
    """`<home>/hub` with its subdirectories; what is made is for the hub's user alone. Raises UsageError."""
    if not home:
        raise UsageError("the hub has no folder to keep its data in", hint="--home DIR, or set LIGHTBOARD_HOME")
    directory = Path(home) / "hub"
    try:
        for name in SUBDIRECTORIES:
            create_private(str(directory / name))
    except OSError as error:
        raise UsageError(
            f"the hub cannot keep its data in {directory}: {error.strerror}", hint="--home DIR names another folder"
        ) from None
    return directory


@contextlib.contextmanager
def opened(directory: Path, sqlite: str) -> Iterator[None]:
    """Locks the directory and looks after its permissions. `sqlite` is the database file, "" for PostgreSQL.

    Over SQLite this hub is alone with directory and database. Raises UsageError.
    """
    with contextlib.ExitStack() as locks:
        locks.enter_context(locked(directory / LOCK, shared=not sqlite))
        if sqlite and Path(sqlite) != directory / DATABASE:
            locks.enter_context(locked(Path(f"{sqlite}.lock"), shared=False))
        check_private(directory, sqlite)
        yield


def check_private(directory: Path, sqlite: str = "") -> None:
    """Raises UsageError, with the command that mends it, where others may read or write the hub's files.

    `sqlite` is the database file, "" for none.
    """
    modes = {path: mode_of(path) for path in (*files_of(directory), *database_files(sqlite))}
    loose = [path for path, mode in modes.items() if mode & OTHERS]
    if loose:
        first, more = loose[0], f", and {len(loose) - 1} more" if len(loose) > 1 else ""
        raise UsageError(
            f"{first} (mode {modes[first]:04o}) is open to other users{more}", hint=chmod_command(directory, loose)
        )


def database_files(sqlite: str) -> list[Path]:
    """The files that SQLite keeps a database in, whether they are there now or not; none for ""."""
    return [Path(sqlite + suffix) for suffix in SQLITE_SUFFIXES] if sqlite else []


def files_of(directory: Path) -> Iterator[Path]:
    """The directory and all that is in it, but for what lies in the storage of projects."""
    yield directory
    for path in sorted(directory.iterdir()):
        yield path
        if path.is_dir() and path.name != STORAGE:
            for folder, names, files in os.walk(path):
                yield from (Path(folder, name) for name in sorted(names + files))


def mode_of(path: Path) -> int:
    """The permissions of a file, or of what a link leads to; 0 for one that is not there."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0


def chmod_command(directory: Path, loose: Iterable[Path]) -> str:
    """A shell command that takes the permissions away: whole subdirectories at once where files in them are loose."""
    single, whole = set[str](), set[str]()
    for path in loose:
        inside = path.relative_to(directory).parts if path.is_relative_to(directory) else ()
        if len(inside) > 1:
            whole.add(str(directory / inside[0]))
        else:
            single.add(str(path))
    commands = [f"chmod go= {shlex.join(sorted(single - whole))}"] if single - whole else []
    commands += [f"chmod -R go= {shlex.join(sorted(whole))}"] if whole else []
    return " && ".join(commands)


def check_writable(directory: Path) -> None:
    """Raises OSError unless a file can be made and filled there."""
    with tempfile.TemporaryFile(dir=directory) as file:
        file.write(bytes(SAMPLE_BYTES))
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def locked(file: Path, *, shared: bool) -> Iterator[None]:
    """Holds an advisory lock, which the system gives back however the process ends.

    `shared` lets in others that share, as replicas over PostgreSQL do; else this hub is the only one.
    Raises UsageError where another hub holds it.
    """
    try:
        fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be opened: {error.strerror}", hint="see that its folder may be written"
        ) from None
    try:
        take(fd, file, shared=shared)
        with contextlib.suppress(OSError):  # a full disk: the lock holds, the next hub is not told by whom
            os.ftruncate(fd, 0)
            os.write(fd, b"" if shared else f"process {os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        os.close(fd)


def take(fd: int, file: Path, *, shared: bool) -> None:
    """Locks the open file. Raises UsageError where that cannot be."""
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(fd, 200, 0).decode("utf-8", "replace")
        who = f" ({holder})" if holder else ""
        raise UsageError(
            f"another hub{who} uses {file.parent}",
            hint="stop it first, or give this one another --home; replicas share a PostgreSQL (--database)",
        ) from None
    except OSError as error:
        if not shared:
            raise UsageError(
                f"{file} cannot be locked: {error.strerror}",
                hint="SQLite needs a file system with locks; --home DIR names another folder",
            ) from None
