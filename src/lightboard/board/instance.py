"""Says to other programs that this board runs, in the file and words that TensorBoard's notebooks look for.

`<tempdir>/.tensorboard-info/pid-<pid>.info`, JSON with exactly TensorBoard's keys. A board works without it, so nothing
here may fail.
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
"""All users of the machine list their boards in one folder, as with TensorBoard; none removes those of others."""
READABLE = 0o644


def folder() -> Path:
    """Where all boards of this machine say that they run."""
    return Path(tempfile.gettempdir(), ".tensorboard-info")


def announce_instance(settings: BoardSettings, port: int, words: list[str]) -> None:
    """Writes the file. `words` are the arguments of the command line."""
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
    with contextlib.suppress(OSError), opened_folder() as directory:
        put_file(directory, name_of(os.getpid()), json.dumps(info, indent=4, sort_keys=True) + "\n")


def withdraw_instance() -> None:
    """Removes the file, if there is one."""
    with contextlib.suppress(OSError), opened_folder() as directory:
        os.unlink(name_of(os.getpid()), dir_fd=directory)


def name_of(pid: int) -> str:
    """The file of one process."""
    return f"pid-{pid}.info"


@contextlib.contextmanager
def opened_folder() -> Iterator[int]:
    """A descriptor of the folder, made if need be. Raises OSError, also where somebody has put a link in its place."""
    place = folder()
    with contextlib.suppress(FileExistsError):
        place.mkdir()
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with contextlib.suppress(OSError):  # of another user, who has opened it to all already
            os.fchmod(descriptor, EVERYBODY)
        yield descriptor
    finally:
        os.close(descriptor)


def put_file(directory: int, name: str, text: str) -> None:
    """Puts a whole file into an open folder that others may write as well: nothing in it is followed or written to.

    It is written beside the folder, since TensorBoard reads all files in it. Raises OSError.
    """
    descriptor, fresh = tempfile.mkstemp(prefix=".tensorboard-info-")  # O_EXCL and O_NOFOLLOW
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            os.fchmod(descriptor, READABLE)
        os.rename(fresh, name, dst_dir_fd=directory)
    except BaseException:
        os.unlink(fresh)
        raise


def cache_key(working_directory: str, arguments: list[str]) -> str:
    """Equal for equal command lines in one folder, so that a notebook uses a board again."""
    key = {"working_directory": working_directory, "arguments": arguments, "configure_kwargs": {}}
    text = json.dumps(key, sort_keys=True, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()
