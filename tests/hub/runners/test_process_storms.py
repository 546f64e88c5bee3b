"""Programs that start processes faster than anybody can list them, or that do not want to end."""

import fcntl
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lightboard.hub.resources.replicas import STOPPED, ReplicaPhase, ReplicaState
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.local import LocalRunner
from lightboard.testing.runners import submit, wait_for, wait_for_phase
from support.control_groups import working_control_groups
from support.sandboxes import working_sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")
HOLD = """
import fcntl, os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.umask(0)
fcntl.flock(os.open("held", os.O_RDWR | os.O_CREAT, 0o666), fcntl.LOCK_EX)
until = time.monotonic() + 60
"""
"""All processes keep a lock of a file, which is free only when the last one has ended. Nothing lasts for ever."""
CHAINS = """
for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        while time.monotonic() < until:
            if os.fork():
                os._exit(0)
        os._exit(0)
"""
"""Each of 8 processes starts another one and ends, and so on: any list of them is out of date when it is complete."""
MANY = """
for _ in range(300):
    if os.fork() == 0:
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(60)
        os._exit(0)
"""
"""300 processes that have left the session and the process group, and have no parent any more."""
STAY = """
print("started", flush=True)
time.sleep(60)
"""


@pytest.fixture(params=["watched", "sandbox", "control group"])
def runner(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LocalRunner]:
    """A runner with each of the ways to end processes, whose workload is ended."""
    sandbox = working_sandbox(tmp_path / "sandbox") if request.param == "sandbox" else None
    groups = working_control_groups() if request.param == "control group" else None
    runner = LocalRunner(tmp_path / "work", sandbox=sandbox, control_groups=groups)
    yield runner
    runner.delete(json.dumps({"id": "job-1", "attempt": 1, "replicas": 1}))
    runner.close()


def program(tmp_path: Path, *parts: str) -> WorkloadSpec:
    """A workload that runs a program in a folder of its own."""
    folder = tmp_path / "code"
    folder.mkdir()
    return WorkloadSpec(
        id="job-1", attempt=1, command=(sys.executable, "-S", "-c", "".join(parts)), working_dir=str(folder),
        writable=(str(folder),),
    )  # fmt: skip


def started(runner: LocalRunner, spec: WorkloadSpec) -> str:
    """The handle of a workload that has printed its first line."""
    handle = submit(runner, spec)
    wait_for(lambda: runner.read_log(handle, 0).lines)
    return handle


def is_free(path: Path) -> bool:
    """Whether no process has the lock of a file."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def how(state: ReplicaState) -> tuple[int | None, int | None, str]:
    """How a replica has ended."""
    return state.exit_code, state.signal, state.reason


@pytest.mark.parametrize("storm", [CHAINS, MANY], ids=["chains", "many"])
def test_nothing_is_left_of_a_storm_that_is_stopped(runner: LocalRunner, tmp_path: Path, storm: str) -> None:
    """When its end is told, its last process has ended."""
    handle = started(runner, program(tmp_path, HOLD, storm, STAY))
    before = is_free(tmp_path / "code" / "held")
    runner.stop(handle, 0.0)
    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert (before, is_free(tmp_path / "code" / "held")) == (False, True)
    assert how(state) == (None, signal.SIGKILL, STOPPED)


@pytest.mark.parametrize("storm", [CHAINS, MANY], ids=["chains", "many"])
def test_nothing_is_left_of_a_storm_whose_first_process_has_ended(
    runner: LocalRunner, tmp_path: Path, storm: str
) -> None:
    """That it left others behind is no failure of the command."""
    handle = submit(runner, program(tmp_path, HOLD, storm))
    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert is_free(tmp_path / "code" / "held")
    assert how(state) == (0, None, "")


BUILT = """
import ctypes
from lightboard.hub.environment_build import PR_SET_CHILD_SUBREAPER, kill_children
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
"""


@pytest.mark.parametrize("storm", [CHAINS, MANY], ids=["chains", "many"])
def test_nothing_is_left_of_a_storm_in_the_build_of_an_environment(tmp_path: Path, storm: str) -> None:
    """What a package starts while it is installed ends with the build, and not when it likes to."""
    build = "".join([BUILT, HOLD, storm, "kill_children()\nsys.exit(time.monotonic() > until)"])
    subprocess.run([sys.executable, "-c", build], check=True, cwd=tmp_path)

    assert is_free(tmp_path / "held")


FREEZE = """
import os, signal, sys, time
def end(*_):
    print("saved", flush=True)
    sys.exit(3)
signal.signal(signal.SIGTERM, end)
print("started", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(60)
"""


def test_a_command_that_has_stopped_itself_can_clean_up(runner: LocalRunner, tmp_path: Path) -> None:
    """It gets SIGCONT after SIGTERM, or it would learn nothing until it is killed."""
    handle = started(runner, program(tmp_path, FREEZE))
    runner.stop(handle, 1000.0)
    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert [line.text for line in runner.read_log(handle, 0).lines] == ["started", "saved"]
    assert how(state) == (3, None, STOPPED)
