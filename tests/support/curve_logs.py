"""Log folders with PR curves and layouts of scalars, for the browser tests of these pages."""

import pathlib

import numpy as np
from numpy.typing import NDArray

from lightboard.testing import event_files as ef
from support.scalar_logs import START

RUNS = ("baseline", "wide", "seed0")
STEPS = tuple(range(0, 10_000, 1_000))
THRESHOLDS = 127
ODD_TAG = 'pr/<b>каша</b> "損失" ‮abc'

Rows = NDArray[np.float32]


def curve(labels: NDArray[np.bool_], scores: NDArray[np.float64], thresholds: int = THRESHOLDS) -> Rows:
    """The six rows that writers store, by their definition."""
    at = np.linspace(0, 1, thresholds)[:, None]
    called = scores[None] >= at
    tp, fp = (called & labels).sum(1), (called & ~labels).sum(1)
    tn, fn = (~called & ~labels).sum(1), (~called & labels).sum(1)
    return np.array([tp, fp, tn, fn, tp / np.maximum(1e-7, tp + fp), tp / np.maximum(1e-7, tp + fn)], np.float32)


def pr_record(tag: str, step: int, rows: Rows) -> bytes:
    """An event with one curve."""
    metadata = ef.summary_metadata("pr_curves", ef.varint_field(2, rows.shape[1]))
    numbers = ef.tensor(ef.FLOAT, rows.ravel().tolist(), shape=rows.shape, content=True)
    return ef.tensor_record(tag, step, numbers, START + step, metadata)


def rows_of(run: int, tag: int, step: int) -> Rows:
    """The curve of a run, a tag and a step: better with every step, and the same each time."""
    rng = np.random.default_rng([run, tag, step])
    labels = rng.random(500) < 0.4
    apart = 0.3 + 1.0 * step / STEPS[-1] - 0.15 * run
    scores = 1 / (1 + np.exp(-rng.normal(np.where(labels, apart, -apart), 1.2)))
    return curve(labels, scores)


def curves(root: pathlib.Path) -> None:
    """Three runs with curves of three classes and an odd name over ten steps, and a loss."""
    for run, name in enumerate(RUNS):
        tags = ["pr/class_0", "pr/class_1", "pr/class_2", ODD_TAG]
        records = [pr_record(tag, step, rows_of(run, at, step)) for at, tag in enumerate(tags) for step in STEPS]
        records += [ef.scalar_record("loss", step, 1.0 / (1 + run + step), START + step) for step in STEPS]
        ef.write_events(root / name / "events.out.tfevents.1750000000.host", records)


def words(field: int, *texts: str) -> bytes:
    """String fields."""
    return b"".join(ef.bytes_field(field, text.encode()) for text in texts)


def lines(title: str, *patterns: str) -> bytes:
    """A chart of several tags."""
    return ef.bytes_field(2, words(1, title) + ef.bytes_field(2, words(1, *patterns)))


def band(title: str, *margins: tuple[str, str, str]) -> bytes:
    """A chart of bands: value, lower, upper."""
    series = b"".join(ef.bytes_field(1, b"".join(words(at, tag) for at, tag in enumerate(tags, 1))) for tags in margins)
    return ef.bytes_field(2, words(1, title) + ef.bytes_field(3, series))


def category(title: str, *charts: bytes, closed: bool = False) -> bytes:
    """Charts under one title."""
    return ef.bytes_field(2, words(1, title) + b"".join(charts) + (ef.varint_field(3, 1) if closed else b""))


def layout_record(*categories: bytes) -> bytes:
    """An event with a layout."""
    text = ef.tensor(ef.STRING, [b"".join(categories)])
    return ef.tensor_record("custom_scalars__config__", 0, text, START, ef.summary_metadata("custom_scalars"))


LAYOUTS = (
    layout_record(
        category("losses", lines("both", "loss/.*"), band("margin", ("loss/mean", "loss/low", "loss/high"))),
        category("rest", lines("accuracy", "acc"), closed=True),
    ),
    layout_record(
        category("losses", lines("both", "loss/.*"), lines("wrong", "(acc", "nothing/.*", "acc"), lines("none", "x")),
        category('каша <b>"損失"</b>', lines("odd", "каша/.*")),
    ),
)
"""Of the first run and of the second; the third has none."""


def layouts(root: pathlib.Path) -> None:
    """Three runs of six scalars over 200 steps, two of them with a layout."""
    for run, name in enumerate(RUNS):
        records = list(LAYOUTS[run : run + 1])
        for step in range(200):
            mean = 2.0 / (1 + run + step / 20)
            values = {"loss/mean": mean, "loss/low": 0.8 * mean, "loss/high": 1.3 * mean, "loss/other": mean / 2}
            values |= {"acc": 1 - mean / 3, "каша/слой": float(np.sin(step / 20))}
            told = [ef.scalar_value(tag, value) for tag, value in values.items()]
            records.append(ef.summary_record(told, step=step, wall_time=START + step))
        ef.write_events(root / name / "events.out.tfevents.1750000000.host", records)
