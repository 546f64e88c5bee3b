"""The names of the hub's processes, by which they hold leases.

Host, process id, what tells processes of one id apart, and what tells loops of one process apart.
"""

import os
import secrets
import socket

STARTED = secrets.token_hex(4)
"""Tells this process from one that had its id before: in a container the hub has the same at every start."""


def name_of_this() -> str:
    """A fresh name for this process."""
    return f"{socket.gethostname()}/{os.getpid()}/{STARTED}/{secrets.token_hex(4)}"


def is_dead(name: str) -> bool:
    """Whether the process of this name is known to have ended: only such of this machine can be known."""
    host, pid, started, *_ = [*name.split("/"), "", ""]
    if host != socket.gethostname() or not pid.isdigit():
        return False
    if int(pid) == os.getpid():
        return started != STARTED
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
