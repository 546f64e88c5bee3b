"""Workloads on a real Ray cluster."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lightboard.hub.resources.replicas import STOPPED, ReplicaPhase
from lightboard.hub.runners.base import Runner, WorkloadSpec
from lightboard.hub.runners.ray import RayRunner
from lightboard.hub.runners.ray_jobs import RayJobs
from lightboard.hub.runners.replica_folder import ReplicaFolder
from lightboard.testing.runners import RunnerTests, submit, wait_for_phase
from support.ray_cluster import RayTestCluster

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="supervisors need /proc"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayTestCluster]:
    """One cluster of two nodes for all tests."""
    with RayTestCluster(workers=1) as cluster:
        yield cluster


@pytest.fixture
def runner(tmp_path: Path, cluster: RayTestCluster) -> Iterator[RayRunner]:
    """A runner whose workloads are ended."""
    runner = RayRunner(tmp_path / "work", RayJobs(cluster.url, lambda: cluster.token))
    yield runner
    for id in ("job-1", "job-2"):
        for attempt in (1, 2):
            runner.delete(runner.validate(WorkloadSpec(id=id, attempt=attempt, command=("x",), working_dir="/")))
    runner.close()


def shell(tmp_path: Path, script: str, id: str = "job-1") -> WorkloadSpec:
    """A workload that runs a shell script."""
    return WorkloadSpec(id=id, attempt=1, command=("sh", "-c", script), working_dir=str(tmp_path))


class TestRayRunner(RunnerTests):
    @pytest.fixture(autouse=True)
    def in_folder(self, tmp_path: Path, cluster: RayTestCluster) -> None:
        self.folder, self.cluster = tmp_path, cluster

    def spec_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> WorkloadSpec:
        (self.folder / "lines").write_text("".join(f"{line}\n" for line in lines))
        return shell(self.folder, f"echo started >> runs; cat lines; exit {exit_code}")

    def spec_that_waits(self, runner: Runner, id: str = "job-1") -> WorkloadSpec:
        return shell(self.folder, "exec sleep 1000", id)

    def command_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> tuple[str, ...]:
        return ("sh", "-c", f"exit {exit_code}")

    def command_that_waits(self, runner: Runner) -> tuple[str, ...]:
        return ("sleep", "1000")

    def runs_of(self, runner: Runner, spec: WorkloadSpec) -> int:
        runs = self.folder / "runs"
        return len(runs.read_text().splitlines()) if runs.exists() else 0

    def lose(self, runner: Runner, handle: str) -> None:
        pid = ReplicaFolder(self.folder / "work" / "job-1" / "1" / "0").supervisor()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    def spec_that_ignores_requests(self, runner: Runner) -> WorkloadSpec:
        return shell(self.folder, "trap '' TERM; echo begun; while :; do sleep 0.05; done")

    def spec_that_listens(self, runner: Runner, port: int) -> WorkloadSpec:
        raise NotImplementedError

    def measure(self, runner: Runner, handle: str) -> None:
        """Its supervisor does."""

    def reopen(self, runner: Runner) -> Runner:
        return RayRunner(self.folder / "work", RayJobs(self.cluster.url, lambda: self.cluster.token))


@pytest.mark.parametrize("replicas", [1, 3])
def test_a_workload_that_waits_for_resources_can_be_stopped(runner: RayRunner, tmp_path: Path, replicas: int) -> None:
    """Ray itself cannot stop one whose driver waits. Its variables, which may be secret, are in no file any more."""
    spec = replace(shell(tmp_path, "echo once >> runs"), environment={"TOKEN": "hush-hush"})
    handle = submit(runner, replace(spec, replicas=replicas, cpus=64))
    waiting = runner.observe([handle])[0].replicas[0].phase

    runner.stop(handle)

    ended = [wait_for_phase(runner, handle, ReplicaPhase.ENDED, rank).reason for rank in range(replicas)]
    assert (waiting, ended) == (ReplicaPhase.STARTING, [STOPPED] * replicas)
    assert not (tmp_path / "runs").exists()
    specs = list(tmp_path.rglob("spec.json"))
    assert len(specs) == replicas
    assert b"hush" not in b"".join(path.read_bytes() for path in specs)
