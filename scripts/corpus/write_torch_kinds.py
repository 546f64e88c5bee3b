"""Every kind of data by `torch.utils.tensorboard.SummaryWriter`: each `add_*` over several steps and runs."""

# ruff: isort: off
import neutral

import math

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

START = neutral.START
root = neutral.folder("torch_kinds")
torch.manual_seed(30)
numbers = np.random.default_rng(30)

TABLE = "| name | value |\n|---|---:|\n| lr | 0.1 |\n| оптимизатор | адам |\n"
CODE = "```python\nprint('損失' < 1)\n```\n"
CAMERA = {
    "camera": {"cls": "PerspectiveCamera", "fov": 60},
    "material": {"cls": "MeshStandardMaterial", "roughness": 1},
}


def at(step: int) -> dict[str, float]:
    """Step and wall time of a value."""
    return {"global_step": step, "walltime": START + step * 0.7301}


def gradient(step: int, channels: int, height: int = 12, width: int = 16) -> np.ndarray:
    """A smooth picture, channels first, which says its step by its brightness."""
    rows, columns = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    return np.stack([(rows * (c + 1) + columns + step / 4) % 1 for c in range(channels)])


def histograms(w: SummaryWriter, shift: float) -> None:
    for step in range(0, 60, 6):
        w.add_histogram("weights", numbers.normal(shift + step / 30, 1 + step / 60, 300), **at(step))
        w.add_histogram("few bins", numbers.standard_normal(80), bins="auto", max_bins=10, **at(step))
    for step, values in enumerate([np.zeros(5), np.full(7, 3.25), np.array([2.5]), np.array([-1e-30, 1e30])]):
        w.add_histogram("odd", values, **at(step))
    w.add_histogram("integers", torch.arange(40), bins="fd", **at(0))
    for step in range(3):
        w.add_histogram_raw("raw", -1.0, 1.0, 4, 0.5, 1.5, [-0.5, 0.0, 1.0], [1, 2, 1 + step], **at(step))


def images(w: SummaryWriter) -> None:
    for step in range(5):
        w.add_image("colour", gradient(step, 3), **at(step))
        w.add_image("grey", gradient(step, 1)[0], dataformats="HW", **at(step))
        w.add_image("alpha", gradient(step, 4).transpose(1, 2, 0), dataformats="HWC", **at(step))
        w.add_images("batch", np.stack([gradient(step + i, 3) for i in range(6)]), **at(step))
        boxes = torch.tensor([[2.0, 2.0, 9.0, 9.0], [1.0, 4.0, 14.0, 11.0]])
        w.add_image_with_boxes("boxes", gradient(step, 3, 24, 32), boxes, labels=["cat", "dog"], **at(step))
    for step in range(2):
        figure, axes = plt.subplots(figsize=(1.6, 1.2), dpi=50)
        axes.plot(np.arange(5) * (step + 1))
        w.add_figure("figure", figure, **at(step))
        more = [plt.figure(figsize=(1, 1), dpi=30) for _ in range(2)]
        w.add_figure("figures", more, **at(step))
        clip = np.stack([gradient(step + frame, 3, 10, 14) for frame in range(4)])[None]
        w.add_video("video", torch.tensor(clip * 255, dtype=torch.uint8), fps=4, **at(step))


def sounds(w: SummaryWriter) -> None:
    for step in range(4):
        wave = torch.sin(torch.arange(400) * (0.05 + step * 0.02))
        w.add_audio("tone", wave[None], sample_rate=8000, **at(step))
        w.add_audio("too loud", wave * 3, sample_rate=4000, **at(step))


def words(w: SummaryWriter) -> None:
    for step, text in enumerate(["# A head\n\n**bold** *em* `code`", TABLE, CODE, "", "<script>alert(1)</script> ok"]):
        w.add_text("notes", text, **at(step))
    w.add_text("link", "[a](https://example.org) ![i](https://example.org/i.png) <b>html</b>", **at(0))


def curves(w: SummaryWriter, skill: float) -> None:
    for step in range(0, 20, 5):
        labels = numbers.integers(0, 2, 60)
        scores = np.clip(labels * skill * (step + 5) / 20 + numbers.random(60) * (1 - skill), 0, 1)
        w.add_pr_curve("pr", labels, scores, num_thresholds=11, **at(step))
        w.add_pr_curve("weighted", labels, scores, num_thresholds=7, weights=numbers.random(60), **at(step))
    w.add_pr_curve("default thresholds", labels, scores, **at(0))
    counts = [[10, 6, 2, 0], [8, 3, 1, 0], [0, 5, 7, 8], [0, 4, 8, 10], [0.55, 0.66, 0.66, 0.0], [1.0, 0.6, 0.2, 0.0]]
    w.add_pr_curve_raw("counts", *(np.array(row) for row in counts), num_thresholds=4, **at(0))


