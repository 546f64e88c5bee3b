"""A log folder of histograms for the browser tests: distributions that drift and narrow, with a value far outside."""

import pathlib

import numpy as np

from lightboard.testing import event_files as ef

START = 1_750_000_000.0
METADATA = ef.summary_metadata("histograms")
RUNS = ("baseline", "lr_1e-3", "seed0")
TAGS = tuple(f"layer_{layer}/{part}" for layer in range(3) for part in ("kernel", "bias"))
STEPS = tuple(range(0, 3000, 10))
OUTLIER = 40.0


def spreads(folder: pathlib.Path) -> None:
    """Six tags in three runs, 300 steps of 30 buckets: 18 pictures. Each histogram holds one value at +-40."""
    for number, run in enumerate(RUNS):
        rng = np.random.default_rng(number)
        records = []
        for at, step in enumerate(STEPS):
            values = [ef.tensor_value(tag, spread(rng, at, place), METADATA) for place, tag in enumerate(TAGS)]
            records.append(ef.summary_record(values, step=step, wall_time=START + 2 * step))
        ef.write_events(folder / run / "events.out.tfevents.1750000000.host", records)


def spread(rng: np.random.Generator, at: int, place: int) -> bytes:
    """Five hundred numbers around a mean that moves, in buckets as the older writers make them: fine near zero."""
    numbers = rng.normal(np.sin(at / 100 + place) / 2, 0.4 + 0.2 * np.cos(at / 60), 500)
    numbers[0] = OUTLIER if at % 2 else -OUTLIER
    inner = np.linspace(-2.5, 2.5, 29)
    edges = np.array([-OUTLIER, *inner, OUTLIER])
    counts, _ = np.histogram(numbers, edges)
    rows = np.stack([edges[:-1], edges[1:], counts], axis=1)
    return ef.tensor(ef.DOUBLE, rows.reshape(-1).tolist(), shape=[len(rows), 3], content=True)


def odd_names(folder: pathlib.Path) -> None:
    """Names in several scripts, and histograms without width, without values, without buckets."""
    flat = [[0.5, 0.5, 0.0], [0.5, 0.5, 7.0]]
    for run in ("基线", "каша/😀", "عربي"):
        records = []
        for step, rows in enumerate(([[0.0, 1.0, 5.0]], flat, [], [[0.0, 1.0, 0.0]])):
            proto = ef.tensor(ef.DOUBLE, [x for row in rows for x in row], shape=[len(rows), 3])
            value = ef.tensor_value("权重/<b>w</b>", proto, METADATA)
            records.append(ef.summary_record([value], step=step, wall_time=START + step))
        ef.write_events(folder / run / "events.out.tfevents.1750000000.host", records)
