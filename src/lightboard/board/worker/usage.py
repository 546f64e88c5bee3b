"""Memory and CPU time of this process."""

import os
import resource
import sys
import time
from pathlib import Path


def memory_bytes() -> int:
    """Resident memory in bytes; its maximum on systems without /proc."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return peak_memory_bytes()


def peak_memory_bytes() -> int:
    """The maximum resident memory since the start."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def cpu_secs() -> float:
    """CPU seconds of all threads since the start."""
    return time.process_time()
