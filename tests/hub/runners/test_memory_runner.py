"""The scripted in-memory runner."""

import contextlib
import socket
import threading
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import ReplicaPhase
from lightboard.hub.resources.usage_history import UsageSample
from lightboard.hub.runners.base import SERVER_SOCKET, Runner, WorkloadSpec
from lightboard.hub.runners.memory import MemoryRunner, Program
from lightboard.testing.runners import RunnerTests


def hold_connections(listening: socket.socket) -> None:
    """Accept connections until the socket is closed."""
    with contextlib.ExitStack() as held, contextlib.suppress(OSError):
        while True:
            held.enter_context(listening.accept()[0])


class TestMemoryRunner(RunnerTests):
    @pytest.fixture(autouse=True)
    def in_folder(self, tmp_path: Path) -> Iterator[None]:
        self.folder = tmp_path
        with contextlib.ExitStack() as self.listening:
            yield

    @pytest.fixture
    def runner(self) -> Iterator[Runner]:
        runner = MemoryRunner()
        yield runner
        runner.close()

    def spec_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> WorkloadSpec:
        runner.programs["print",] = Program(tuple(lines), exit_code)
        return WorkloadSpec(id="job-1", attempt=1, command=("print",), working_dir="/")

    def spec_that_waits(self, runner: Runner, id: str = "job-1") -> WorkloadSpec:
        return WorkloadSpec(id=id, attempt=1, command=("wait",), working_dir="/")

    def command_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> tuple[str, ...]:
        runner.programs["more",] = Program(tuple(lines), exit_code)
        return ("more",)

    def command_that_waits(self, runner: Runner) -> tuple[str, ...]:
        return ("wait",)

    def runs_of(self, runner: Runner, spec: WorkloadSpec) -> int:
        return len(runner.submitted)

    def lose(self, runner: Runner, handle: str) -> None:
        runner.lose(handle)

    def spec_that_ignores_requests(self, runner: Runner) -> WorkloadSpec:
        runner.programs["stay",] = Program(("begun",), ignores_requests=True)
        return WorkloadSpec(id="job-1", attempt=1, command=("stay",), working_dir="/")

    def spec_that_listens(self, runner: Runner, port: int) -> WorkloadSpec:
        folder = self.folder / "0"
        folder.mkdir()
        server = socket.socket(socket.AF_UNIX)
        self.listening.enter_context(server)
        server.bind(str(folder / SERVER_SOCKET))
        server.listen()
        listening = self.listening.enter_context(socket.create_server(("127.0.0.1", port)))
        thread = threading.Thread(target=hold_connections, args=(listening,))
        thread.start()
        self.listening.callback(thread.join)
        self.listening.callback(listening.shutdown, socket.SHUT_RDWR)
        return WorkloadSpec(id="job-1", attempt=1, command=("serve",), working_dir="/", temporary=str(self.folder))

    def reopen(self, runner: Runner) -> Runner:
        return copy(runner)

    def measure(self, runner: Runner, handle: str) -> None:
        runner.replicas[handle][0].samples.append(UsageSample(at=1.0, secs=1.0, cpus=0.5, memory_bytes=1, processes=1))


SPEC = WorkloadSpec(id="job-1", attempt=1, command=("wait",), working_dir="/")


def test_slow_workloads_begin_when_told() -> None:
    """Until then they are starting."""
    runner = MemoryRunner()
    runner.slow = True
    handle = runner.validate(SPEC)
    runner.submit(SPEC)
    before = runner.observe([handle])[0].replicas[0].phase

    runner.begin(handle)

    assert (before, runner.observe([handle])[0].replicas[0].phase) == (ReplicaPhase.STARTING, ReplicaPhase.RUNNING)


def test_the_next_submission_can_fail() -> None:
    """The one after it succeeds."""
    runner = MemoryRunner()
    runner.fail_next(LaunchError("no more processes"))
    with pytest.raises(LaunchError):
        runner.submit(SPEC)

    runner.submit(SPEC)

    assert runner.submitted == [runner.validate(SPEC)]
