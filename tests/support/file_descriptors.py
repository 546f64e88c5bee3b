"""Processes without free file descriptors."""

import contextlib
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager

from support.board_process import LightboardProcess

STANDARD_STREAMS = 3
"""How many descriptors every process has: input, output and errors."""


@contextlib.contextmanager
def no_descriptors_left() -> Iterator[None]:
    """No file can be opened by this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def set_descriptor_limit(running: LightboardProcess, soft: int) -> int:
    """Set the limit of a process and return the previous one."""
    before, hard = resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
    return before


def accepts_requests(running: LightboardProcess) -> bool:
    """Whether a new connection gets a response."""
    try:
        with running.connect() as client:
            client.sendall(b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return client.recv(12) == b"HTTP/1.1 200"
    except OSError:
        return False


@contextmanager
def descriptors_used_up(running: LightboardProcess) -> Iterator[int]:
    """Let a process open no more descriptors, and keep those it has; yields the limit.

    The limit is on the numbers of descriptors. Below this one there are only the standard streams, so no descriptor
    that the process closes meanwhile can be used again.
    """
    before = set_descriptor_limit(running, STANDARD_STREAMS)
    try:
        yield STANDARD_STREAMS
    finally:
        set_descriptor_limit(running, before)
