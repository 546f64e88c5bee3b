"""Watches calls of functions: by `sys.monitoring` from Python 3.12 on, before by `sys.setprofile`."""

import os
import sys
import threading
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, Protocol

from lightboard.errors import UsageError
from lightboard.profiling.call_log import CallLog

OWN_FOLDER = os.path.dirname(__file__)

BUSY = "another profiler of Python is active"
BUSY_HINT = "end it first; cProfile is one"


class CallTracer(Protocol):
    """Tells a log about calls from `start` to `stop`."""

    def start(self) -> None:
        """Begin. Raises UsageError if another profiler is active."""

    def stop(self) -> None:
        """End."""


def new_tracer(log: CallLog) -> CallTracer:
    """The tracer for this version of Python."""
    monitoring = getattr(sys, "monitoring", None)
    return ProfileTracer(log) if monitoring is None else MonitoringTracer(log, monitoring)


class CallNames:
    """The indices of the names of what is called. -1 is not recorded: it belongs to this package."""

    def __init__(self, log: CallLog) -> None:
        self._log = log
        self._codes: dict[CodeType, int] = {}
        self._callables: dict[str, int] = {}

    def of_code(self, code: CodeType) -> int:
        """The index of a function: `Model.fit (train.py:12)`."""
        found = self._codes.get(code)
        if found is None:
            path, line = code.co_filename, code.co_firstlineno
            is_own = os.path.dirname(path) == OWN_FOLDER or path.endswith(f"{os.sep}contextlib.py")
            name = f"{code.co_qualname} ({os.path.basename(path)}:{line})"
            found = self._codes[code] = -1 if is_own else self._log.name_index(name)
        return found

    def of_callable(self, called: Any) -> int:
        """The index of a function that is not written in Python: `time.sleep`."""
        name = getattr(called, "__qualname__", None) or type(called).__qualname__
        module = getattr(called, "__module__", None)
        text = f"{module}.{name}" if isinstance(module, str) and module != "builtins" else str(name)
        found = self._callables.get(text)
        if found is None:
            found = self._callables[text] = self._log.name_index(text)
        return found


class ProfileTracer:
    """By `sys.setprofile`: this thread, and those that begin later."""

    def __init__(self, log: CallLog) -> None:
        self._log = log
        self._names = CallNames(log)

    def start(self) -> None:
        """Begin. Raises UsageError if another profiler is active."""
        if sys.getprofile() is not None:
            raise UsageError(BUSY, hint=BUSY_HINT)
        threading.setprofile(self._trace)
        sys.setprofile(self._trace)

    def stop(self) -> None:
        """End. Threads that still run stop at their next call."""
        sys.setprofile(None)
        threading.setprofile(None)
        self._log = CallLog(0)

    def _trace(self, frame: FrameType, event: str, called: Any) -> None:
        log = self._log
        if not log.max_events:
            sys.setprofile(None)
        elif event == "call":
            if (name := self._names.of_code(frame.f_code)) >= 0:
                log.begin(frame, name)
        elif event == "return":
            if self._names.of_code(frame.f_code) >= 0:
                log.end(frame)
        elif event == "c_call":
            if self._names.of_code(frame.f_code) >= 0:
                log.begin(called, self._names.of_callable(called))
        elif self._names.of_code(frame.f_code) >= 0:
            log.end(called)


class MonitoringTracer:
    """By `sys.monitoring`: all threads."""

    def __init__(self, log: CallLog, monitoring: Any) -> None:
        self._log = log
        self._names = CallNames(log)
        self._monitoring = monitoring
        self._id = monitoring.PROFILER_ID

    def start(self) -> None:
        """Begin. Raises UsageError if another profiler is active."""
        monitoring, events = self._monitoring, self._monitoring.events
        try:
            monitoring.use_tool_id(self._id, "lightboard")
        except ValueError:
            raise UsageError(BUSY, hint=BUSY_HINT) from None
        handlers = {
            events.PY_START: self._enter,
            events.PY_RESUME: self._enter,
            events.PY_THROW: self._enter,
            events.PY_RETURN: self._leave,
            events.PY_YIELD: self._leave,
            events.PY_UNWIND: self._leave,
            events.CALL: self._call,
            events.C_RETURN: self._return,
            events.C_RAISE: self._return,
        }
        for event, handler in handlers.items():
            monitoring.register_callback(self._id, event, handler)
        wanted = 0
        for event in handlers:
            if event not in (events.C_RETURN, events.C_RAISE):  # CALL brings them
                wanted |= event
        monitoring.set_events(self._id, wanted)

    def stop(self) -> None:
        """End."""
        self._monitoring.set_events(self._id, 0)
        self._monitoring.free_tool_id(self._id)

    def _enter(self, code: CodeType, *_: Any) -> None:
        if (name := self._names.of_code(code)) >= 0:
            self._log.begin(code, name)

    def _leave(self, code: CodeType, *_: Any) -> None:
        if self._names.of_code(code) >= 0:
            self._log.end(code)

    def _call(self, code: CodeType, _offset: int, called: Any, *_: Any) -> None:
        if not isinstance(called, FunctionType | MethodType) and self._names.of_code(code) >= 0:
            self._log.begin(called, self._names.of_callable(called))

    def _return(self, code: CodeType, _offset: int, called: Any, *_: Any) -> None:
        if self._names.of_code(code) >= 0:
            self._log.end(called)
