"""Captures of PyTorch, by `torch.profiler`: those of `capture`, and the handler of a profiler with a schedule."""

import importlib
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from lightboard.profiling.session_folder import (
    PLUGIN_FOLDER,
    local_folder,
    make_session_folder,
    new_session,
    worker_name,
)

STEP = "ProfilerStep#"
"""How PyTorch names steps."""

OPTIONS = {"record_shapes": True, "profile_memory": True, "with_stack": True, "with_modules": True}
"""What makes shapes, memory and scopes visible. Stacks slow small operators down; `with_stack=False` helps."""

_captures: dict[tuple[int, Path], int] = {}
"""How many captures a rank has written into each log directory."""


class TorchRecorder:
    """Records with PyTorch.

    Steps are ranges with the names that PyTorch gives them itself. Its own begin with one call of `step()` and end with
    the next, so that they include what runs between steps and are counted from the beginning of the profiler.
    """

    def __init__(self, log_dir: Path, **options: Any) -> None:
        self._torch = importlib.import_module("torch")
        self._log_dir = log_dir
        self._profiler = self._torch.profiler.profile(**{**OPTIONS, **options})

    def start(self) -> None:
        """Begin."""
        self._profiler.start()

    def step(self, number: int) -> AbstractContextManager[Any]:
        """Mark a step."""
        marked: AbstractContextManager[Any] = self._torch.profiler.record_function(f"{STEP}{number}")
        return marked

    def stop(self) -> Path:
        """End, and write the capture."""
        self._profiler.stop()
        return write_trace(self._profiler, self._log_dir)


def on_trace_ready(log_dir: str | os.PathLike[str]) -> Callable[[Any], None]:
    """A handler for `torch.profiler.profile(on_trace_ready=…)`, which writes each capture of the schedule as a session.

    The ranks of a program write into the same session. Raises UsageError.
    """
    folder = local_folder(log_dir)

    def write(profiler: Any) -> None:
        write_trace(profiler, folder)

    return write


def write_trace(profiler: Any, log_dir: Path) -> Path:
    """Write what a profiler has recorded, and return the folder."""
    rank, session = shared_session(log_dir)
    if session is None:
        folder = make_session_folder(log_dir)
    else:
        folder = log_dir / PLUGIN_FOLDER / session
        folder.mkdir(parents=True, exist_ok=True)
    profiler.export_chrome_trace(str(folder / f"{worker_name(rank)}.{time.time_ns()}.pt.trace.json.gz"))
    return folder


def shared_session(log_dir: Path) -> tuple[int | None, str | None]:
    """The rank of this process, and the session of its next capture; None if there is one process only.

    The first rank to ask names the session in the store of the process group. Nobody waits for anybody, so it is no
    fault if only some ranks capture.
    """
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None, None
    if distributed.get_world_size() == 1:
        return distributed.get_rank(), None
    rank = distributed.get_rank()
    number = _captures[rank, log_dir] = _captures.get((rank, log_dir), 0) + 1
    store = distributed.distributed_c10d._get_default_store()
    key, mine = f"lightboard/profile/{log_dir}/{number}", f"{new_session()}_{number}"
    store.compare_set(key, "", mine)
    return rank, store.get(key).decode()
