"""Fails a test that leaves something in its process: threads, child processes, an event loop, variables, a folder.

A pytest plugin. What fixtures of a file or of the whole run start may stay until they end.
"""

import asyncio
import os
import pathlib
import threading
import time
from collections.abc import Generator
from typing import Any

import pytest

from lightboard.hub.runners import process_tree
from support.fork_server import SERVER, child_pids

GRACE_SECS = 10.0
"""How long what is about to end may take."""
OWN_VARIABLES = {"PYTEST_CURRENT_TEST", "COLUMNS", "LINES"}


def find_leftovers() -> set[str]:
    """What could be left, in words that are the same as long as it is there."""
    own, loop = threading.current_thread(), asyncio._get_running_loop()
    threads = [each for each in threading.enumerate() if each is not own]
    if loop is not None:  # its own threads come and go with it
        threads = [each for each in threads if not each.name.startswith("asyncio_")]
    found = {f"thread {each.name} ({each.ident})" for each in threads}
    found |= {f"process {pid}" for pid in running_children() - SERVER.strangers if pid != SERVER.pid}
    found |= {f"variable {name}={value}" for name, value in os.environ.items() if name not in OWN_VARIABLES}
    found.add(f"working directory {working_directory()}")
    if loop is not None:
        found.add("running event loop")
    return found


def running_children() -> set[int]:
    """Process ids of those that run."""
    stats = {pid: process_tree.read_stat(pid) for pid in child_pids()}
    return {pid for pid, stat in stats.items() if stat is not None and stat.state != process_tree.ZOMBIE}


def command_of(leftover: str) -> str:
    """The same; for a process with its command."""
    kind, _, pid = leftover.partition(" ")
    try:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") if kind == "process" else []
    except OSError:
        words = []
    return " ".join([leftover, *(word.decode(errors="replace") for word in words)]).strip()[:200]


def working_directory() -> str:
    """One that was deleted has no name."""
    try:
        return str(pathlib.Path.cwd())
    except FileNotFoundError:
        return "deleted"


class LeftoverCheck:
    """Compares before and after each test."""

    def __init__(self) -> None:
        self._allowed = find_leftovers()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """What outlives a test is allowed if its fixture does."""
        if fixturedef.scope == "function":
            return (yield)
        before = find_leftovers()
        try:
            return (yield)
        finally:
            self._allowed |= find_leftovers() - before

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, object, object]:
        """After all that the test asked for has ended."""
        result = yield
        end = time.monotonic() + GRACE_SECS
        while left := find_leftovers() - self._allowed:
            if time.monotonic() > end:
                self._allowed |= left
                pytest.fail(f"{item.nodeid} leaves behind: " + "; ".join(map(command_of, sorted(left))), pytrace=False)
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and f"thread {thread.name} ({thread.ident})" in left:
                    thread.join(0.05)
            time.sleep(0.005)
        return result
