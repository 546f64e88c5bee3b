"""Logs by `torch.utils.tensorboard.SummaryWriter`, every `add_*` call at least once."""

# ruff: isort: off
import neutral

import math

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

START = neutral.START
root = neutral.folder("torch")
torch.manual_seed(20)
numbers = np.random.default_rng(20)


def wall(step: int, since: float = 0.0) -> float:
    return START + since + step * 0.7301


def loss(step: int) -> float:
    return 2.5 * math.exp(-step / 25) + 0.1 * float(numbers.standard_normal())


def plain() -> None:
    """The daily case, and what people really pass: tensors, numpy numbers, no step, huge steps."""
    with SummaryWriter(str(root / "plain")) as w:
        for step in range(0, 120, 2):
            w.add_scalar("loss/train", loss(step), step, walltime=wall(step))
            w.add_scalar("loss/val", torch.tensor(loss(step)), step, walltime=wall(step))
            w.add_scalar("lr", np.float64(0.1 / (1 + step)), step, walltime=wall(step))
        for i in range(3):
            w.add_scalar("no step", i / 7)
        for step in (-5, 0, 2**31, 2**40, 2**53 + 1, 2**63 - 1):
            w.add_scalar("odd steps", step % 1000, step, walltime=wall(step % 1000))
        for step, value in enumerate([1.0, math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-45, 3.4e38, math.nan]):
            w.add_scalar("not finite", value, step, walltime=wall(step))


def new_style() -> None:
    with SummaryWriter(str(root / "new_style")) as w:
        for step in range(40):
            w.add_scalar("single", loss(step), step, walltime=wall(step), new_style=True)
            w.add_scalar(
                "double",
                math.pi * 10.0**-step,
                step,
                walltime=wall(step),
                new_style=True,
                double_precision=True,
            )
        # one tag, first as a simple value and then as a tensor
        for step in range(20):
            w.add_scalar(
                "mixed",
                step / 3,
                step,
                walltime=wall(step),
                new_style=step >= 10,
                double_precision=step >= 15,
            )
        for step, value in enumerate([math.nan, math.inf, -math.inf, 1e300, 5e-324]):
            w.add_scalar("not finite", value, step, walltime=wall(step), new_style=True, double_precision=True)


def restart(name: str, **style: bool) -> None:
    """Two crashes; each later writer names the step it goes on from."""
    since = 0.0
    for first, last, purge in ((0, 50, None), (30, 60, 30), (45, 90, 45)):
        neutral.set_clock(since)
        with SummaryWriter(str(root / name), purge_step=purge) as w:
            for step in range(first, last):
                w.add_scalar("loss", loss(step), step, walltime=wall(step, since), **style)
                if last == 50:
                    w.add_scalar("only before", step, step, walltime=wall(step, since), **style)
                if step % 10 == 0:
                    w.add_scalar("eval/acc", 1 - loss(step), step, walltime=wall(step, since), **style)
        since += 1000


def several_files() -> None:
    """Restarts without `purge_step`: steps run twice, nothing is hidden."""
    for part in range(3):
        neutral.set_clock(5000 + part * 100)
        with SummaryWriter(str(root / "again"), filename_suffix=f".part{part}") as w:
            for step in range(part * 8, part * 8 + 12):
                w.add_scalar("loss", loss(step), step, walltime=wall(step, 5000 + part * 100))


def groups() -> None:
    neutral.set_clock(9000)
    with SummaryWriter(str(root / "groups")) as w:
        for step in range(20):
            w.add_scalars(
                "train/both",
                {"a": loss(step), "b": -loss(step), "c d": step},
                step,
                walltime=wall(step, 9000),
            )
        for lr in (0.1, 0.01):
            w.add_hparams(
                {"lr": lr, "opt": "sgd", "bn": True, "layers": 3},
                {"hparam/accuracy": 1 - lr, "hparam/loss": lr},
                hparam_domain_discrete={"lr": [0.1, 0.01]},
                run_name=f"trial_lr_{lr}",
                global_step=7,
            )


def everything() -> None:
    """One of each other kind of value."""
    w = SummaryWriter(str(root / "everything"))
    at = {"global_step": 3, "walltime": wall(3)}
    w.add_scalar("loss", 0.5, **at)
    w.add_histogram("weights", numbers.standard_normal(200), **at)
    w.add_histogram_raw("raw", -1.0, 1.0, 4, 0.5, 1.5, [-0.5, 0.0, 1.0], [1, 2, 1], **at)
    w.add_image("image", numbers.random((3, 8, 8)), **at)
    w.add_images("images", numbers.random((4, 3, 6, 6)), **at)
    w.add_image_with_boxes("boxes", numbers.random((3, 16, 16)), torch.tensor([[2.0, 2.0, 9.0, 9.0]]), **at)
    w.add_video("video", torch.rand(1, 3, 3, 8, 8), **at)
    w.add_audio("audio", torch.rand(1, 200) - 0.5, sample_rate=8000, **at)
    w.add_text("text", "**bold** and | a | table |", **at)
    w.add_pr_curve("pr", numbers.integers(0, 2, 50), numbers.random(50), num_thresholds=9, **at)
    w.add_mesh(
        "mesh",
        torch.rand(1, 4, 3),
        colors=torch.zeros(1, 4, 3, dtype=torch.int),
        faces=torch.tensor([[[0, 1, 2]]]),
        **at,
    )
    w.add_custom_scalars({"all": {"losses": ["Multiline", ["loss/.*"]]}})
    w.add_embedding(torch.rand(5, 3), metadata=list("abcde"), global_step=3)
    w.add_graph(torch.nn.Linear(2, 1), torch.rand(1, 2))
    for dtype in (
        torch.half,
        torch.bfloat16,
        torch.float32,
        torch.float64,
        torch.uint8,
        torch.int8,
        torch.int64,
        torch.bool,
    ):
        w.add_tensor("tensor/" + str(dtype).removeprefix("torch."), torch.tensor(1, dtype=dtype), **at)
    w.add_tensor("tensor/matrix", torch.rand(2, 2), **at)
    w.close()


plain()
new_style()
restart("restart")
restart("restart_new_style", new_style=True)
several_files()
groups()
everything()
