"""Captures of plain Python: calls of functions as a trace in Chrome's format, one track for each thread."""

import gzip
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from lightboard.errors import UsageError
from lightboard.profiling.call_log import CallLog
from lightboard.profiling.call_tracer import new_tracer
from lightboard.profiling.session_folder import make_session_folder, worker_name

MAX_EVENTS = 1_000_000
"""Calls that are recorded: 32 MB of memory, and about 10 MB of a file."""

NOT_RECORDED = "Not recorded: "
"""What the name of an instant begins with that says what is missing in a capture."""


class PythonRecorder:
    """Records what functions call each other. Only this thread is seen, and threads that begin later; from Python 3.12
    on all threads are.
    """

    def __init__(self, log_dir: Path, *, max_events: int = MAX_EVENTS) -> None:
        if max_events < 1:
            raise UsageError(f"max_events is {max_events}", hint="give 1 or more")
        self._log_dir = log_dir
        self._log = CallLog(max_events)
        self._tracer = new_tracer(self._log)
        self._steps: list[tuple[int, int, int, int]] = []
        self._begin_ns = 0

    def start(self) -> None:
        """Begin. Raises UsageError if another profiler is active."""
        self._begin_ns = time.time_ns() - time.perf_counter_ns()
        self._tracer.start()

    @contextmanager
    def _marked(self, number: int) -> Iterator[None]:
        begin = time.perf_counter_ns()
        try:
            yield
        finally:
            self._steps.append((threading.get_ident(), begin, time.perf_counter_ns() - begin, number))

    def step(self, number: int) -> AbstractContextManager[None]:
        """Mark a step."""
        return self._marked(number)

    def stop(self) -> Path:
        """End, and write the capture."""
        self._tracer.stop()
        self._log.close(time.perf_counter_ns())
        folder = make_session_folder(self._log_dir)
        with gzip.open(folder / f"{worker_name(None)}.trace.json.gz", "wt", compresslevel=5, encoding="utf-8") as file:
            file.write(f'{{"baseTimeNanoseconds":{self._begin_ns},"host_name":{json.dumps(socket.gethostname())},')
            file.write('"traceEvents":[\n')
            file.write(",\n".join(map(json.dumps, self._names())))
            for event in self._events():
                file.write(",\n" + json.dumps(event, separators=(",", ":")))
            file.write("\n]}\n")
        return folder

    def _names(self) -> Iterator[dict[str, Any]]:
        """The names of the process and its threads."""
        pid = os.getpid()
        yield {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": "Python"}}
        for thread, name in self._log.thread_names.items():
            yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": thread, "args": {"name": name}}

    def _events(self) -> Iterator[dict[str, Any]]:
        """Steps and calls, and what is missing of them."""
        pid = os.getpid()
        for thread, begin, duration, number in self._steps:
            yield {
                "ph": "X", "name": "step", "cat": "user_annotation", "pid": pid, "tid": thread,
                "ts": begin / 1000, "dur": duration / 1000, "args": {"step_num": number},
            }  # fmt: skip
        for thread, begin, duration, name in self._log.calls():
            yield {"ph": "X", "name": name, "pid": pid, "tid": thread, "ts": begin / 1000, "dur": duration / 1000}
        if self._log.full_ns is not None:
            name = f"{NOT_RECORDED}calls after the first {self._log.max_events:,}; pass a larger max_events"
            thread = threading.get_ident()
            yield {"ph": "i", "s": "g", "name": name, "pid": pid, "tid": thread, "ts": self._log.full_ns / 1000}
