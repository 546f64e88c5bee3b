"""The programs of the document of PAI, with PyTorch and Transformers: D5 to D10, by PAI's SDK over the hub."""

import os
import pathlib
import subprocess
import sys
from typing import NamedTuple

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.framework_environment import source_dir
from support.hub_process import HubProcess
from support.shown_board import ShownBoard
from support.wheels import ROOT

SDK = ROOT / "compat" / "pai" / "src"
SUBMIT = """
# 提交训练作业
from pai.estimator import Estimator
estimator = Estimator(
    command="python train.py",
    source_dir={source_dir!r},
    image_uri="frameworks",
    instance_type="cpu-small",
)
estimator.fit(wait=False)

# 启动TensorBoard服务，查看训练作业的TensorBoard日志
tb = estimator.tensorboard()

# 查看TensorBoard 应用链接
print(tb.app_uri)
print(estimator.latest_job.id, tb.id)
"""
DELETE = """
from pai.tensorboard import TensorBoard
tb = TensorBoard.get({id!r})

# 在使用完成之后，删除TensorBoard应用
tb.delete()
"""
RUN = "attempt-1/rank-0"


class Submitted(NamedTuple):
    """A job that an SDK program has submitted, and the id and the link of the TensorBoard that it has opened."""

    job: TrainingJob
    id: str
    link: str
    token: str

    def shown(self) -> ShownBoard:
        """What the TensorBoard of the job shows; a new one if it was deleted."""
        return ShownBoard(self.job.tensorboard().app_uri, self.token)


class Sdk:
    """Runs programs with the import root `pai`, in a folder of their own."""

    def __init__(self, hub: HubProcess, session: Session, folder: pathlib.Path) -> None:
        self._hub, self._session, self._folder = hub, session, folder
        self._env = {"LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": hub.token, "PYTHONPATH": str(SDK)}

    def run(self, text: str) -> list[str]:
        """The lines that a program prints."""
        done = subprocess.run(
            [sys.executable, "-c", text],
            cwd=self._folder,
            env={**os.environ, **self._env},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def submit(self, name: str) -> Submitted:
        """Submit a program of the document as `train.py`."""
        code = self._folder / name
        code.mkdir()
        link, ids = self.run(SUBMIT.format(source_dir=str(source_dir(code, name))))
        job, board = ids.split()
        return Submitted(TrainingJob.get(job, self._session), board, link, self._hub.token)


@pytest.fixture(scope="module")
def sdk(hub: HubProcess, session: Session, tmp_path_factory: pytest.TempPathFactory) -> Sdk:
    """One for both programs."""
    return Sdk(hub, session, tmp_path_factory.mktemp("sdk"))


@pytest.fixture(scope="module")
def submitted(sdk: Sdk) -> list[Submitted]:
    """Both programs, which run beside each other: that for PyTorch, and that for Transformers. They have ended."""
    both = [sdk.submit("pai_torch"), sdk.submit("pai_transformers")]
    for each in both:
        each.job.wait(show_logs=False)
    return both


@pytest.fixture(scope="module")
def torch(submitted: list[Submitted]) -> Submitted:
    """The first one."""
    return submitted[0]


@pytest.fixture(scope="module")
def transformers(submitted: list[Submitted]) -> Submitted:
    """The second one."""
    return submitted[1]


def test_d5_d6_a_summary_writer_shows_a_point_and_an_image(torch: Submitted) -> None:
    """They are in the folder of PAI_OUTPUT_TENSORBOARD, which outlives the job."""
    shown = torch.shown()
    (image,) = shown.images(RUN, "train/image")

    assert shown.ask("data/runs") == [RUN]
    assert {tag: shown.points(RUN, tag) for tag in shown.scalars(RUN)} == {"train/loss": [(1, pytest.approx(0.1))]}
    assert (image[0], image[1][:4]) == (1, b"\x89PNG")


def test_d7_d_t2_a_trainer_logs_every_400_steps(transformers: Submitted) -> None:
    """To the same folder, by the variable that Transformers 5 reads."""
    shown = transformers.shown()

    assert [step for step, _ in shown.points(RUN, "train/loss")] == [400]
    assert shown.ask("data/runs") == [RUN]


def test_d8_d9_d10_estimators_open_the_tensorboard_of_their_job(
    sdk: Sdk, torch: Submitted, transformers: Submitted
) -> None:
    """Each its own, the same before and after the job has ended. A deleted one leaves the logs, and is made anew."""
    for each in (torch, transformers):
        assert (each.job.status, each.job.tensorboard().app_uri) == ("Succeeded", each.link)
    assert torch.id != transformers.id

    sdk.run(DELETE.format(id=torch.id))
    again = torch.job.tensorboard()

    assert (again.id != torch.id, torch.shown().scalars(RUN)) == (True, ["train/loss"])
