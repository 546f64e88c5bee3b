"""The programs of the document of PAI, with PyTorch and Transformers: D5 to D10, by PAI's SDK over the hub."""

import os
import pathlib
import subprocess
import sys

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.framework_environment import source_dir
from support.hub_process import HubProcess
from support.shown_board import ShownBoard
from support.wheels import ROOT

pytestmark = pytest.mark.frameworks

SDK = ROOT / "compat" / "pai" / "src"
SUBMIT = """
# 提交训练作业
from pai.estimator import Estimator
estimator = Estimator(
    command="python train.py",
    source_dir={source_dir!r},
    image_uri={image!r},
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

    def submit(self, name: str, image: str = "frameworks") -> tuple[TrainingJob, str, str]:
        """Submit a program of the document as `train.py`: the job, and the id and link of its TensorBoard."""
        code = self._folder / name
        code.mkdir()
        link, ids = self.run(SUBMIT.format(source_dir=str(source_dir(code, name)), image=image))
        job, board = ids.split()
        return TrainingJob.get(job, self._session), board, link


def test_d5_to_d10_d_t1_to_d_t3_summary_writer_and_trainer_write_what_estimators_show(
    hub: HubProcess, session: Session, tmp_path: pathlib.Path
) -> None:
    """A point and an image of PyTorch (D6) are in the folder of PAI_OUTPUT_TENSORBOARD, which outlives the job (D5).

    The Trainer logs to the same folder every 400 steps, by its `logging_dir` with Transformers 4, and by the variable
    that Transformers 5 reads (D7, D-T2). All run beside each other (D8), each with a TensorBoard that stays the same
    (D9) until it is deleted; then the logs are still there, and a new one shows them (D10).
    """
    sdk = Sdk(hub, session, tmp_path)
    torch, first, link = sdk.submit("pai_torch")
    fourth, second, _ = sdk.submit("pai_transformers4", "transformers4")
    fifth, third, _ = sdk.submit("pai_transformers")
    for job in (torch, fourth, fifth):
        job.wait(show_logs=False)
    shown, *trainers = (ShownBoard(job.tensorboard().app_uri, hub.token) for job in (torch, fourth, fifth))
    points = {tag: shown.points(RUN, tag) for tag in shown.scalars(RUN)}
    (image,) = shown.images(RUN, "train/image")

    assert (len({first, second, third}), shown.url) == (3, link)
    assert (points, image[0], image[1][:4]) == ({"train/loss": [(1, pytest.approx(0.1))]}, 1, b"\x89PNG")
    assert [[step for step, _ in each.points(RUN, "train/loss")] for each in trainers] == [[400], [400]]
    assert [each.ask("data/runs") for each in (shown, *trainers)] == [[RUN]] * 3

    sdk.run(DELETE.format(id=first))
    again = torch.tensorboard()

    assert again.id != first
    assert ShownBoard(again.app_uri, hub.token).scalars(RUN) == ["train/loss"]
