"""Workloads on a real Ray cluster."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lightboard.hub.runners.base import Runner, WorkloadSpec
from lightboard.hub.runners.ray import RayRunner
from lightboard.hub.runners.ray_jobs import RayJobs
from lightboard.hub.runners.replica_folder import ReplicaFolder
from lightboard.testing.runners import RunnerTests
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


def texts(runner: Runner, handle: str, rank: int = 0) -> list[str]:
    """The lines of a log."""
    return [line.text for line in runner.read_log(handle, rank).lines]


class TestRayRunner(RunnerTests):
    @pytest.fixture(autouse=True)
    def in_folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def spec_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> WorkloadSpec:
        (self.folder / "lines").write_text("".join(f"{line}\n" for line in lines))
        return shell(self.folder, f"echo started >> runs; cat lines; exit {exit_code}")

    def spec_that_waits(self, runner: Runner, id: str = "job-1") -> WorkloadSpec:
        return shell(self.folder, "exec sleep 1000", id)

    def runs_of(self, runner: Runner, spec: WorkloadSpec) -> int:
        runs = self.folder / "runs"
        return len(runs.read_text().splitlines()) if runs.exists() else 0

    def lose(self, runner: Runner, handle: str) -> None:
        pid = ReplicaFolder(self.folder / "work" / "job-1" / "1" / "0").supervisor()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
