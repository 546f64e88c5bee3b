"""Workloads in a sandbox of bubblewrap. What they have in common with others is tested in `test_local_runner`."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED, Isolation
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.exec_session import Ended, Started
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.sandbox import JOB_USER_ID, Sandbox, find_sandbox
from lightboard.testing.runners import run_beside, submit, wait_for
from support.sandboxes import prepared, problem_of_start, run, working_sandbox, workload


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[LocalRunner]:
    """A runner, with whose workloads tests do not end before they do."""
    runner = LocalRunner(tmp_path / "work", sandbox=working_sandbox(tmp_path / "sandbox"))
    yield runner
    runner.close()


def test_a_workload_tells_that_the_kernel_isolates_it(runner: LocalRunner, tmp_path: Path) -> None:
    """So does the runner, before anything runs."""
    state, _ = run(runner, workload(tmp_path, "true"))

    assert (state.isolation, runner.capabilities().isolation) == (Isolation.KERNEL, Isolation.KERNEL)


def test_a_workload_is_an_unprivileged_user_with_a_home(runner: LocalRunner, tmp_path: Path) -> None:
    """Also if the hub runs as root: inside and outside, it is another user then."""
    spec = workload(tmp_path, "sh", "-c", 'touch file; id -un; id -u; echo "$HOME"; grep CapEff /proc/self/status')

    _, (name, uid, home, capabilities) = run(runner, spec)

    assert (name, home, capabilities.split()[1]) == ("job", str(tmp_path / "home"), "0" * 16)
    assert uid == str(os.getuid() or JOB_USER_ID)
    assert (tmp_path / "code" / "file").stat().st_uid == int(uid)


DEEP = """
import os
os.chdir("/tmp")
os.makedirs("closed/inner")
os.chmod("closed", 0)
for _ in range(3000):
    os.mkdir("deep")
    os.chdir("deep")
