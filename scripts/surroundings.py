"""What tests may not leave behind: processes, mounts, cgroups and temporary files."""

import contextlib
import ctypes
import os
import pathlib
import signal
from dataclasses import dataclass


@dataclass(frozen=True)
class Surroundings:
    """What tests may not add to."""

    mounts: frozenset[str]
    cgroups: frozenset[str]

    @classmethod
    def now(cls) -> "Surroundings":
        """Empty where the system tells nothing."""
        with contextlib.suppress(OSError):
            mounts = {line.split()[1] for line in pathlib.Path("/proc/self/mounts").read_text().splitlines()}
            cgroups = {str(each) for each in pathlib.Path("/sys/fs/cgroup").glob("**/lightboard*")}
            return cls(frozenset(mounts), frozenset(cgroups))
        return cls(frozenset(), frozenset())


def adopt_orphans() -> None:
    """Processes whose parent ends become children of this one, so that it can tell which were left."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def reap_orphans(*kept: int) -> None:
    """Wait for adopted processes that have ended: a test may be waiting for one of them to be gone."""
    for pid in children():
        if pid not in kept:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def left_behind(before: Surroundings, temporary: pathlib.Path) -> list[str]:
    """Processes, mounts, cgroups and temporary files that no test has taken away; ends the processes."""
    left = []
    for pid in children():
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if status != "Z":
                left.append(f"process {pid}: {words.strip()[:150]}")
                os.kill(pid, signal.SIGKILL)
    now = Surroundings.now()
    left += [f"mount {each}" for each in sorted(now.mounts - before.mounts)]
    left += [f"cgroup {each}" for each in sorted(now.cgroups - before.cgroups)]
    # Names with a dot are those of other programs: locks of PostgreSQL, notes of TensorBoard, profiles of Chromium.
    names = sorted(each.name for each in temporary.iterdir())
    left += [f"temporary file {name}" for name in names if not name.startswith((".", "pytest-of-"))]
    return left


def children() -> list[int]:
    """Process ids, orphans of the tests included."""
    folder = pathlib.Path(f"/proc/{os.getpid()}/task")
    return sorted({int(pid) for each in folder.glob("*/children") for pid in each.read_text().split()})