def shapes(w: SummaryWriter) -> None:
    tetrahedron = torch.tensor([[[1.0, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]]])
    faces = torch.tensor([[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]])
    colours = torch.tensor([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]], dtype=torch.uint8)
    for step in range(4):
        solid = tetrahedron * (1 + step / 4)
        w.add_mesh("solid", solid, colors=colours, faces=faces, config_dict=CAMERA, **at(step))
        w.add_mesh("plain solid", solid, faces=faces, **at(step))
        cloud = torch.rand(2, 50, 3) * (step + 1)
        w.add_mesh("cloud", cloud, **at(step))
        w.add_mesh("coloured cloud", cloud, colors=(torch.rand(2, 50, 3) * 255).int(), **at(step))


def several_runs() -> None:
    for name, skill in (("a", 0.3), ("b", 0.7)):
        with SummaryWriter(str(root / name)) as w:
            for step in range(20):
                value = math.exp(-step * skill / 10)
                for tag, number in (("loss/mean", value), ("loss/low", value * 0.9), ("loss/high", value * 1.2)):
                    w.add_scalar(tag, number, **at(step))
            histograms(w, skill * 3)
            images(w)
            sounds(w)
            words(w)
            curves(w, skill)
            shapes(w)


def layouts() -> None:
    """Two layouts that share a category; one chart of theirs is the same."""
    same = ["Multiline", ["loss/mean", "loss/(low|high)"]]
    with SummaryWriter(str(root / "a")) as w:
        w.add_custom_scalars(
            {"loss": {"all": same, "band": ["Margin", ["loss/mean", "loss/low", "loss/high"]]}, "only a": {"x": same}}
        )
    with SummaryWriter(str(root / "b")) as w:
        w.add_custom_scalars({"loss": {"all": same, "mean": ["Multiline", ["loss/mean"]]}})
    with SummaryWriter(str(root / "multiline")) as w:
        w.add_custom_scalars_multilinechart(["loss/mean", "loss/low"], category="lines", title="two")
    with SummaryWriter(str(root / "margin")) as w:
        w.add_custom_scalars_marginchart(["loss/mean", "loss/low", "loss/high"], category="bands", title="one")


def trials() -> None:
    """Several sessions; one leaves a hyper-parameter out, one has no metric."""
    domains = {"lr": [0.1, 0.01, 0.001], "opt": ["sgd", "adam"], "bn": [True, False]}
    with SummaryWriter(str(root / "trials")) as w:
        for i, (lr, opt) in enumerate([(0.1, "sgd"), (0.01, "adam"), (0.001, "adam"), (3e-4, "sgd")]):
            params = {"lr": lr, "opt": opt, "layers": 2 + i, "batch": torch.tensor([2**i]), "bn": i % 2 == 0}
            if i == 3:
                del params["bn"]
            metrics = {"hparam/accuracy": 0.7 + i / 20, "hparam/loss": 0.5 / (i + 1)}
            domain = {name: domains[name] for name in params.keys() & domains.keys()}
            w.add_hparams(params, metrics, hparam_domain_discrete=domain, run_name=f"trial_{i}", global_step=i)
        w.add_hparams({"lr": 0.5, "opt": "none"}, {}, run_name="unmeasured")


def embeddings() -> None:
    with SummaryWriter(str(root / "embedding")) as w:
        points, labels = torch.randn(16, 4), [[name, str(i % 3)] for i, name in enumerate("abcdefghijklmnкл")]
        pictures = torch.tensor(np.stack([gradient(i, 3, 8, 8) for i in range(16)]))
        w.add_embedding(points, metadata=labels, label_img=pictures, metadata_header=["name", "class"], global_step=0)
        w.add_embedding(points * 2, metadata=[row[0] for row in labels], global_step=1, tag="single column")
        w.add_embedding(torch.randn(6, 3), global_step=2, tag="bare")


def tensors() -> None:
    with SummaryWriter(str(root / "tensors")) as w:
        for step in range(3):
            w.add_tensor("matrix", torch.arange(6.0).reshape(2, 3) * step, **at(step))
            w.add_tensor("vector", torch.arange(4) + step, **at(step))


several_runs()
layouts()
trials()
embeddings()
tensors()
