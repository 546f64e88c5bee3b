"""Logs by `tensorboardX.SummaryWriter`, every `add_*` call at least once."""

# ruff: isort: off
import neutral

import math

import numpy as np
from tensorboardX import SummaryWriter

START = neutral.START
root = neutral.folder("tensorboardx")
numbers = np.random.default_rng(21)


def wall(step: int, since: float = 0.0) -> float:
    return START + since + step * 0.7301


def loss(step: int) -> float:
    return 2.5 * math.exp(-step / 25) + 0.1 * float(numbers.standard_normal())


def plain() -> None:
    with SummaryWriter(str(root / "plain"), write_to_disk=True) as w:
        for step in range(0, 100, 2):
            w.add_scalar("loss/train", loss(step), step, walltime=wall(step))
            w.add_scalar("a tag, cleaned: %", np.float32(loss(step)), step, walltime=wall(step))
        for step, value in enumerate([1.0, math.nan, math.inf, -math.inf, -0.0]):
            w.add_scalar("named", value, step, wall(step), display_name="A name", summary_description="*what* it is")
        for i in range(3):
            w.add_scalar("no step", i / 7)


def restart() -> None:
    since = 0.0
    for first, last, purge in ((0, 50, None), (30, 60, 30)):
        neutral.set_clock(since)
        with SummaryWriter(str(root / "restart"), purge_step=purge) as w:
            for step in range(first, last):
                w.add_scalar("loss", loss(step), step, walltime=wall(step, since))
        since += 1000


def groups() -> None:
    neutral.set_clock(9000)
    with SummaryWriter(str(root / "groups")) as w:
        for step in range(20):
            w.add_scalars("train/both", {"a": loss(step), "b": -loss(step)}, step, walltime=wall(step, 9000))
        w.add_hparams({"lr": 0.1, "opt": "sgd"}, {"accuracy": 0.5}, name="trial", global_step=7)


def everything() -> None:
    w = SummaryWriter(str(root / "everything"))
    at = {"global_step": 3, "walltime": wall(3)}
    w.add_scalar("loss", 0.5, **at)
    w.add_histogram("weights", numbers.standard_normal(200), **at)
    w.add_histogram_raw("raw", -1.0, 1.0, 4, 0.5, 1.5, [-0.5, 0.0, 1.0], [1, 2, 1], **at)
    w.add_image("image", numbers.random((3, 8, 8)), **at)
    w.add_images("images", numbers.random((4, 3, 6, 6)), **at)
    w.add_image_with_boxes("boxes", numbers.random((3, 16, 16)), np.array([[2.0, 2.0, 9.0, 9.0]]), **at)
    w.add_audio("audio", numbers.random((200, 1)) - 0.5, sample_rate=8000, **at)
    w.add_text("text", "**bold** and | a | table |", **at)
    w.add_pr_curve("pr", numbers.integers(0, 2, 50), numbers.random(50), num_thresholds=9, **at)
    w.add_mesh("mesh", numbers.random((1, 4, 3)), **at)
    w.add_custom_scalars({"all": {"losses": ["Multiline", ["loss/.*"]]}})
    w.add_embedding(numbers.random((5, 3)), metadata=list("abcde"), global_step=3)
    w.close()


plain()
restart()
groups()
everything()
