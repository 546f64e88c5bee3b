"""Workloads in control groups of this machine, whatever version it has."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import (
    OUT_OF_MEMORY,
    START_FAILED,
    Limits,
    ReplicaPhase,
    ReplicaState,
    ResourceUsage,
)
from lightboard.hub.runners import process_tree
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.control_group import GroupSpec
from lightboard.hub.runners.control_groups import ControlGroups
from lightboard.hub.runners.exec_session import Ended, Started
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.replica_folder import ReplicaFolder
from lightboard.testing.runners import run_beside, submit, wait_for, wait_for_phase
from support.control_groups import is_left, working_control_groups

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="control groups are of Linux")
MEGABYTE = 1 << 20
FILL = """
import os, sys
file = os.memfd_create("file")
for _ in range(int(sys.argv[1])):
    os.write(file, bytes(1 << 20))
print("filled", flush=True)
os.read(os.pipe()[0], 1)
"""
"""Fills a file in memory, which no process has as its own memory."""
FORK = """
import os
children = []
try:
    while True:
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(write)
            os.read(read, 1)
            os._exit(0)
        children.append((child, write))
except OSError as error:
    print(error.strerror, len(children) < 40)
"""
LIMIT_FILES = {
    1: [("memory", "memory.limit_in_bytes"), ("cpu", "cpu.cfs_quota_us"), ("pids", "pids.max")],
    2: [("", "memory.max"), ("", "cpu.max"), ("", "pids.max")],
}


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[LocalRunner]:
    """A runner whose workloads are ended."""
    yield from runner_with(tmp_path, working_control_groups(max_pids=40))


def runner_with(tmp_path: Path, groups: ControlGroups) -> Iterator[LocalRunner]:
    """A runner with such groups, whose workload is ended."""
    runner = LocalRunner(tmp_path / "work", control_groups=groups)
    yield runner
    runner.delete(json.dumps({"id": "job-1", "attempt": 1, "replicas": 1}))
    runner.close()


def workload(tmp_path: Path, *command: str) -> WorkloadSpec:
    """A workload with a limit of memory and one processor."""
    cpu = min(os.sched_getaffinity(0))
    return WorkloadSpec(
        id="job-1", attempt=1, command=command, working_dir=str(tmp_path), memory_bytes=64 * MEGABYTE,
        cpu_ids=((cpu,),), cpus=1,
    )  # fmt: skip


def group_of(tmp_path: Path) -> GroupSpec:
    """The group of the workload."""
    group = ReplicaFolder(tmp_path / "work" / "job-1" / "1" / "0").read_spec().group
    assert group is not None
    return group


def ended(runner: LocalRunner, tmp_path: Path, *command: str) -> tuple[ReplicaState, list[str]]:
    """How a workload ends, and what it prints."""
    handle = submit(runner, workload(tmp_path, *command))
    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
    return state, [line.text for line in runner.read_log(handle, 0).lines]


def test_files_in_memory_count_and_the_kernel_ends_what_needs_too_much(runner: LocalRunner, tmp_path: Path) -> None:
    """All processes of the replica, also those that would have gone on. Nothing of the group is left."""
    state, printed = ended(
        runner, tmp_path, "sh", "-c", f"{sys.executable} -c '{FILL}' 200; echo went on; exec sleep 1000"
    )

    assert (state.limits, state.reason, state.exit_code) == (Limits.CGROUP, OUT_OF_MEMORY, None)
    assert state.message == "its processes needed more memory than their limit of 64M"
    assert "filled" not in printed
    assert not is_left(group_of(tmp_path))


def test_a_command_that_ends_well_after_a_process_was_killed_for_memory_has_failed(
    runner: LocalRunner, tmp_path: Path
) -> None:
    """However soon it ends."""
    state, _ = ended(runner, tmp_path, "sh", "-c", f"{sys.executable} -c '{FILL}' 200; exit 0")

    assert (state.reason, state.succeeded) == (OUT_OF_MEMORY, False)


def test_a_replica_has_so_many_processes(runner: LocalRunner, tmp_path: Path) -> None:
    """The next one fails in the program, which goes on."""
    state, printed = ended(runner, tmp_path, sys.executable, "-c", FORK)

    assert (state.succeeded, printed) == (True, ["Resource temporarily unavailable True"])


def test_the_kernel_has_the_limits_of_a_running_workload(runner: LocalRunner, tmp_path: Path) -> None:
    """Of memory, processors and processes. What its files in memory use is measured."""
    handle = submit(runner, workload(tmp_path, sys.executable, "-c", FILL, "30"))

    def usage_when_filled() -> ResourceUsage | None:
        usage = runner.observe([handle])[0].replicas[0].usage
        return usage if usage and usage.memory_bytes > 30 * MEGABYTE else None

    usage = wait_for(usage_when_filled)
    group = group_of(tmp_path)

    limits = [Path(group.folders[folder], name).read_text() for folder, name in LIMIT_FILES[group.version]]

    assert usage.processes == 1
    assert [limit.split()[0] for limit in limits] == [str(64 * MEGABYTE), "100000", "40"]


def test_a_further_command_is_in_the_same_group(runner: LocalRunner, tmp_path: Path) -> None:
    """In all hierarchies."""
    handle = submit(runner, workload(tmp_path, "sh", "-c", "cat /proc/self/cgroup; exec sleep 1000"))
    hierarchies = len(Path("/proc/self/cgroup").read_text().splitlines())
    lines = wait_for(lambda: (found := runner.read_log(handle, 0).lines)[hierarchies - 1 :] and found)

    events, output = run_beside(runner, handle, ["cat", "/proc/self/cgroup"])

    assert events == [Started(), Ended(exit_code=0)]
    assert output.decode().splitlines() == [line.text for line in lines]
    assert b"/lightboard-job-1-1-0-" in output


def test_a_process_that_hides_ends_when_the_supervisor_was_killed(runner: LocalRunner, tmp_path: Path) -> None:
    """It is in no process group, session or tree of the workload, and has none of its variables."""
    script = "env -i setsid sh -c 'sleep 1000 & echo $! > hidden'; exec sleep 1000"
    handle = submit(runner, workload(tmp_path, "sh", "-c", script))
    hidden = wait_for(lambda: read(tmp_path / "hidden"))
    supervisor = ReplicaFolder(tmp_path / "work" / "job-1" / "1" / "0").supervisor()
    assert supervisor is not None
    os.kill(supervisor, signal.SIGKILL)

    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert is_gone(int(hidden))
    assert not is_left(group_of(tmp_path))


def read(path: Path) -> str:
    """The line in a file, "" if it is not written yet."""
    text = path.read_text() if path.exists() else ""
    return text.strip() if text.endswith("\n") else ""


def is_gone(pid: int) -> bool:
    """Whether a process has ended, also if nobody has asked how."""
    stat = process_tree.read_stat(pid)
    return stat is None or stat.state == process_tree.ZOMBIE


@pytest.mark.parametrize(("required", "reason"), [(False, ""), (True, START_FAILED)])
def test_without_its_group_a_workload_is_watched_unless_one_is_required(
    tmp_path: Path, required: bool, reason: str
) -> None:
    """A hub may have lost the group in which it creates them since it was started."""
    groups = working_control_groups(required=required)
    lost = replace(groups, parents={name: f"{parent}/lost" for name, parent in groups.parents.items()})
    for runner in runner_with(tmp_path, lost):
        state, printed = ended(runner, tmp_path, "echo", "ran")

        assert (state.reason, state.limits, printed) == (
            (reason, None, []) if required else (reason, Limits.WATCHING, ["ran"])
        )


def test_a_replica_that_was_prepared_without_a_group_does_not_start_where_one_is_required(tmp_path: Path) -> None:
    """By a hub that was ended before it had started all replicas, and then started again with other flags."""
    spec = workload(tmp_path, "touch", "file")
    broken = closing(LocalRunner(tmp_path / "work", fork_server=("false",)))
    with broken as other, pytest.raises(LaunchError):
        other.submit(spec)

    for runner in runner_with(tmp_path, working_control_groups(required=True)):
        with pytest.raises(LaunchError, match="a replica was prepared when jobs had no control groups"):
            runner.submit(spec)
    assert not (tmp_path / "file").exists()
