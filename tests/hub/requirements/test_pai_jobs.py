"""Requirements of the PAI SDK document about training jobs: D1, D5, D8 and D9."""

import os
import pathlib
import subprocess
import sys
import urllib.error
from collections.abc import Iterator

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.hub_cli import IMAGE, delete_all, fetch_json
from support.hub_process import HubProcess, refused_starts, wait_for

COMPAT = pathlib.Path(__file__).parents[3] / "compat" / "pai" / "src"
TRAIN = """
import os
from tensorboardX import SummaryWriter

writer = SummaryWriter(os.environ.get("PAI_OUTPUT_TENSORBOARD"))

writer.add_scalar("train/loss", 0.1, 1)
writer.flush()
print("trained in", os.environ["VIRTUAL_ENV"], flush=True)
"""
PROGRAM = """
from pai.estimator import Estimator

estimator = Estimator(
    command="python train.py",
    source_dir={source_dir!r},
    image_uri={image!r},
    instance_type="ecs.c6.large",
)
estimator.fit(wait=False)

tb = estimator.tensorboard()

print(tb.app_uri)
print(estimator.latest_job.id)
estimator.latest_job.wait(show_logs=False)
"""
TRAIN_ON = """
import os, time
from tensorboardX import SummaryWriter

folder = os.environ["PAI_OUTPUT_TENSORBOARD"]
with SummaryWriter(folder) as writer:  # its flush leaves the last value in memory
    writer.add_scalar("train/loss", 0.5, 1)
while not os.path.exists(os.path.join(os.environ["PAI_OUTPUT_MODEL"], "goes-on")):
    time.sleep(0.05)
with SummaryWriter(folder, filename_suffix=".more") as writer:
    writer.add_scalar("train/loss", 0.25, 2)
"""
LOSS = "data/plugin/scalars/scalars?run=attempt-1/rank-0&tag=train/loss"
DELETE = """
from pai.job import TrainingJob

tb = TrainingJob.get({job!r}).tensorboard()
tb.delete()
"""


@pytest.fixture
def hub(jobs_hub: HubProcess) -> Iterator[HubProcess]:
    """A hub with an image: the environment of the tests."""
    yield jobs_hub
    with Session(jobs_hub.url, jobs_hub.token) as session:
        delete_all(session)


def run(hub: HubProcess, folder: pathlib.Path, program: str) -> list[str]:
    """What a program prints that somebody runs with the address of the hub and a token."""
    (folder / "program.py").write_text(program)
    variables = {"LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": hub.token, "PYTHONPATH": str(COMPAT)}
    said = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True
    )
    assert said.returncode == 0, said.stderr
    return said.stdout.splitlines()


def test_d8_the_sample_program_runs_unchanged(hub: HubProcess, tmp_path: pathlib.Path) -> None:
    """The job is submitted with its source code and image, and its TensorBoard shows what it writes, until deleted."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "train.py").write_text(TRAIN)
    link, id = run(hub, tmp_path, PROGRAM.format(source_dir=str(tmp_path / "code"), image=IMAGE))
    with Session(hub.url, hub.token) as session:
        job = TrainingJob.get(id, session)
        board = job.tensorboard()
        series = fetch_json(hub, board, "data/plugin/scalars/scalars?run=attempt-1/rank-0&tag=train/loss")
        lines = list(job.logs())
        same = board.app_uri
        run(hub, tmp_path, DELETE.format(job=id))
        left = session.get("/api/v1/tensorboards")["total"]

    assert ([point[1:] for point in series], lines) == ([[1, pytest.approx(0.1)]], [f"trained in {sys.prefix}"])
    assert (same, left) == (link, 0)


def test_d1_a_tensorboard_that_is_enabled_during_training_shows_it_live_and_after_its_end(hub: HubProcess) -> None:
    """The first value while the job waits for us, the second one once it has gone on; both after its end."""
    with Session(hub.url, hub.token) as session:
        job = TrainingJob.create(["python", "-c", TRAIN_ON], image=IMAGE, session=session)
        wait_for(lambda: job.status, lambda status: status == "Running", "the job")
        board = job.tensorboard()

        def losses() -> list[float]:
            try:
                return [value for _, _, value in fetch_json(hub, board, LOSS)]
            except urllib.error.HTTPError:  # the run is not there yet
                return []

        during = (wait_for(losses, bool, "a value"), job.status)
        outputs = hub.home / "hub" / "storage" / "default" / job.output_uri.removeprefix("storage:")
        (outputs / "model" / "goes-on").touch()
        live = wait_for(losses, lambda found: len(found) > 1, "another value")
        job.wait(show_logs=False)
        after = (losses(), job.status, job.tensorboard().id == board.id)

    assert during == ([0.5], "Running")
    assert (live, after) == ([0.5, 0.25], ([0.5, 0.25], "Succeeded", True))


def test_an_image_that_the_hub_does_not_have_is_refused(hub: HubProcess) -> None:
    """At once, with those that it has, and what an administrator can do."""
    body = {"command": ["true"], "image": "pytorch:9"}
    error = hub.request("POST", "/api/v1/jobs", body).json()["error"]

    assert (error["code"], error["message"]) == ("invalid", "this hub has no image pytorch:9")
    assert error["hint"] == (f"its images: {IMAGE}; an administrator can add one: lightboard hub --image NAME=PATH")


def test_programs_of_an_image_precede_others(hub: HubProcess) -> None:
    """With whatever else the variable PATH of the hub has."""
    body = {"command": ["sh", "-c", "command -v python; printf '%s' \"$PATH\""], "image": IMAGE}
    id = hub.json("POST", "/api/v1/jobs", body)["id"]
    hub.wait_for_job(id, "Succeeded")
    lines = [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs")["lines"]]

    assert lines == [f"{sys.prefix}/bin/python", f"{sys.prefix}/bin:{os.environ['PATH']}"]


def test_images_that_are_none_are_told_at_the_start(tmp_path: pathlib.Path) -> None:
    """Nothing is started."""
    bad_path = "/nosuch is no virtual environment, requirements list or container image"
    told = {
        "--image torch is not NAME=PATH": ["--image", "torch"],
        f"--image torch=/nosuch: {bad_path}": ["--image", "torch=/nosuch"],
        "an image cannot be called team/log: at the hub's API, that is the log of another one": [
            "--image",
            f"team/log={sys.prefix}",
        ],
        "the image a is given twice": ["--image", f"a={sys.prefix}", "--image", f"a={sys.prefix}"],
    }

    refusals = refused_starts(tmp_path, *told.values())

    assert [(code, message in line) for (code, line), message in zip(refusals, told, strict=True)] == [(2, True)] * 4
