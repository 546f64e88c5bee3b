"""Which process an id means: on which machine, and when it was started, which tells it from a later one."""

import os
import socket
import subprocess

PROC = "/proc"
ENDED = "Z"
"""State of a process that has ended and whose parent does not know yet."""


def machine_name() -> str:
    """The name of this machine, with the number of its namespace of process ids: containers may share the name."""
    try:
        namespace = os.readlink(f"{PROC}/self/ns/pid")  # pid:[4026531836]
    except OSError:
        return socket.gethostname()
    return f"{socket.gethostname()}-{namespace.partition('[')[2].rstrip(']')}"


def process_start(pid: int) -> str:
    """A text that no other process with this id has; "" if there is no such process, or it has ended."""
    if os.path.isdir(f"{PROC}/self"):
        return from_proc(pid)
    return from_ps(pid)


def from_proc(pid: int) -> str:
    """From `/proc` (proc(5)): the clock ticks between the start of the system and that of the process."""
    try:
        with open(f"{PROC}/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return ""
    # The name, in parentheses, may contain anything.
    fields = text[text.rindex(b")") + 2 :].decode().split()
    return "" if fields[0] == ENDED else fields[19]


def from_ps(pid: int) -> str:
    """From `ps`, on systems without `/proc`: date and time of the start."""
    command = ["ps", "-o", "state=,lstart=", "-p", str(pid)]
    words = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()  # noqa: S603  # a number
    return "" if not words or words[0].startswith(ENDED) else " ".join(words[1:])
