"""Presets of a real hub: jobs from the command line, with GPUs that are numbers only."""

import pathlib
import sys
from collections.abc import Iterator

import pytest

from support.hub_cli import HubCli
from support.hub_process import HubProcess, refused_starts, wait_for

WORDS = (
    "--job-slots", "4", "--job-gpus", "0,5",
    "--preset", "ecs.c6.large=cpu:1,memory:64M", "--preset", "gpu-small=cpu:1,gpu:1",
)  # fmt: skip
TELL = 'echo "$CUDA_VISIBLE_DEVICES $OMP_NUM_THREADS"; exec sleep 1000'
FILL = "import time; block = bytearray(200_000_000); time.sleep(1000)"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """With four slots and two GPUs, for tests that leave it running."""
    with HubProcess(tmp_path_factory.mktemp("presets"), *WORDS) as running:
        yield running


@pytest.fixture
def own(tmp_path: pathlib.Path) -> Iterator[HubProcess]:
    """Another one like that, for a test that kills it."""
    with HubProcess(tmp_path / "hub", *WORDS) as running:
        yield running
        delete_jobs(running)


@pytest.fixture
def cli(shared: HubProcess, tmp_path: pathlib.Path) -> Iterator[HubCli]:
    """Somebody who types, whose jobs are deleted afterwards."""
    yield HubCli(shared, tmp_path)
    delete_jobs(shared)


def delete_jobs(hub: HubProcess) -> None:
    """All of them."""
    for job in hub.json("GET", "/api/v1/jobs")["items"]:
        hub.json("DELETE", f"/api/v1/jobs/{job['id']}")
    wait_for(lambda: hub.json("GET", "/api/v1/jobs")["total"], lambda total: total == 0, "all jobs to be gone")


def printed(hub: HubProcess, id: str) -> str:
    """The first line of a log."""
    lines = wait_for(lambda: hub.json("GET", f"/api/v1/jobs/{id}/logs")["lines"], bool, "a line")
    text: str = lines[0]["text"]
    return text


def test_a_gpu_belongs_to_one_job_at_a_time(own: HubProcess, tmp_path: pathlib.Path) -> None:
    """Also after the hub was killed. Another job waits for it, and says so."""
    hub, cli = own, HubCli(own, tmp_path)
    first, second, third = (cli("job", "submit", "--preset", "gpu-small", TELL).strip() for _ in range(3))
    for id in (first, second):
        hub.wait_for_job(id, "Running")
    waiting = wait_for(lambda: hub.json("GET", f"/api/v1/jobs/{third}"), lambda job: job["message"], "a message")
    hub.kill()
    hub.restart()
    hub.json("PUT", f"/api/v1/jobs/{first}/stop")
    last = hub.wait_for_job(third, "Running")

    assert (waiting["status"], waiting["message"]) == ("Queued", "waiting for 1 GPU")
    assert [printed(hub, id) for id in (first, second, third)] == ["0 1", "5 1", "0 1"]
    assert (last["gpu_ids"], last["message"]) == ([0], "")


def test_a_job_has_what_its_preset_has(shared: HubProcess, cli: HubCli) -> None:
    """The first one by default: its memory, and no GPU."""
    hub = shared
    told, filled = (cli("job", "submit", *command).strip() for command in ([TELL], [sys.executable, "-c", FILL]))
    failed = hub.wait_for_job(filled, "Failed")
    shown = dict(line.split(maxsplit=1) for line in cli("job", "get", told).splitlines())

    assert printed(hub, told) == " 1"
    assert failed["reason"] == "OOMKilled"
    assert [shown[name] for name in ("preset", "memory", "GPUs")] == ["ecs.c6.large", "64M", "0"]


@pytest.mark.parametrize(
    ("asked", "said", "preset"),
    [
        ("cpu-small", ["the hub has no preset cpu-small; the job gets its default, ecs.c6.large"], "ecs.c6.large"),
        ("gpu-small", [], "gpu-small"),
    ],
)
def test_run_takes_a_preset_or_the_default(
    shared: HubProcess, cli: HubCli, asked: str, said: list[str], preset: str
) -> None:
    """As `Estimator` does: command lines of other places work, and say what they get."""
    told = cli.command("run", "--detach", "--preset", asked, "", "true")
    (job,) = shared.json("GET", "/api/v1/jobs")["items"]

    assert (told.stderr.splitlines(), job["preset"]) == (said, preset)


def test_a_preset_that_the_hub_does_not_have_is_refused(cli: HubCli) -> None:
    """With those that it has."""
    said = cli.command("job", "submit", "--preset", "huge", "true", code=1).stderr

    assert "this hub has no preset huge" in said
    assert "its presets: ecs.c6.large, gpu-small" in said


def test_flags_that_are_wrong_are_told_at_the_start(tmp_path: pathlib.Path) -> None:
    """Nothing is started."""
    told = {
        "--preset small is not NAME=cpu:N,memory:SIZE,gpu:N": ["--preset", "small"],
        "--job-gpus all is no list of GPUs": ["--preset", "a=cpu:1", "--job-gpus", "all"],
        "--job-gpus needs --preset": ["--job-gpus", "0"],
        "--job-pids must be from 16 to 4194304": ["--job-pids", "15"],
        "--job-users 200000 is not a range": ["--job-users", "200000"],
        "--job-users 998-2000: at least 3 ids from 1000 to 2147483647 are needed": ["--job-users", "998-2000"],
        "--container-images library/* names no registry": ["--container-images", "library/*"],
    }

    refusals = refused_starts(tmp_path, *told.values())

    assert [(code, message in line) for (code, line), message in zip(refusals, told, strict=True)] == [(2, True)] * 7
