"""Processes that may open no further file, for tests."""

import contextlib
import os
import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from running import Running


@contextlib.contextmanager
def without_descriptors() -> Iterator[None]:
    """No file can be opened: the process has all that it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def limit(running: Running, soft: int) -> int:
    """Sets how many descriptors the process may have; how many that were before."""
    before, hard = resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
    return before


def answers(running: Running) -> bool:
    """Whether a new connection is answered."""
    try:
        with running.connect() as client:
            client.sendall(b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return client.recv(12) == b"HTTP/1.1 200"
    except OSError:
        return False


@contextmanager
def used_up(running: Running) -> Iterator[int]:
    """With all descriptors taken by connections; gives how many there are."""
    highest = max(int(name) for name in os.listdir(f"/proc/{running.process.pid}/fd"))
    before = limit(running, highest + 1)
    with ExitStack() as held:
        held.callback(limit, running, before)
        while answers(running):
            held.enter_context(running.connect())
        yield highest + 1
