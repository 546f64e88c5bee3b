"""Requirements of the PAI SDK document about training jobs: D1, D5, D8 to D11."""

import os
import pathlib
import subprocess
import sys
import urllib.error
from collections.abc import Iterator
from typing import Self

import pytest

from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from support.board_process import TIMEOUT_SECS
from support.hub_cli import IMAGE, LOGS, delete_all, fetch_json
from support.hub_process import HubProcess, refused_starts, wait_for

COMPAT = pathlib.Path(__file__).parents[3] / "compat" / "pai" / "src"
PROGRAM = """
from pai.estimator import Estimator

# 提交训练作业
estimator = Estimator(
    command="python train.py",
    source_dir={source_dir!r},
    image_uri={image!r},
    instance_type="ecs.c6.large",
)
estimator.fit(wait=False)

# 启动TensorBoard服务，查看训练作业的TensorBoard日志
tb = estimator.tensorboard()

# 查看TensorBoard 应用链接
print(tb.app_uri)
input()

# 在使用完成之后，删除TensorBoard应用
tb.delete()

from pai.tensorboard import TensorBoard

tb = TensorBoard.create(
    uri={uri!r},
)

# 查看TensorBoard 应用链接
print(tb.app_uri)
"""
"""The document's, with other values. `input()` is whoever looks at the link before it is deleted."""
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
print("trained in", os.environ["VIRTUAL_ENV"], flush=True)
"""
LOSS = "data/plugin/scalars/scalars?run=attempt-1/rank-0&tag=train/loss"


@pytest.fixture
def hub(jobs_hub: HubProcess) -> Iterator[HubProcess]:
    """A hub with an image: the environment of the tests."""
    yield jobs_hub
    with Session(jobs_hub.url, jobs_hub.token) as session:
        delete_all(session)


class Program:
    """A program that somebody runs with the address of the hub and a token. A context manager."""

    def __init__(self, hub: HubProcess, folder: pathlib.Path, text: str) -> None:
        (folder / "program.py").write_text(text, encoding="utf-8")
        variables = {"LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": hub.token, "PYTHONPATH": str(COMPAT)}
        self._printed = folder / "printed"
        with self._printed.open("w") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "program.py"],
                cwd=folder,
                env={**os.environ, **variables},
                stdin=subprocess.PIPE,
                stdout=output,
                text=True,
            )

    def line(self, number: int) -> str:
        """A line that it prints, once it has."""
        lines = wait_for(self._lines, lambda found: len(found) > number, f"line {number} of the program")
        return lines[number]

    def lines(self) -> list[str]:
        """All that it prints, once it has got a line and has ended."""
        self._process.communicate("\n", TIMEOUT_SECS)
        assert self._process.returncode == 0
        return self._lines()

    def _lines(self) -> list[str]:
        return self._printed.read_text().splitlines()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def board_at(session: Session, link: str) -> TensorBoard:
    """The TensorBoard of a link."""
    return TensorBoard(link.rstrip("/").rpartition("/")[2], session)


def test_d8_to_d11_the_program_of_the_document_runs_unchanged(hub: HubProcess, tmp_path: pathlib.Path) -> None:
    """`fit` returns while the job trains (D8); its TensorBoard shows it live (D9) until that is deleted (D10).

    Then the job still runs, and another TensorBoard shows logs that are no job's (D11).
    """
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "train.py").write_text(TRAIN_ON)
    text = PROGRAM.format(source_dir=str(tmp_path / "code"), image=IMAGE, uri=str(LOGS / "torch" / "plain"))
    with Session(hub.url, hub.token) as session, Program(hub, tmp_path, text) as program:
        first = board_at(session, program.line(0))
        (job,) = TrainingJob.list(session)
        wait_for(lambda: job.status, lambda status: status == "Running", "the job")
        during = wait_for(lambda: losses(hub, first), bool, "a value")
        link, other = program.lines()
        after = (first.status, job.status, [board.id for board in TensorBoard.list(session)])
        second = board_at(session, other)
        runs = fetch_json(hub, second, "data/runs")
        go_on(hub, job)
        job.wait(show_logs=False)
        lines = list(job.logs())

    assert (during, link) == ([0.5], f"{hub.url}/tb/{first.id}/")
    assert after == ("Deleted", "Running", [second.id])
    assert (runs, lines) == (["."], [f"trained in {sys.prefix}"])


def losses(hub: HubProcess, board: TensorBoard) -> list[float]:
    """What a job has logged so far."""
    try:
        return [value for _, _, value in fetch_json(hub, board, LOSS)]
    except urllib.error.HTTPError:  # the run is not there yet
        return []


def go_on(hub: HubProcess, job: TrainingJob) -> None:
    """Lets a job that runs TRAIN_ON end."""
    outputs = hub.home / "hub" / "storage" / "default" / job.output_uri.removeprefix("storage:")
    (outputs / "model" / "goes-on").touch()


def test_d1_a_tensorboard_that_is_enabled_during_training_shows_it_live_and_after_its_end(hub: HubProcess) -> None:
    """The first value while the job waits for us, the second one once it has gone on; both after its end."""
    with Session(hub.url, hub.token) as session:
        job = TrainingJob.create(["python", "-c", TRAIN_ON], image=IMAGE, session=session)
        wait_for(lambda: job.status, lambda status: status == "Running", "the job")
        board = job.tensorboard()
        during = (wait_for(lambda: losses(hub, board), bool, "a value"), job.status)
        go_on(hub, job)
        live = wait_for(lambda: losses(hub, board), lambda found: len(found) > 1, "another value")
        job.wait(show_logs=False)
        after = (losses(hub, board), job.status, job.tensorboard().id == board.id)

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
