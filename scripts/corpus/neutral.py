"""One clock, one host, one process for every writer of the corpus.

A log should not tell which machine wrote it, and a second run of the same script should write the same
bytes. Importing this module first fixes what the writers ask the system for: time, host name, process id,
working folder. It cannot reach into TensorFlow's C++ writer, whose files carry the true time and are only
renamed afterwards (see `finish.py`).
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
TICK = 0.125  # a power of two: sums stay exact

_main = threading.main_thread()
_now = START


def _clock() -> float:
    """Time moves only when the main thread asks, so that writer threads cannot change the outcome."""
    global _now
    if threading.current_thread() is _main:
        _now += TICK
    return _now


def set_clock(seconds: float) -> None:
    """Sets the clock to `seconds` after the corpus' start."""
    global _now
    _now = START + seconds


def folder(name: str) -> Path:
    """The log directory of one writer, made and entered so that relative paths stay neutral."""
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
