"""`lightboard.profiling` with the interface of JAX's profiler, which is not installed for tests.

The session that it writes was recorded with JAX.
"""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from lightboard import profiling
from support.profiles import SESSION, xplane_of


class JaxProfiler:
    """The functions that `jax.profiler` has, with their parameters."""

    def __init__(self) -> None:
        self.calls: list[object] = []

    def start_trace(self, log_dir: str, create_perfetto_trace: bool = False) -> None:
        self.calls.append(("start", log_dir, create_perfetto_trace))
        self._log_dir = Path(log_dir)

    def stop_trace(self) -> None:
        self.calls.append("stop")
        (self._log_dir / SESSION).mkdir(parents=True)
        shutil.copy(xplane_of("jax"), self._log_dir / SESSION)

    @contextmanager
    def StepTraceAnnotation(self, name: str, **kwargs: int) -> Iterator[None]:  # JAX's name
        self.calls.append((name, kwargs))
        yield


def test_steps_are_annotated_and_the_session_is_that_of_jax(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options go to JAX."""
    profiler, jax = JaxProfiler(), ModuleType("jax")
    jax.profiler = profiler  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jax", jax)
    for other in ("torch", "tensorflow"):
        monkeypatch.delitem(sys.modules, other, raising=False)

    with profiling.capture(tmp_path, create_perfetto_trace=True) as capture:
        for number in (3, 4):
            with capture.step(number):
                pass

    assert (capture.framework, capture.folder) == ("jax", tmp_path / SESSION)
    assert profiler.calls == [
        ("start", str(tmp_path), True),
        ("train", {"step_num": 3}),
        ("train", {"step_num": 4}),
        "stop",
    ]
