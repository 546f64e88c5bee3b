"""`capture`: the profiler of a framework, or of Python, with every step marked as that framework marks it."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from lightboard.errors import UsageError
from lightboard.profiling.jax_recorder import JaxRecorder
from lightboard.profiling.python_recorder import PythonRecorder
from lightboard.profiling.session_folder import local_folder
from lightboard.profiling.tensorflow_recorder import TensorflowRecorder
from lightboard.profiling.torch_recorder import TorchRecorder

Framework = Literal["torch", "jax", "tensorflow", "python"]


class Recorder(Protocol):
    """What records with one framework. `step` is entered between `start` and `stop`, which writes the capture."""

    def start(self) -> None:
        """Begin."""

    def step(self, number: int) -> AbstractContextManager[Any]:
        """Mark a step."""

    def stop(self) -> Path | None:
        """End, and return the folder that was written. None if the framework has written nothing."""


RECORDERS: dict[str, type[Any]] = {
    "torch": TorchRecorder,
    "jax": JaxRecorder,
    "tensorflow": TensorflowRecorder,
    "python": PythonRecorder,
}


class Capture:
    """A capture that is being made. `folder` is where it was written, once it has ended."""

    def __init__(self, framework: Framework, recorder: Recorder) -> None:
        self.framework = framework
        self.folder: Path | None = None
        self._recorder = recorder
        self._next = 0

    def step(self, number: int | None = None) -> AbstractContextManager[Any]:
        """Mark what runs within as a step, with this number or the one after that of the last step."""
        number = self._next if number is None else number
        if number < 0:
            raise UsageError(f"{number} is no number of a step", hint="count steps from 0")
        self._next = number + 1
        return self._recorder.step(number)


@contextmanager
def capture(log_dir: str | os.PathLike[str], framework: Framework | None = None, **options: Any) -> Iterator[Capture]:
    """Capture what runs within, into `plugins/profile/<session>` below `log_dir`.

    `framework` is "torch", "jax", "tensorflow" or "python"; without it, the one that has been imported. `options` go to
    `torch.profiler.profile`, `jax.profiler.start_trace` or `tf.profiler.experimental.ProfilerOptions`; of Python,
    `max_events` is how many calls are recorded. What is captured is written also if the program fails within.
    Raises UsageError.
    """
    chosen = framework or imported_framework()
    if chosen not in RECORDERS:
        raise UsageError(f"no framework {chosen!r}", hint=f"it is one of {', '.join(RECORDERS)}")
    recorder: Recorder = RECORDERS[chosen](local_folder(log_dir), **options)
    made = Capture(chosen, recorder)
    recorder.start()
    try:
        yield made
    finally:
        made.folder = recorder.stop()


def imported_framework() -> Framework:
    """The framework that the program has imported, Python if there is none. Raises UsageError if there are several."""
    found: list[Framework] = [each for each in get_args(Framework)[:-1] if each in sys.modules]
    if len(found) > 1:
        names = " and ".join(found)
        raise UsageError(f"{names} are imported", hint=f'say which one to capture: framework="{found[0]}"')
    return found[0] if found else "python"
