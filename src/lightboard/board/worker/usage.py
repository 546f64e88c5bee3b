"""What this process uses, as the operating system counts it."""

import os
import resource
import sys
import time
from pathlib import Path


def memory_bytes() -> int:
    """Bytes of memory that are really there; where the system does not tell, the most that ever were."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return most_memory_bytes()


def most_memory_bytes() -> int:
    """The most that was used since the start."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def cpu_secs() -> float:
    """Seconds of all processors together since the start."""
    return time.process_time()
