"""The scripted in-memory runner."""

from collections.abc import Iterator, Sequence

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import ReplicaPhase
from lightboard.hub.runners.base import Runner, WorkloadSpec
from lightboard.hub.runners.memory import MemoryRunner, Program
from lightboard.testing.runners import RunnerTests


class TestMemoryRunner(RunnerTests):
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
