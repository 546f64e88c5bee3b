"""What runs on the nodes of a Ray cluster, without one: the archive needs no Ray for one replica."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lightboard.hub.resources.replicas import LOST, STOPPED, ReplicaPhase, ReplicaState
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.line_log import read_lines
from lightboard.hub.runners.ray import replica_specs
from lightboard.hub.runners.ray_program import write_program
from lightboard.hub.runners.ray_replica import own_gpu_variables
from lightboard.hub.runners.replica_folder import MARK, ReplicaFolder
from lightboard.hub.runners.workload_folders import WorkloadFolders
from support.hub_process import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="supervisors need /proc")


class Node:
    """A folder with a workload, and the driver as Ray starts it: by another Python that has no Lightboard."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folders = WorkloadFolders(root / "work")
        self.program = write_program(root / "work")
        self.started: list[subprocess.Popen[bytes]] = []

    def prepare(self, script: str, **fields: object) -> ReplicaFolder:
        spec = WorkloadSpec(
            id="job-1", attempt=1, command=("sh", "-c", script), working_dir=str(self.root), **fields  # type: ignore[arg-type]
        )  # fmt: skip
        self.folders.prepare("job-1", 1, lambda: replica_specs(spec))
        return ReplicaFolder(self.folders.attempt("job-1", 1) / "0")

    def start(self, **variables: str) -> "subprocess.Popen[bytes]":
        folder = self.folders.attempt("job-1", 1)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", self.program, folder, "--program", self.program],
            env={"PATH": os.environ["PATH"], **variables},
        )
        self.started.append(process)
        return process

    def run(self, **variables: str) -> int:
        return self.start(**variables).wait(60)


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    """A node whose drivers are ended."""
    node = Node(tmp_path)
    yield node
    for process in node.started:
        process.kill()
        process.wait()


def texts(folder: ReplicaFolder) -> list[str]:
    """The lines of a log."""
    return [line.text for line in read_lines(folder.log, 0, 1 << 20, ended=True).lines]


def state_of(folder: ReplicaFolder) -> ReplicaState:
    """What is stored about a replica."""
    state = folder.read_state()
    assert state is not None
    return state


def test_the_driver_stores_states_and_logs(node: Node) -> None:
    """As on the machine of the hub."""
    folder = node.prepare("echo hello; exit 3")

    code = node.run()

    state = state_of(folder)
    assert (code, state.phase, state.exit_code, state.reason, texts(folder)) == (
        0, ReplicaPhase.ENDED, 3, "", ["hello"]
    )  # fmt: skip


def test_only_the_first_driver_runs_the_command(node: Node) -> None:
    """A hub that has lost an answer of Ray submits again, perhaps to another cluster."""
    folder = node.prepare("echo once >> runs")

    codes = [process.wait(60) for process in [node.start(), node.start(), node.start()]]

    assert (codes, (node.root / "runs").read_text(), state_of(folder).exit_code) == ([0, 0, 0], "once\n", 0)


def test_the_command_has_the_variables_of_the_job_and_few_of_the_node(node: Node) -> None:
    """Not the token of Ray. Afterwards they are in no file."""
    folder = node.prepare("env", environment={"LR": "0.1", "SECRET": "hush-hush"})

    node.run(RAY_AUTH_TOKEN="hush", LANG="C.UTF-8", CUDA_VISIBLE_DEVICES="3")

    found = dict(line.split("=", 1) for line in texts(folder))
    temporary = found.pop("TMPDIR")
    assert {name: found[name] for name in sorted(found) if name not in ("PATH", "PWD", "OLDPWD", "SHLVL", "_")} == {
        "LANG": "C.UTF-8", MARK: folder.read_spec().mark, "LR": "0.1", "PYTHONUNBUFFERED": "1", "SECRET": "hush-hush",
    }  # fmt: skip
    assert not Path(temporary).exists()
    assert b"hush" not in (folder.path / "spec.json").read_bytes()


def test_a_request_to_stop_is_found_in_the_folder(node: Node) -> None:
    """No signal of the hub reaches another machine."""
    folder = node.prepare("echo begun; exec sleep 1000")
    driver = node.start()
    wait_for(lambda: texts(folder), lambda lines: lines == ["begun"], "the command to begin")

    folder.request_stop(time.time() + 60)

    assert (driver.wait(60), state_of(folder).reason, state_of(folder).signal) == (0, STOPPED, signal.SIGTERM)


def test_a_workload_that_was_stopped_before_never_runs(node: Node) -> None:
    """It may have waited in Ray for resources."""
    folder = node.prepare("echo once >> runs")
    folder.request_stop(time.time())

    assert (node.run(), state_of(folder).reason, (node.root / "runs").exists()) == (0, STOPPED, False)


def test_the_command_ends_with_the_driver(node: Node) -> None:
    """As when Ray ends it, or its node loses the cluster: nothing is left, and that is stored."""
    folder = node.prepare("echo begun; setsid sleep 1000 & exec sleep 1000")
    driver = node.start()
    wait_for(lambda: texts(folder), lambda lines: lines == ["begun"], "the command to begin")

    driver.kill()

    state = wait_for(lambda: state_of(folder), lambda state: state.phase is ReplicaPhase.ENDED, "the end")
    assert (state.reason, state.message) == (LOST, "the worker that it belonged to has ended")


def test_gpus_are_those_that_ray_has_given() -> None:
    """None for a preset without GPUs, and no restriction without a preset."""
    assert [own_gpu_variables(gpus, "2,5") for gpus in (2, 0, None)] == [
        {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "2,5"},
        {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "", "NVIDIA_VISIBLE_DEVICES": "none"},
        {},
    ]


def test_the_archive_is_the_same_for_the_same_modules(tmp_path: Path) -> None:
    """So that hubs do not fill the folder, and an upgrade leaves the programs of running jobs."""
    paths = [write_program(tmp_path), write_program(tmp_path)]

    assert paths[0] == paths[1]
    assert [path.name for path in tmp_path.iterdir()] == [paths[0].name]
    assert paths[0].stat().st_mode & 0o077 == 0
