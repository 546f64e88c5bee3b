"""Sandboxes of this machine, and commands in them."""

import functools
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from lightboard.hub.resources.replicas import ReplicaPhase, ReplicaState
from lightboard.hub.runners.base import VolumeMount, WorkloadSpec
from lightboard.hub.runners.command_process import start
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.replica_folder import ReplicaSpec
from lightboard.hub.runners.sandbox import PROGRAM, Sandbox, find_sandbox
from lightboard.testing.runners import submit, wait_for_phase


def working_sandbox(folder: Path, readable: Sequence[str] = (), max_pids: int | None = None) -> Sandbox:
    """A sandbox. Skips the test if the machine allows none, which containers often do not."""
    if problem := problem_of_sandboxes():
        pytest.skip(f"no sandbox here: {problem}")
    program = shutil.which(PROGRAM)
    assert program is not None
    return Sandbox(program, folder, readable, max_pids)


@functools.cache
def problem_of_sandboxes() -> str:
    """Why this machine allows none, "" if it does. That is tried once, since it runs a command in one."""
    with tempfile.TemporaryDirectory() as folder:
        return find_sandbox(Path(folder))[1]


def workload(folder: Path, *command: str, volumes: tuple[VolumeMount, ...] = ()) -> WorkloadSpec:
    """A workload with a folder to write to, a home and a temporary folder, which are created below `folder`."""
    for name in ("code", "home", "tmp/0"):
        (folder / name).mkdir(parents=True)
    code, home = str(folder / "code"), str(folder / "home")
    return WorkloadSpec(
        id="job-1", attempt=1, command=command, working_dir=code, writable=(code, home), home=home,
        temporary=str(folder / "tmp"), volumes=volumes,
    )  # fmt: skip


def run(runner: LocalRunner, spec: WorkloadSpec) -> tuple[ReplicaState, list[str]]:
    """How a workload has ended, and what it has printed."""
    handle = submit(runner, spec)
    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
    return state, [line.text for line in runner.read_log(handle, 0).lines]


def prepared(sandbox: Sandbox, spec: WorkloadSpec) -> ReplicaSpec:
    """What a supervisor would run. The sandbox knows its folders, so whatever happens to them now must not matter."""
    sandbox.prepare(spec)
    return ReplicaSpec(
        command=spec.command, working_dir=spec.working_dir, environment={}, memory_bytes=None, mark="m",
        sandbox=sandbox.spec_of(spec),
    )  # fmt: skip


def problem_of_start(spec: ReplicaSpec, words: str) -> str:
    """The file that keeps a replica from being started, because of what `words` says."""
    with pytest.raises(OSError, match=words) as raised:
        start(spec, 1)
    return str(raised.value.filename)
