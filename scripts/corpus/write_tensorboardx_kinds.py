"""Every kind of data by `tensorboardX.SummaryWriter`: each `add_*` over several steps and runs."""

# ruff: isort: off
import neutral

import math

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from tensorboardX import SummaryWriter

START = neutral.START
root = neutral.folder("tensorboardx_kinds")
numbers = np.random.default_rng(31)


def at(step: int) -> dict[str, float]:
    """Step and wall time of a value."""
    return {"global_step": step, "walltime": START + step * 0.7301}


def gradient(step: int, channels: int, height: int = 12, width: int = 16) -> np.ndarray:
    """A smooth picture, channels first, which says its step by its brightness."""
    rows, columns = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    return np.stack([(rows * (c + 1) + columns + step / 4) % 1 for c in range(channels)])


def histograms(w: SummaryWriter, shift: float) -> None:
    for step in range(0, 40, 8):
        w.add_histogram("weights", numbers.normal(shift, 1 + step / 40, 200), **at(step))
        w.add_histogram("few bins", numbers.standard_normal(80), bins="auto", max_bins=10, **at(step))
    for step, values in enumerate([np.zeros(5), np.full(7, 3.25), np.array([2.5])]):
        w.add_histogram("odd", values, **at(step))
    w.add_histogram_raw("raw", -1.0, 1.0, 4, 0.5, 1.5, [-0.5, 0.0, 1.0], [1, 2, 1], **at(0))


def images(w: SummaryWriter) -> None:
    for step in range(4):
        w.add_image("colour", gradient(step, 3), **at(step))
        w.add_image("grey", gradient(step, 1)[0], dataformats="HW", **at(step))
        w.add_images("batch", np.stack([gradient(step + i, 3) for i in range(4)]), **at(step))
        boxes = np.array([[2.0, 2.0, 9.0, 9.0], [1.0, 4.0, 14.0, 11.0]])
        w.add_image_with_boxes("boxes", gradient(step, 3, 24, 32), boxes, labels=["cat", "dog"], **at(step))
    for step in range(2):
        figure, axes = plt.subplots(figsize=(1.6, 1.2), dpi=50)
        axes.plot(np.arange(5) * (step + 1))
        w.add_figure("figure", figure, **at(step))
        clip = np.stack([gradient(step + frame, 3, 10, 14) for frame in range(4)])[None]
        w.add_video("video", (clip * 255).astype(np.uint8), fps=4, **at(step))


def sounds(w: SummaryWriter) -> None:
    for step in range(3):
        wave = np.sin(np.arange(400) * (0.05 + step * 0.02))
        w.add_audio("mono", wave, sample_rate=8000, **at(step))
        w.add_audio("stereo", np.stack([wave, -wave / 2], axis=1), sample_rate=8000, **at(step))


def words(w: SummaryWriter) -> None:
    for step, text in enumerate(["**bold**", "| a | b |\n|---|---|\n| 1 | 2 |", "```\ncode\n```", "<i>html</i>"]):
        w.add_text("notes", text, **at(step))


def curves(w: SummaryWriter, skill: float) -> None:
    for step in range(0, 15, 5):
        labels = numbers.integers(0, 2, 60)
        scores = np.clip(labels * skill * (step + 5) / 20 + numbers.random(60) * (1 - skill), 0, 1)
        w.add_pr_curve("pr", labels, scores, num_thresholds=11, **at(step))
    counts = [[10, 6, 2, 0], [8, 3, 1, 0], [0, 5, 7, 8], [0, 4, 8, 10], [0.55, 0.66, 0.66, 0.0], [1.0, 0.6, 0.2, 0.0]]
    w.add_pr_curve_raw("counts", *(np.array(row) for row in counts), num_thresholds=4, **at(0))


def shapes(w: SummaryWriter) -> None:
    tetrahedron = np.array([[[1.0, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]]])
    faces = np.array([[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]])
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]])
    config = {
        "camera": {"cls": "PerspectiveCamera", "fov": 60},
        "lights": [{"cls": "AmbientLight", "color": "#ffffff"}],
    }
    for step in range(3):
        w.add_mesh("solid", tetrahedron * (1 + step), colors=colours, faces=faces, config_dict=config, **at(step))
        w.add_mesh("cloud", numbers.random((2, 40, 3)), **at(step))


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
    neutral.set_clock(500)  # a file of its own beside the first one of run a
    band = ["Margin", ["loss/mean", "loss/low", "loss/high"]]
    with SummaryWriter(str(root / "a")) as w:
        w.add_custom_scalars({"loss": {"all": ["Multiline", ["loss/mean", "loss/(low|high)"]], "band": band}})
    with SummaryWriter(str(root / "multiline")) as w:
        w.add_custom_scalars_multilinechart(["loss/mean", "loss/low"], category="lines", title="two")
    with SummaryWriter(str(root / "margin")) as w:
        w.add_custom_scalars_marginchart(["loss/mean", "loss/low", "loss/high"], category="bands", title="one")


def trials() -> None:
    with SummaryWriter(str(root / "trials")) as w:
        for i, (lr, opt) in enumerate([(0.1, "sgd"), (0.01, "adam"), (0.001, "adam")]):
            params = {"lr": lr, "opt": opt, "layers": 2 + i, "bn": i % 2 == 0}
            w.add_hparams(params, {"accuracy": 0.7 + i / 20, "loss": 0.5 / (i + 1)}, name=f"trial_{i}", global_step=i)


def embeddings() -> None:
    with SummaryWriter(str(root / "embedding")) as w:
        points, names = numbers.standard_normal((16, 4)), list("abcdefghijklmnкл")
        rows = [[name, str(i % 3)] for i, name in enumerate(names)]
        pictures = np.stack([gradient(i, 3, 8, 8) for i in range(16)])
        w.add_embedding(points, metadata=rows, label_img=pictures, metadata_header=["name", "class"], global_step=0)
        w.add_embedding(points * 2, metadata=names, global_step=1, tag="single_column")


several_runs()
layouts()
trials()
embeddings()
