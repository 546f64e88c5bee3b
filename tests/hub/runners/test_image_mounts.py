"""Workloads with the file system of a container image."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import ReplicaPhase, ReplicaState
from lightboard.hub.runners.base import VolumeMount, WorkloadSpec
from lightboard.hub.runners.exec_session import Ended
from lightboard.hub.runners.image_mounts import image_mounts
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.mounts import Mount, empty, read_only
from lightboard.hub.runners.sandbox import JOB_USER_ID
from lightboard.testing.runners import run_beside, submit, wait_for_phase
from support.container_images import write_root
from support.sandboxes import working_sandbox

VARIABLES = {"PATH": "/usr/bin"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An image."""
    return write_root(tmp_path_factory.mktemp("image"))


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[LocalRunner]:
    """A runner with a sandbox."""
    runner = LocalRunner(tmp_path / "work", sandbox=working_sandbox(tmp_path / "sandbox"))
    yield runner
    runner.close()


def workload(tmp_path: Path, root: Path, command: str) -> WorkloadSpec:
    """One that runs a shell command in an image."""
    for name in ("code", "home", "tmp/0"):
        (tmp_path / name).mkdir(parents=True)
    code, home = str(tmp_path / "code"), str(tmp_path / "home")
    return WorkloadSpec(
        id="job-1", attempt=1, command=("sh", "-c", command), working_dir=code, environment=VARIABLES,
        writable=(code, home), home=home, temporary=str(tmp_path / "tmp"), root=str(root),
    )  # fmt: skip


def run(runner: LocalRunner, spec: WorkloadSpec) -> tuple[ReplicaState, list[str]]:
    """How a workload has ended, and what it has printed."""
    handle = submit(runner, spec)
    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
    return state, [line.text for line in runner.read_log(handle, 0).lines]


def test_a_workload_sees_the_image_instead_of_the_machine(runner: LocalRunner, tmp_path: Path, root: Path) -> None:
    """With its own folders, where the machine has them."""
    spec = workload(tmp_path, root, "cat /etc/image-release; ls /usr/bin/python3 /usr/bin/perl; touch here; ls ~")
    state, lines = run(runner, spec)

    assert lines[:2] == ["test image", "ls: cannot access '/usr/bin/perl': No such file or directory"]
    assert (lines[2:], state.exit_code, (tmp_path / "code/here").exists()) == (["/usr/bin/python3"], 0, True)


def test_a_workload_has_no_privileges_in_an_image(runner: LocalRunner, tmp_path: Path, root: Path) -> None:
    """Neither capabilities, nor a way to get them; it cannot write to the image."""
    spec = workload(tmp_path, root, "id -u; cat /proc/self/status; touch /usr/new /new")
    _, lines = run(runner, spec)
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)

    assert lines[0] == str(os.getuid() or JOB_USER_ID)
    assert {status[f"Cap{name}"] for name in ("Prm", "Eff", "Amb")} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert "touch: cannot touch '/usr/new': Read-only file system" in lines
    assert "touch: cannot touch '/new': Read-only file system" in lines


def test_a_further_command_runs_in_the_image(runner: LocalRunner, tmp_path: Path, root: Path) -> None:
    """Without privileges as well."""
    handle = submit(runner, workload(tmp_path, root, "sleep 600"))
    wait_for_phase(runner, handle, ReplicaPhase.RUNNING)
    events, printed = run_beside(runner, handle, ("sh", "-c", "cat /etc/image-release /proc/self/status"))
    runner.stop(handle, 0.0)
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert (events[-1], printed.decode().splitlines()[0]) == (Ended(exit_code=0), "test image")
    assert f"CapEff:\t{'0' * 16}" in printed.decode()


def test_volumes_are_where_the_image_has_no_folder(runner: LocalRunner, tmp_path: Path, root: Path) -> None:
    """Beside what the image has there."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data/file").write_text("from the volume\n")
    spec = replace(
        workload(tmp_path, root, "cat /var/lib/more/file; ls /var/lib; ls -l /var/run"),
        volumes=(VolumeMount(str(tmp_path / "data"), "/var/lib/more"),),
    )
    _, lines = run(runner, spec)

    assert (lines[:3], lines[3].split()[-3:]) == (["from the volume", "data", "more"], ["/var/run", "->", "/run"])


def test_a_link_of_the_image_is_never_followed_outside(tmp_path: Path) -> None:
    """A folder of the job cannot be below one."""
    (tmp_path / "srv").symlink_to("/etc")

    with pytest.raises(LaunchError) as caught:
        image_mounts(str(tmp_path), [read_only("/srv/project")])

    assert (caught.value.message, bool(caught.value.hint)) == (
        "the image has no folder at /srv, but a link; the job needs /srv/project", True,
    )  # fmt: skip


def test_only_folders_with_new_names_are_made_anew(tmp_path: Path) -> None:
    """What the image has already is covered."""
    for name in ("usr/lib", "var/lib/data", "tmp"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "bin").symlink_to("usr/bin")
    mounts = image_mounts(str(tmp_path), [empty("/tmp"), empty("/var/cache")])

    assert sorted(mounts, key=lambda mount: mount.path) == [
        Mount("--symlink", "/bin", "usr/bin"),
        Mount("--ro-bind", "/usr", f"{tmp_path}/usr"),
        Mount("--dir", "/var", mode="0755"),
        Mount("--ro-bind", "/var/lib", f"{tmp_path}/var/lib"),
    ]


def test_without_a_sandbox_a_workload_with_an_image_is_refused(tmp_path: Path, root: Path) -> None:
    """It would run programs of the machine instead."""
    runner = LocalRunner(tmp_path / "work")

    with pytest.raises(LaunchError, match="container images need the sandbox of jobs"):
        runner.validate(workload(tmp_path, root, "true"))
