"""Writes down each test as it starts and ends, for `scripts/run_tests.py`; says at once which one failed, and why.

A pytest plugin. Each process of the run appends to a file of its own in the folder that $LIGHTBOARD_TEST_JOURNAL names.
"""

import json
import os
import pathlib
from typing import Any

import pytest

VARIABLE = "LIGHTBOARD_TEST_JOURNAL"


class Journal:
    """One JSON object per line: `{"test": id}` when it starts, with `when`, `outcome` and `secs` after each phase."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._file = (folder / f"{os.getpid()}.jsonl").open("a", buffering=1)

    @pytest.hookimpl
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Called in the process that runs the test."""
        self._write(test=nodeid)

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Set-up, call and tear-down each have a report."""
        self._write(test=report.nodeid, when=report.when, outcome=report.outcome, secs=round(report.duration, 3))

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Files that cannot be imported have no tests."""
        if report.failed:
            self._write(test=report.nodeid, when="collect", outcome="failed", secs=0)

    def _write(self, **line: Any) -> None:
        self._file.write(json.dumps(line) + "\n")


class FailureLines:
    """Prints a line for each failure when it happens; the tracebacks follow at the end as usual."""

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called in the process that prints."""
        if report.failed:
            phase = "" if report.when == "call" else f" in {report.when}"
            if self._terminal._tw.width_of_current_line:  # dots
                self._terminal.write_line("")
            self._terminal.write_line(f"FAILED {report.nodeid}{phase} - {cause(report)}", red=True)


def cause(report: pytest.TestReport) -> str:
    """The last line of the error, or what there is of it."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return (text.strip().splitlines() or ["no cause is known"])[0][:300]


def register(config: pytest.Config) -> None:
    """Call from `pytest_configure`."""
    folder = os.environ.get(VARIABLE)
    runs_tests = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if folder and runs_tests:
        config.pluginmanager.register(Journal(pathlib.Path(folder)), "journal")
        del os.environ[VARIABLE]  # a test may run pytest, too
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal and not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailureLines(terminal), "failure-lines")
