"""The process that forks supervisors."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import ReplicaPhase
from lightboard.hub.runners import process_tree
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.replica_folder import ReplicaFolder
from lightboard.hub.runners.supervisor_starter import SupervisorStarter
from lightboard.testing.runners import submit, wait_for, wait_for_phase

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")
HOST = """
import os, pathlib, sys
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.local import LocalRunner
runner = LocalRunner(pathlib.Path(sys.argv[1]) / "work")
runner.submit(WorkloadSpec(id="job-1", attempt=1, command=("true",), working_dir=sys.argv[1]))
(pid,) = open(f"/proc/self/task/{os.getpid()}/children").read().split()
pathlib.Path(sys.argv[1], "server").write_text(pid)
os.kill(os.getpid(), 9)
"""
"""A hub that is killed after it has started a workload."""


@pytest.fixture
def others() -> set[int]:
    """The processes of this one before the test: hubs of other tests that still run have some that fork."""
    return process_tree.children(os.getpid())


@pytest.fixture
def runner(others: set[int], tmp_path: Path) -> Iterator[LocalRunner]:  # `others` before it starts
    """A runner whose workloads are ended."""
    with closing(LocalRunner(tmp_path / "work")) as runner:
        yield runner
        for folder in (tmp_path / "work").glob("job-*"):
            runner.delete(runner.validate(sleeping(tmp_path, folder.name)))


def sleeping(tmp_path: Path, id: str, secret: str = "") -> WorkloadSpec:
    """A workload that runs until it is ended, with a secret variable."""
    return WorkloadSpec(
        id=id, attempt=1, command=("sleep", "1000"), working_dir=str(tmp_path), environment={"SECRET": secret}
    )


def run(runner: LocalRunner, spec: WorkloadSpec) -> str:
    """The handle of a workload that runs."""
    handle = submit(runner, spec)
    wait_for_phase(runner, handle, ReplicaPhase.RUNNING)
    return handle


def supervisor_of(tmp_path: Path, id: str) -> int:
    """The process id of a supervisor."""
    pid = ReplicaFolder(tmp_path / "work" / id / "1" / "0").supervisor()
    assert pid is not None
    return pid


def server_process(others: set[int]) -> int:
    """The process id of the one that forks: the child of this process that is no zombie, and not one of `others`."""
    stats = map(process_tree.read_stat, process_tree.children(os.getpid()) - others)
    (pid,) = [stat.pid for stat in stats if stat is not None and "fork_server" in command_line(stat.pid)]
    return pid


def open_files(pid: int) -> list[str]:
    """What the descriptors of a process lead to, except files that it has closed meanwhile."""
    found = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with suppress(FileNotFoundError):
            found.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
    return found


def command_line(pid: int) -> str:
    """The command line of a process."""
    return Path(f"/proc/{pid}/cmdline").read_text()


def memory_of(pid: int) -> bytes:
    """What a process has written to its memory."""
    found = b""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            fields = line.split()
            if fields[1].startswith("rw") and not fields[-1].startswith(("[v", "/dev")):
                start, end = (int(each, 16) for each in fields[0].split("-"))
                memory.seek(start)
                found += memory.read(end - start)
    return found


def test_variables_of_a_job_are_in_its_own_supervisor_alone(
    runner: LocalRunner, others: set[int], tmp_path: Path
) -> None:
    """Neither in the process that all are forked from, nor in one that is forked later."""
    run(runner, sleeping(tmp_path, "job-1", secret := os.urandom(16).hex()))
    run(runner, sleeping(tmp_path, "job-2"))

    pids = [supervisor_of(tmp_path, "job-1"), supervisor_of(tmp_path, "job-2"), server_process(others)]
    assert [secret.encode() in memory_of(pid) for pid in pids] == [True, False, False]


def test_supervisors_have_no_descriptors_of_each_other(runner: LocalRunner, others: set[int], tmp_path: Path) -> None:
    """The second one has as many as the first, and none is the socket of the process that forks."""
    for id in ("job-1", "job-2"):
        run(runner, sleeping(tmp_path, id))
    requests = os.readlink(f"/proc/{server_process(others)}/fd/0")
    found = [open_files(supervisor_of(tmp_path, id)) for id in ("job-1", "job-2")]

    first, second = ({each for each in links if each.startswith(("pipe", "socket"))} for links in found)
    assert (first & second, len(first), requests in first | second) == (set(), len(second), False)
    assert len(open_files(server_process(others))) == 3


def test_the_process_is_replaced_when_it_was_killed(runner: LocalRunner, others: set[int], tmp_path: Path) -> None:
    """What it has started goes on."""
    first = run(runner, sleeping(tmp_path, "job-1"))
    os.kill(server_process(others), signal.SIGKILL)
    run(runner, sleeping(tmp_path, "job-2"))

    assert runner.observe([first])[0].replicas[0].phase is ReplicaPhase.RUNNING


def test_it_ends_with_a_hub_that_was_killed(tmp_path: Path) -> None:
    """The hub has no time to tell it."""
    hub = os.posix_spawn(sys.executable, [sys.executable, "-c", HOST, str(tmp_path)], os.environ)
    os.waitpid(hub, 0)
    server = int((tmp_path / "server").read_text())

    wait_for(lambda: process_tree.read_stat(server) is None)


def test_it_is_not_started_before_it_is_needed(tmp_path: Path) -> None:
    """Hubs that run no jobs do not need it."""
    before = process_tree.children(os.getpid())
    with closing(LocalRunner(tmp_path / "work")):
        assert process_tree.children(os.getpid()) == before


def test_why_a_supervisor_did_not_start_is_told(tmp_path: Path) -> None:
    """By the last line of what it has written."""
    (tmp_path / "spec.json").write_text("no JSON")

    with (
        closing(SupervisorStarter()) as starter,
        pytest.raises(LaunchError, match=r"a supervisor did not start: json\.decoder\.JSONDecodeError: "),
    ):
        starter.start(tmp_path, {})
