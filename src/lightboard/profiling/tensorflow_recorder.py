"""Captures of TensorFlow and Keras, by `tf.profiler.experimental`."""

import importlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from lightboard.profiling.session_folder import sessions_of


class TensorflowRecorder:
    """Records with TensorFlow. It names the session itself."""

    def __init__(self, log_dir: Path, **options: Any) -> None:
        self._profiler = importlib.import_module("tensorflow").profiler.experimental
        self._log_dir = log_dir
        self._options = options
        self._before: set[Path] = set()

    def start(self) -> None:
        """Begin."""
        self._before = sessions_of(self._log_dir)
        options = self._profiler.ProfilerOptions(**self._options) if self._options else None
        self._profiler.start(str(self._log_dir), options)

    def step(self, number: int) -> AbstractContextManager[Any]:
        """Mark a step. `_r` says that it is one, and not a part of one."""
        marked: AbstractContextManager[Any] = self._profiler.Trace("train", step_num=number, _r=1)
        return marked

    def stop(self) -> Path | None:
        """End, and return the session."""
        self._profiler.stop()
        return max(sessions_of(self._log_dir) - self._before, default=None)
