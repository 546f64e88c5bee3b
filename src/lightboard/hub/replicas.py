"""The names of the hub's processes, by which they hold leases: host, process id, and what tells two of these apart."""

import os
import secrets
import socket


def name_of_this() -> str:
    """A fresh name for this process."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


def is_dead(name: str) -> bool:
    """Whether the process of this name is known to have ended: only such of this machine can be known."""
    host, _, rest = name.partition("/")
    pid = rest.partition("/")[0]
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
