"""What processes use of GPUs, as a library with the functions of NVIDIA's tells."""

import os
import subprocess
from pathlib import Path

import pytest

from lightboard.hub.resources.replicas import GpuUsage
from lightboard.hub.runners.gpu_monitor import GpuMonitor

SOURCE = Path(__file__).parents[2] / "support" / "fake_nvml.c"
OWN = GpuUsage(id=1, utilization=0.75, memory_bytes=1 << 30, total_memory_bytes=80 << 30)
IDLE = GpuUsage(id=3, utilization=0.1, memory_bytes=0, total_memory_bytes=80 << 30)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of that library."""
    path = tmp_path_factory.mktemp("nvml") / "libnvidia-ml.so.1"
    subprocess.run(["gcc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", path, SOURCE], check=True)
    return str(path)


def usage(library: str, gpu_ids: tuple[int, ...] | None, pids: set[int]) -> tuple[GpuUsage, ...]:
    """What processes use of GPUs on a machine that has some."""
    return GpuMonitor(gpu_ids, library, control_device=os.devnull).usage(pids)


def test_gpus_are_those_of_the_replica_by_their_device_files(library: str) -> None:
    assert usage(library, (1, 3), {os.getpid()}) == (OWN, IDLE)


def test_memory_is_that_of_the_processes_of_the_replica(library: str) -> None:
    assert [each.memory_bytes for each in usage(library, (1,), {os.getpid() + 1})] == [0]


def test_memory_that_is_not_known_counts_as_none(library: str) -> None:
    assert [each.memory_bytes for each in usage(library, (1,), {1})] == [0]


def test_of_all_gpus_of_the_machine_those_count_that_are_used(library: str) -> None:
    assert usage(library, None, {os.getpid()}) == (OWN,)


@pytest.mark.parametrize("gpu_ids", [(), (7,)])
def test_a_replica_without_gpus_uses_none(library: str, gpu_ids: tuple[int, ...]) -> None:
    assert usage(library, gpu_ids, {os.getpid()}) == ()


def test_a_machine_without_gpus_measures_none(library: str, tmp_path: Path) -> None:
    monitor = GpuMonitor(None, library, control_device=str(tmp_path / "nvidiactl"))
    assert (monitor.measures, monitor.usage({os.getpid()})) == (False, ())


def test_without_the_library_nothing_is_measured(tmp_path: Path) -> None:
    monitor = GpuMonitor((0,), str(tmp_path / "libnvidia-ml.so.1"), control_device=os.devnull)
    assert (monitor.measures, monitor.usage({os.getpid()})) == (False, ())


def test_a_library_without_the_functions_measures_nothing() -> None:
    monitor = GpuMonitor((0,), "libc.so.6", control_device=os.devnull)
    assert (monitor.measures, monitor.usage({os.getpid()})) == (False, ())
