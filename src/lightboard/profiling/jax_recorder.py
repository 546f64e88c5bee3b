"""Captures of JAX, by `jax.profiler`."""

import importlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from lightboard.profiling.session_folder import sessions_of


class JaxRecorder:
    """Records with JAX. It names the session itself."""

    def __init__(self, log_dir: Path, **options: Any) -> None:
        self._profiler = importlib.import_module("jax").profiler
        self._log_dir = log_dir
        self._options = options
        self._before: set[Path] = set()

    def start(self) -> None:
        """Begin."""
        self._before = sessions_of(self._log_dir)
        self._profiler.start_trace(str(self._log_dir), **self._options)

    def step(self, number: int) -> AbstractContextManager[Any]:
        """Mark a step, which ends when its results have been asked for: JAX computes in the background."""
        marked: AbstractContextManager[Any] = self._profiler.StepTraceAnnotation("train", step_num=number)
        return marked

    def stop(self) -> Path | None:
        """End, and return the session."""
        self._profiler.stop_trace()
        return max(sessions_of(self._log_dir) - self._before, default=None)
