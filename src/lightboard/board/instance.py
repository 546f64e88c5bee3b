"""Writes TensorBoard's instance file, by which notebooks find running boards.

`<tempdir>/.tensorboard-info/pid-<pid>.info`, JSON with exactly TensorBoard's keys. The file is optional, so all errors
are ignored.
"""

import base64
import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lightboard import __version__
from lightboard.config import BoardSettings

EVERYBODY = 0o1777
"""Mode of the folder, which all users of the machine share. Users cannot remove each other's files."""
READABLE = 0o644


def folder() -> Path:
    """The folder with the instance files of this machine."""
    return Path(tempfile.gettempdir(), ".tensorboard-info")


def write_instance_file(settings: BoardSettings, port: int, words: list[str]) -> None:
    """Write the file. `words` are the command line arguments."""
    info = {
        "version": __version__,
        "start_time": int(time.time()),
        "pid": os.getpid(),
        "port": port,
        "path_prefix": settings.path_prefix,
        "logdir": settings.location,
        "db": "",
        "cache_key": cache_key(os.getcwd(), words),
    }
    with contextlib.suppress(OSError), open_folder() as directory:
        put_file(directory, name_of(os.getpid()), json.dumps(info, indent=4, sort_keys=True) + "\n")


def remove_instance_file() -> None:
    """Remove the file, if it exists."""
    with contextlib.suppress(OSError), open_folder() as directory:
        os.unlink(name_of(os.getpid()), dir_fd=directory)


def name_of(pid: int) -> str:
    """The file name of a process."""
    return f"pid-{pid}.info"


@contextlib.contextmanager
def open_folder() -> Iterator[int]:
    """Open the folder, which is created if missing. Yields its descriptor.

    Raises OSError, also if it is a symlink.
    """
    path = folder()
    with contextlib.suppress(FileExistsError):
        path.mkdir()
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with contextlib.suppress(OSError):  # the folder of another user, who has set the mode
            os.fchmod(descriptor, EVERYBODY)
        yield descriptor
    finally:
        os.close(descriptor)


def put_file(directory: int, name: str, text: str) -> None:
    """Create a file atomically in a folder that others can write to, without following links. Raises OSError.

    It is written next to the folder first, since TensorBoard reads all files in the folder.
    """
    descriptor, temporary = tempfile.mkstemp(prefix=".tensorboard-info-")  # O_EXCL and O_NOFOLLOW
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            os.fchmod(descriptor, READABLE)
        os.rename(temporary, name, dst_dir_fd=directory)
    except BaseException:
        os.unlink(temporary)
        raise


def cache_key(working_directory: str, arguments: list[str]) -> str:
    """Equal for equal command lines in one folder, so that notebooks reuse a board."""
    key = {"working_directory": working_directory, "arguments": arguments, "configure_kwargs": {}}
    text = json.dumps(key, sort_keys=True, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()
