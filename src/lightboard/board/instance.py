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
from pathlib import Path

from lightboard import __version__
from lightboard.config import BoardSettings


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
    with contextlib.suppress(OSError):
        place = folder()
        place.mkdir(exist_ok=True)
        with contextlib.suppress(OSError):
            place.chmod(0o777)  # all users of the machine list themselves here, as with TensorBoard
        file_of(os.getpid()).write_text(json.dumps(info, indent=4, sort_keys=True) + "\n", encoding="utf-8")


def withdraw_instance() -> None:
    """Removes the file, if there is one."""
    with contextlib.suppress(OSError):
        file_of(os.getpid()).unlink()


def file_of(pid: int) -> Path:
    """The file of one process."""
    return folder() / f"pid-{pid}.info"


def cache_key(working_directory: str, arguments: list[str]) -> str:
    """Equal for equal command lines in one folder, so that a notebook uses a board again."""
    key = {"working_directory": working_directory, "arguments": arguments, "configure_kwargs": {}}
    text = json.dumps(key, sort_keys=True, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()