"""


def test_nothing_is_left_of_its_temporary_files(runner: LocalRunner, tmp_path: Path) -> None:
    """Neither of folders without permissions, nor of those in thousands of levels."""
    state, _ = run(runner, workload(tmp_path, "/usr/bin/env", "python3", "-c", DEEP))

    assert (state.exit_code, list((tmp_path / "tmp").iterdir())) == (0, [])


@pytest.mark.parametrize("code", [1, 128, 160, 255])
def test_exit_codes_are_those_of_the_command(runner: LocalRunner, tmp_path: Path, code: int) -> None:
    """Except for those between, by which bubblewrap tells signals."""
    state, _ = run(runner, workload(tmp_path, "sh", "-c", f"exit {code}"))

    assert (state.exit_code, state.signal, state.reason) == (code, None, "")


def test_a_program_that_does_not_exist_is_told(runner: LocalRunner, tmp_path: Path) -> None:
    """As without a sandbox. It has never started."""
    state, _ = run(runner, workload(tmp_path, "nosuch"))

    assert (state.reason, state.message) == (START_FAILED, "cannot start nosuch: No such file or directory")
    assert (state.exit_code, state.started_at) == (None, None)


def test_a_program_outside_of_the_sandbox_is_told(runner: LocalRunner, tmp_path: Path) -> None:
    """With what jobs see, whether or not the machine has it: a job must not learn that."""
    outside = program(tmp_path / "program", "true")
    states = [
        run(runner, replace(workload(tmp_path / id, path), id=id))[0] for id, path in (("a", outside), ("b", "/b"))
    ]

    assert [state.message.partition("; ") for state in states] == [
        (f"cannot start {path}: No such file or directory", "; ", VISIBLE) for path in (outside, "/b")
    ]


def test_a_sandbox_that_cannot_be_created_is_told(tmp_path: Path) -> None:
    """With what bubblewrap says, and the command never runs."""
    broken = program(tmp_path / "bwrap", "echo 'bwrap: Creating new namespace failed' >&2; exit 1")
    with closing(LocalRunner(tmp_path / "work", sandbox=Sandbox(broken, tmp_path / "sandbox"))) as runner:
        state, _ = run(runner, workload(tmp_path, "touch", "file"))

    assert (state.reason, state.message) == (
        START_FAILED, "the sandbox was not created: Creating new namespace failed",
    )  # fmt: skip
    assert list((tmp_path / "code").iterdir()) == []


def test_a_folder_behind_a_link_is_refused(runner: LocalRunner, tmp_path: Path) -> None:
    """Also if the link is on the way: whoever may write there could show a job anything of the machine."""
    spec = workload(tmp_path, "true")
    (tmp_path / "link").symlink_to(tmp_path / "code")
    (tmp_path / "code" / "inner").mkdir()
    spec = replace(spec, writable=(spec.working_dir, str(tmp_path / "link" / "inner")))

    with pytest.raises(LaunchError, match=r"the folder .*/link/inner of the job cannot be opened: Not a directory"):
        runner.submit(spec)


def test_a_folder_that_is_replaced_before_it_is_mounted_is_noticed(tmp_path: Path) -> None:
    """Before anything of the job runs."""
    spec = workload(tmp_path, "touch", "file")
    replica = prepared(working_sandbox(tmp_path / "sandbox"), spec)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "home").rename(tmp_path / "aside")
    (tmp_path / "home").symlink_to(tmp_path / "secrets")

    assert problem_of_start(replica, "it has been replaced meanwhile") == str(tmp_path / "home")
    assert list((tmp_path / "code").iterdir()) == []


VISIBLE = "jobs see programs, their own folders and those of their project"
KEYRINGS = """
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    return errno.errorcode[ctypes.get_errno()] if libc.syscall(number, *arguments) < 0 else "done"
first = {"x86_64": 248, "aarch64": 217}[platform.machine()]
print(call(first, b"user", b"name", b"secret", 6, -4), call(first + 2, 11, -4, None, 0))
"""


def test_a_replica_that_was_prepared_without_a_sandbox_does_not_start(runner: LocalRunner, tmp_path: Path) -> None:
    """By a hub that was ended before it had started all replicas, and then started again with isolation."""
    spec = workload(tmp_path, "touch", "file")
    broken = closing(LocalRunner(tmp_path / "work", fork_server=("false",)))
    with broken as other, pytest.raises(LaunchError):
        other.submit(spec)

    with pytest.raises(LaunchError, match="a replica was prepared when jobs were less isolated"):
        runner.submit(spec)
    assert list((tmp_path / "code").iterdir()) == []


def test_keys_of_the_hub_cannot_be_used(runner: LocalRunner, tmp_path: Path) -> None:
    """Neither created nor read. Keyrings belong to no namespace."""
    _, (line,) = run(runner, workload(tmp_path, "/usr/bin/env", "python3", "-c", KEYRINGS))

    assert line == "EPERM EPERM"


SET_USER_ID = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def told(change):
    try:
        change()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
def call(number, *arguments):
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "")
os.mkdir("folder", 0o755)
open("file", "w").close()
fd = os.open("file", os.O_WRONLY)
set_user_id = [
    lambda: os.chmod("file", 0o4755), lambda: os.fchmod(fd, 0o4700), lambda: os.chmod("file", 0o4755, dir_fd=3),
    lambda: call(452, -100, b"file", 0o4755, 0),
    lambda: os.open("new", os.O_CREAT | os.O_WRONLY, 0o4755), lambda: os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o4755),
    lambda: os.mknod("new", 0o4755), lambda: call(437, -100, b"new", b"", 0), lambda: call(425, 1, b""),
]
ordinary = [
    lambda: os.chmod("file", 0o755), lambda: os.chmod("folder", 0o2775), lambda: os.mknod("fifo", 0o10600),
    lambda: os.open("file", os.O_RDONLY, 0o4755), lambda: os.open("new", os.O_CREAT | os.O_WRONLY, 0o755),
]
print(*map(told, set_user_id))
print(*map(told, ordinary))
print([name for name in os.listdir(".") if os.stat(name).st_mode & 0o4000])
"""


def test_no_program_can_be_left_that_runs_as_its_owner(runner: LocalRunner, tmp_path: Path) -> None:
    """In a storage that others of the machine can read, anybody could become the user of jobs by it: the hub's."""
    _, lines = run(runner, workload(tmp_path, "/usr/bin/env", "python3", "-c", SET_USER_ID))

    assert lines == ["EPERM EPERM EPERM EPERM EPERM EPERM EPERM ENOSYS ENOSYS", "done done done done done", "[]"]


def program(path: Path, script: str) -> str:
    """A program of a few lines."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


FORK = """
import os, time
children = 0
try:
    while children < 200:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        children += 1
except OSError as error:
    print(error.strerror, 20 < children < 40)
