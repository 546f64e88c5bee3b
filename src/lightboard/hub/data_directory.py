"""The data directory: created private, refused if other users can read it, and locked while the hub runs."""

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

SUBDIRECTORIES = (
    "storage", "jobs", "environments", "runner", "source_code", "sandbox", "overlays", "credentials", "workers",
)  # fmt: skip
DATABASE = "hub.sqlite3"
STORAGE, JOBS, ENVIRONMENTS = "storage", "jobs", "environments"
"""Jobs write below the first two with permissions of their choice, and read the third as whatever user they have. The
directories themselves control access."""
RUNNER, SOURCE_CODE, SANDBOX = "runner", "source_code", "sandbox"
LOCK = "lock"
OTHERS = 0o077
"""The permissions of everybody but the hub's own user."""
PASS = 0o010
"""What jobs need that run as users of their own: their group may pass a directory, whose names it cannot read."""
SAMPLE_BYTES = 4096
SQLITE_SUFFIXES = ("", "-wal", "-shm", "-log_buffer")


def create(home: str) -> Path:
    """Creates `<home>/hub` with its subdirectories, readable only for the hub's user. Raises UsageError."""
    if not home:
        raise UsageError("the hub has no data folder", hint="use --home DIR, or set LIGHTBOARD_HOME")
    directory = Path(home) / "hub"
    try:
        for name in SUBDIRECTORIES:
            create_private(str(directory / name))
    except OSError as error:
        raise UsageError(
            f"the hub cannot store its data in {directory}: {error.strerror}", hint="use another folder with --home DIR"
        ) from None
    return directory


@contextlib.contextmanager
def opened(directory: Path, sqlite: str) -> Iterator[None]:
    """Locks the directory and checks its permissions. `sqlite` is the database file, "" for PostgreSQL.

    With SQLite, no other hub can use the directory or the database. Raises UsageError.
    """
    with contextlib.ExitStack() as locks:
        locks.enter_context(locked(directory / LOCK, shared=not sqlite))
        if sqlite and Path(sqlite) != directory / DATABASE:
            locks.enter_context(locked(Path(f"{sqlite}.lock"), shared=False))
        check_private(directory, sqlite)
        yield


def check_private(directory: Path, sqlite: str = "") -> None:
    """Raises UsageError, with a command that fixes it, if other users can read or write the hub's files.

    `sqlite` is the database file, "" for none.
    """
    modes = {path: mode_of(path) for path in (*files_of(directory), *database_files(sqlite))}
    passable = {directory, *(directory / name for name in (STORAGE, JOBS, ENVIRONMENTS))}
    loose = [path for path, mode in modes.items() if mode & OTHERS & ~(PASS if path in passable else 0)]
    if loose:
        first, more = loose[0], f", and {len(loose) - 1} more" if len(loose) > 1 else ""
        raise UsageError(
            f"{first} (mode {modes[first]:04o}) is open to other users{more}", hint=chmod_command(directory, loose)
        )


def database_files(sqlite: str) -> list[Path]:
    """The files of an SQLite database, whether or not they exist; none for ""."""
    return [Path(sqlite + suffix) for suffix in SQLITE_SUFFIXES] if sqlite else []


def files_of(directory: Path) -> Iterator[Path]:
    """The directory and everything in it except what jobs may have written or may read."""
    yield directory
    for path in sorted(directory.iterdir()):
        yield path
        if path.is_dir() and path.name not in (STORAGE, JOBS, ENVIRONMENTS):
            for folder, names, files in os.walk(path):
                yield from (Path(folder, name) for name in sorted(names + files))


def mode_of(path: Path) -> int:
    """The permissions of a file, or of the target of a link; 0 if it does not exist."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0


def chmod_command(directory: Path, loose: Iterable[Path]) -> str:
    """A shell command that removes the permissions, for whole subdirectories if files in them are affected."""
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
    """Raises OSError unless a file can be written in the directory."""
    with tempfile.TemporaryFile(dir=directory) as file:
        file.write(bytes(SAMPLE_BYTES))
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def locked(file: Path, *, shared: bool) -> Iterator[None]:
    """Holds an advisory lock, which the system releases when the process ends.

    `shared` allows other shared locks, as for replicas with PostgreSQL. Raises UsageError if another hub holds the
    lock.
    """
    try:
        fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be opened: {error.strerror}", hint="check that its folder is writable"
        ) from None
    try:
        acquire_lock(fd, file, shared=shared)
        with contextlib.suppress(OSError):  # on a full disk the lock works, but its holder is not shown
            os.ftruncate(fd, 0)
            os.write(fd, b"" if shared else f"process {os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        os.close(fd)


def acquire_lock(fd: int, file: Path, *, shared: bool) -> None:
    """Locks the open file. Raises UsageError if it is locked."""
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(fd, 200, 0).decode("utf-8", "replace")
        suffix = f" ({holder})" if holder else ""
        raise UsageError(
            f"another hub{suffix} uses {file.parent}",
            hint="stop it first, or use another --home; replicas need PostgreSQL (--database)",
        ) from None
    except OSError as error:
        if not shared:
            raise UsageError(
                f"{file} cannot be locked: {error.strerror}",
                hint="SQLite needs a file system with locks; use another folder with --home DIR",
            ) from None
