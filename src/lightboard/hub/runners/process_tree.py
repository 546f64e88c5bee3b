"""Processes of this machine, from `/proc` (proc(5)). Linux only."""

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

TICKS_PER_SEC = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
ZOMBIE = "Z"
MAX_SWEEPS = 1_000
"""Over children in a call of `kill_descendants`, of which each takes less time than starting another process."""

libc = ctypes.CDLL(None)


@dataclass(frozen=True)
class ProcessStat:
    """One process. `cpu_secs` includes its children that have ended."""

    pid: int
    parent: int
    state: str
    cpu_secs: float
    memory_bytes: int


def read_stat(pid: int) -> ProcessStat | None:
    """The process with this id, None if there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    # The name, in parentheses, may contain anything.
    fields = text[text.rindex(b")") + 2 :].split()
    ticks = sum(map(int, fields[11:15]))
    return ProcessStat(
        pid=pid,
        parent=int(fields[1]),
        state=fields[0].decode(),
        cpu_secs=ticks / TICKS_PER_SEC,
        memory_bytes=int(fields[21]) * PAGE_BYTES,
    )


def pids() -> Iterator[int]:
    """The ids of all processes."""
    return (int(name) for name in os.listdir("/proc") if name.isdecimal())


def descendants(root: int) -> list[ProcessStat]:
    """The living children of a process, their children and so on."""
    children: dict[int, list[ProcessStat]] = {}
    for stat in map(read_stat, pids()):
        if stat is not None:
            children.setdefault(stat.parent, []).append(stat)
    found: list[ProcessStat] = []
    parents = [root]
    while parents:
        stats = children.get(parents.pop(), [])
        found += [stat for stat in stats if stat.state != ZOMBIE]
        parents += [stat.pid for stat in stats]
    return found


def children(parent: int) -> set[int]:
    """The ids of the children of the one thread of a process, also those that have ended and were not waited for.

    They are found a hundred times as fast as descendants are. None where the kernel does not list them.
    """
    try:
        with open(f"/proc/{parent}/task/{parent}/children", "rb") as file:
            return set(map(int, file.read().split()))
    except OSError:
        return set()


def with_variable(variable: str) -> list[int]:
    """The ids of the processes that were started with `variable` (`NAME=value`) in their environment.

    Only those whose environment this user may read, which are all for root, and else its own.
    """
    wanted = variable.encode()
    found = []
    for pid in pids():
        with contextlib.suppress(OSError), as_owner_of(pid), open(f"/proc/{pid}/environ", "rb") as file:
            if wanted in file.read().split(b"\0"):
                found.append(pid)
    return found


@contextlib.contextmanager
def as_owner_of(pid: int) -> Iterator[None]:
    """Reads files of a process as its own user does, if this one is root, in this thread alone. Raises OSError.

    Some files in /proc are closed even to root where it lacks CAP_SYS_PTRACE, as it does in most containers (proc(5)).
    """
    if os.geteuid() != 0:
        yield
        return
    owner = os.stat(f"/proc/{pid}")
    try:
        libc.setfsgid(owner.st_gid)
        libc.setfsuid(owner.st_uid)
        yield
    finally:
        libc.setfsuid(0)
        libc.setfsgid(os.getegid())


def reap(on_end: Callable[[int, int], None] | None = None) -> bool:
    """Collects children that have ended, also those that lost their parent; whether there are others.

    `on_end` gets the id of each and its status of wait(2). The kernel knows of the others for certain, while /proc can
    show none of the processes that start each other quickly.
    """
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if on_end is not None:
                on_end(*ended)
        return True
    return False


def kill(targets: Iterable[int]) -> None:
    """Kills processes. Those that have ended already, or that belong to another user by now, are no error."""
    for pid in targets:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def kill_descendants() -> None:
    """Kills all processes that this one, the reaper of orphans among them, has started, directly or not.

    A process can be quick enough to start another one and end before it is killed. The other becomes a child of this
    one, so children are killed as long as there are new ones. Some may be left: call it until there is no child.
    """
    killed: set[int] = set()
    for _ in range(MAX_SWEEPS):
        new = children(os.getpid()) - killed
        if not new:
            break
        kill(new)
        killed |= new
    kill(stat.pid for stat in descendants(os.getpid()))
