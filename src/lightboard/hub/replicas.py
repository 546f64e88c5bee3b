"""Names of hub processes, which hold leases.

A name consists of host, process id, a random part per process and a random part per loop.
"""

import os
import secrets
import socket

STARTED = secrets.token_hex(4)
"""Distinguishes processes with the same id: in a container, the hub has the same id after every start."""


def name_of_this() -> str:
    """A new name for this process."""
    return f"{socket.gethostname()}/{os.getpid()}/{STARTED}/{secrets.token_hex(4)}"


def is_dead(name: str) -> bool:
    """Whether the process with this name is known to have ended. Only processes of this machine can be checked."""
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
