"""What tests may not leave behind: processes, mounts, cgroups and temporary files. Linux only."""

import contextlib
import ctypes
import os
import pathlib
import time
from dataclasses import dataclass

from lightboard.hub.runners import process_tree

LASTING_SECS = 5.0


@dataclass(frozen=True)
class SystemState:
    """What tests may not add to."""

    mounts: frozenset[str]
    cgroups: frozenset[str]

    @classmethod
    def now(cls) -> "SystemState":
        """The current mount points and control groups."""
        mounts = {line.split()[1] for line in pathlib.Path("/proc/self/mounts").read_text().splitlines()}
        cgroups = {str(each) for each in pathlib.Path("/sys/fs/cgroup").glob("**/lightboard*") if is_empty(each)}
        return cls(frozenset(mounts), frozenset(cgroups))


def adopt_orphans() -> None:
    """Processes whose parent ends become children of this one, so that it can tell which were left."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def reap_orphans(*kept: int) -> None:
    """Wait for adopted processes that have ended: a test may be waiting for one of them to be gone."""
    with contextlib.suppress(ChildProcessError):  # there is no child at all
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in kept:
                return
            os.waitpid(ended.si_pid, 0)


def find_leftovers(before: SystemState, temporary: pathlib.Path) -> list[str]:
    """Processes, mounts, cgroups and temporary files that no test has taken away."""
    now = SystemState.now()
    left = [f"process {stat.pid}: {command_of(stat.pid)[:150]}" for stat in process_tree.descendants(os.getpid())]
    left += [f"mount {each}" for each in sorted(now.mounts - before.mounts)]
    left += [f"cgroup {each}" for each in sorted(lasting(now.cgroups - before.cgroups))]
    # Names with a dot are those of other programs: locks of PostgreSQL, notes of TensorBoard, profiles of Chromium.
    names = sorted(each.name for each in temporary.iterdir())
    left += [f"temporary file {name}" for name in names if not name.startswith((".", "pytest-of-"))]
    return left


def is_empty(cgroup: pathlib.Path) -> bool:
    """Whether no process is in a group, nor in those below it. Processes that are left are told as such."""
    try:
        return not any(each.read_text() for each in cgroup.glob("**/cgroup.procs"))
    except OSError:  # it was removed meanwhile
        return False


def lasting(cgroups: frozenset[str]) -> frozenset[str]:
    """Those that stay empty for a while: a group of a program beside this one has no process yet, or none any more."""
    deadline = time.monotonic() + LASTING_SECS
    while cgroups and time.monotonic() < deadline:
        time.sleep(LASTING_SECS / 20)
        cgroups = frozenset(each for each in cgroups if pathlib.Path(each).is_dir() and is_empty(pathlib.Path(each)))
    return cgroups


def command_of(pid: int) -> str:
    """The command of a process; empty if it has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def end_descendants() -> None:
    """Kill all processes that this one has started or adopted, until none is left."""
    while left := process_tree.descendants(os.getpid()):
        process_tree.kill([stat.pid for stat in left])
    reap_orphans()
