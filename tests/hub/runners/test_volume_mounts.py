"""Volumes of workloads: mounts in a sandbox, and paths in the command without one."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.runners.base import VolumeMount
from lightboard.hub.runners.local import LocalRunner
from support.sandboxes import prepared, problem_of_start, run, working_sandbox, workload


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[LocalRunner]:
    """A runner with a sandbox."""
    runner = LocalRunner(tmp_path / "work", sandbox=working_sandbox(tmp_path / "sandbox"))
    yield runner
    runner.close()


def volume(tmp_path: Path, name: str, target: str, *, writable: bool = False) -> VolumeMount:
    """A volume of a new folder, in which one that can only be read has a file `old`."""
    (tmp_path / name).mkdir()
    if not writable:
        (tmp_path / name / "old").write_text("data\n")
    return VolumeMount(str(tmp_path / name), target, writable)


SCRIPT = """
cat /project/results/old; touch /project/results/new; echo $?
touch /data/out/new && ls /data/out
env | grep LIGHTBOARD_VOLUME | sort
"""


def test_volumes_are_mounted_at_their_paths(runner: LocalRunner, tmp_path: Path) -> None:
    """Read-only ones cannot be written to, others can."""
    shown = volume(tmp_path, "shown", "/project/results")
    out = volume(tmp_path, "out", "/data/out", writable=True)

    _, lines = run(runner, workload(tmp_path, "sh", "-c", SCRIPT, volumes=(shown, out)))

    assert [line.rpartition(": ")[2] for line in lines] == [
        "data", "Read-only file system", "1", "new",
        "LIGHTBOARD_VOLUME_1=/project/results", "LIGHTBOARD_VOLUME_2=/data/out",
    ]  # fmt: skip
    assert [[path.name for path in (tmp_path / name).iterdir()] for name in ("shown", "out")] == [["old"], ["new"]]


def test_outputs_that_are_volumes_are_found_by_their_variables(runner: LocalRunner, tmp_path: Path) -> None:
    """At their path in a sandbox, and by the real path without one. Those of others are as they were."""
    model = volume(tmp_path, "model", "/ml/output/model", writable=True)
    kept = volume(tmp_path, "kept", "/ml/output/checkpoints")
    script = 'echo x > "$PAI_OUTPUT_MODEL/file"; echo "$PAI_OUTPUT_MODEL" "$PAI_OUTPUT_CHECKPOINTS"'
    spec = workload(tmp_path, "sh", "-c", script, volumes=(model, kept))

    _, lines = run(runner, spec)
    with closing(LocalRunner(tmp_path / "bare")) as bare:
        _, bare_lines = run(bare, spec)

    assert [*lines, *bare_lines] == ["/ml/output/model ", f"{tmp_path}/model "]
    assert (tmp_path / "model" / "file").read_text() == "x\n"


def test_nothing_else_of_the_machine_appears_beside_a_volume(runner: LocalRunner, tmp_path: Path) -> None:
    """The folders above it are those of the sandbox, which can be passed but not written to."""
    shown = volume(tmp_path, "shown", "/home/mine/data")

    _, lines = run(runner, workload(tmp_path, "sh", "-c", "ls /home; touch /home/mine/x || echo no", volumes=(shown,)))

    assert (lines[0], lines[-1]) == ("mine", "no")


def test_a_volume_at_a_path_that_the_job_has_already_is_refused(runner: LocalRunner, tmp_path: Path) -> None:
    """At the path of another folder, below and above: folders would be created in what the machine has there."""
    source = volume(tmp_path, "shown", "/x")
    spec = workload(tmp_path, "true")
    code = Path(spec.working_dir)
    for target in (code, code / "data", code.parent):
        with pytest.raises(LaunchError) as refused:
            runner.submit(replace(spec, volumes=(replace(source, target=str(target)),)))
        assert refused.value.message.startswith(f"a volume cannot be at {target}: the job has ")
    assert list(code.iterdir()) == []


def test_a_source_behind_a_link_is_refused(runner: LocalRunner, tmp_path: Path) -> None:
    """Its real path was checked, so somebody has replaced a folder on the way meanwhile."""
    source = volume(tmp_path, "shown", "/data")
    (tmp_path / "shown").rename(tmp_path / "aside")
    (tmp_path / "shown").symlink_to(tmp_path / "aside")

    with pytest.raises(LaunchError, match=r"the folder .*/shown of the job cannot be opened: Not a directory"):
        runner.submit(workload(tmp_path, "true", volumes=(source,)))


def test_a_source_that_is_replaced_before_it_is_mounted_is_noticed(tmp_path: Path) -> None:
    """Before anything of the job runs."""
    spec = workload(tmp_path, "touch", "file", volumes=(volume(tmp_path, "shown", "/data"),))
    replica = prepared(working_sandbox(tmp_path / "sandbox"), spec)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "shown").rename(tmp_path / "aside")
    (tmp_path / "shown").symlink_to(tmp_path / "secrets")

    assert problem_of_start(replica, "it has been replaced meanwhile") == "/data"
    assert list((tmp_path / "code").iterdir()) == []


def test_without_a_sandbox_the_command_has_the_real_paths(tmp_path: Path) -> None:
    """So do the variables, for a line of a shell."""
    shown = volume(tmp_path, "shown", "/project/results")
    command = (
        "sh",
        "-c",
        'echo "$0" "$1" "$LIGHTBOARD_VOLUME_1"',
        "//project/results/old",
        "--logdir=/project/results",
    )

    with closing(LocalRunner(tmp_path / "work")) as runner:
        _, lines = run(runner, workload(tmp_path, *command, volumes=(shown,)))

    assert lines == [f"{tmp_path}/shown/old --logdir={tmp_path}/shown {tmp_path}/shown"]