"""


def lines_of(runner: LocalRunner, handle: str) -> list[str]:
    """What a workload has printed."""
    return [line.text for line in runner.read_log(handle, 0).lines]


@pytest.mark.skipif(os.getuid() == 0, reason="the jobs of a hub that runs as root share a user, not a namespace")
def test_processes_are_limited_in_each_sandbox_alone(tmp_path: Path) -> None:
    """Without control groups. Another one, and a further command in it, still start while one has all that it may."""
    runner = LocalRunner(tmp_path / "work", sandbox=working_sandbox(tmp_path / "sandbox", max_pids=40))
    storm = workload(tmp_path / "1", sys.executable, "-S", "-c", FORK + "time.sleep(60)\n")
    calm = replace(workload(tmp_path / "2", "sh", "-c", "echo started; exec sleep 60"), id="job-2")
    handles = [submit(runner, spec) for spec in (storm, calm)]
    printed = [wait_for(partial(lines_of, runner, handle)) for handle in handles]
    beside = run_beside(runner, handles[1], ("true",))[0]
    for handle in handles:
        runner.delete(handle)
    runner.close()

    assert printed == [["Resource temporarily unavailable True"], ["started"]]
    assert beside == [Started(), Ended(exit_code=0)]


def test_a_machine_without_bubblewrap_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its name."""
    monkeypatch.setenv("PATH", str(tmp_path))

    assert find_sandbox(tmp_path / "sandbox") == (None, "bubblewrap (bwrap) is not installed")


def test_a_machine_that_allows_no_sandbox_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason that bubblewrap gives."""
    program(tmp_path / "bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    assert find_sandbox(tmp_path / "sandbox") == (None, "No permissions to create new namespace")


def test_a_folder_for_all_can_be_read(tmp_path: Path) -> None:
    """Not written to."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "file").write_text("content")
    sandbox = working_sandbox(tmp_path / "sandbox", [str(data)])

    with closing(LocalRunner(tmp_path / "work", sandbox=sandbox)) as runner:
        state, lines = run(runner, workload(tmp_path, "sh", "-c", f"cat {data}/file; echo > {data}/other"))

    assert (lines[0].startswith("content"), state.exit_code) == (True, 2)
    assert [path.name for path in data.iterdir()] == ["file"]


def test_a_hidden_folder_is_empty_below_what_is_shown(runner: LocalRunner, tmp_path: Path) -> None:
    """Nobody is misled by a file that could be written there."""
    shown = tmp_path / "shown"
    (shown / "hub").mkdir(parents=True)
    (shown / "hub" / "key").write_text("secret")
    command = ("sh", "-c", f"cd {shown}; ls; ls hub; echo > hub/new")
    spec = replace(workload(tmp_path, *command), readable=(str(shown),), hidden=(str(shown / "hub"),))

    state, lines = run(runner, spec)

    assert (lines[0], state.exit_code, len(lines)) == ("hub", 2, 2)
    assert lines[1].endswith("cannot create hub/new: Read-only file system")


def test_a_hidden_file_below_what_is_shown_is_refused(runner: LocalRunner, tmp_path: Path) -> None:
    """Whether or not it exists now: it may be created or replaced later, and could be seen then."""
    shown = tmp_path / "shown"
    shown.mkdir()
    spec = replace(workload(tmp_path, "true"), readable=(str(shown),), hidden=(str(shown / "hub.sqlite3-wal"),))

    with pytest.raises(LaunchError, match=r"jobs could read hub\.sqlite3-wal, a file of the hub"):
        runner.submit(spec)


def test_a_link_is_deleted_instead_of_its_target(tmp_path: Path) -> None:
    """A workload may put one in the place of a folder that is deleted later."""
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "link").symlink_to(target)
    remove_tree(tmp_path / "link")

    assert [path.name for path in tmp_path.iterdir()] == ["target"]


def test_the_files_of_the_sandbox_are_private(tmp_path: Path) -> None:
    """A hub does not start if others can read what it has stored."""
    Sandbox("/usr/bin/bwrap", tmp_path / "sandbox")

    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "sandbox").iterdir()}

    assert modes == {"passwd": 0o600, "group": 0o600}


@pytest.mark.skipif(os.getuid() != 0, reason="only a hub that runs as root has another user for jobs")
def test_a_shared_folder_is_given_to_the_job_unless_others_have_files_in_it(tmp_path: Path) -> None:
    """A member of a project could otherwise delete them."""
    new, used = tmp_path / "new", tmp_path / "used"
    for folder in (new, used):
        folder.mkdir()
    (used / "file").touch()
    sandbox = working_sandbox(tmp_path / "sandbox")
    sandbox.prepare(WorkloadSpec(id="job-1", attempt=1, command=("true",), working_dir="/", appendable=(str(new),)))
    with pytest.raises(LaunchError) as refused:
        sandbox.prepare(
            WorkloadSpec(id="job-1", attempt=1, command=("true",), working_dir="/", appendable=(str(used),))
        )

    assert refused.value.message == f"the folder {used} has files of another user"
    assert (new.stat().st_uid, used.stat().st_uid) == (JOB_USER_ID, 0)
