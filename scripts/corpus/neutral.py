"""A fixed clock, host name and process id for all writers of the corpus.

Logs must not reveal which machine wrote them, and running a script again should write the same bytes. Writers import
this module first: it replaces the time, host name, process id and working folder that they read from the system. It has
no effect on TensorFlow's C++ writer, whose files contain the real time and are only renamed later (see `finish.py`).
"""

import os
import random
import socket
import threading
import time
from pathlib import Path

ROOT = Path(os.environ.get("CORPUS_ROOT", "/srv/runs"))
HOST = "trainer"
START = 1_790_000_000.0
TICK = 0.125  # a power of two, so that sums are exact

_main = threading.main_thread()
_now = START


def _clock() -> float:
    """The clock. Only calls of the main thread advance it, so that threads of writers do not affect the result."""
    global _now
    if threading.current_thread() is _main:
        _now += TICK
    return _now


def set_clock(seconds: float) -> None:
    """Set the clock to `seconds` after the start of the corpus."""
    global _now
    _now = START + seconds


def folder(name: str) -> Path:
    """Create the log directory of one writer and make it the working folder, so that relative paths are neutral."""
    path = ROOT / name
    path.mkdir(parents=True, exist_ok=False)
    os.chdir(path)
    return path


def _install() -> None:
    time.time = _clock
    socket.gethostname = lambda: HOST
    os.getpid = lambda: 4242
    os.environ.update(HOME=str(ROOT / ".home"), USER=HOST, LOGNAME=HOST)
    random.seed(20)


_install()
