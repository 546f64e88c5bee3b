"""Finds the process that listens on a port, for error messages. Linux only; elsewhere it finds nothing."""

import os
from pathlib import Path

LISTENING = "0A"


def owner_of(port: int) -> str:
    """` by python (process 123: lightboard --logdir ...)`, or "" if it is unknown."""
    inodes = listening_inodes(port)
    if not inodes:
        return ""
    for process in filter(str.isdigit, os.listdir("/proc")):
        if owns(process, inodes):
            return f" by process {process} ({command_of(process)})"
    return " by a process of another user"


def listening_inodes(port: int) -> set[str]:
    """Inodes of sockets that listen on `port`, on any address."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(fields[9])
    return inodes


def owns(process: str, inodes: set[str]) -> bool:
    """Whether the process has one of these sockets open."""
    folder = f"/proc/{process}/fd"
    try:
        for name in os.listdir(folder):
            target = os.readlink(f"{folder}/{name}")
            if target.startswith("socket:[") and target[8:-1] in inodes:
                return True
    except OSError:
        pass  # it has ended, or belongs to another user
    return False


def command_of(process: str) -> str:
    """The command line, truncated to 100 characters."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return "unknown"
    return " ".join(filter(None, words))[:100] or "unknown"
