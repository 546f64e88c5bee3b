"""A log folder of images for the browser tests: runs at their own steps, batches, transparency, films, and lies."""

import io
import math
import pathlib

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightboard.testing import event_files as ef
from lightboard.testing.encoded_images import png as claimed

START = 1_750_000_000.0
IMAGES = ef.summary_metadata("images", display_name="", description="What the model draws.")
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>top.hacked = true</script></svg>"
Pixels = NDArray[np.uint8]

RUNS = {"baseline": 1000, "lr_1e-3": 1000, "seed0": 950}
"""Runs and the stride of their steps."""

COUNT = 9


def gallery(folder: pathlib.Path) -> None:
    """`samples/generated` (96 x 96), `samples/digits` (batches of four, 28 x 28), `masks` (with alpha), `figure`
    (large), `film` (a GIF), and scalars beside them."""
    for number, (run, stride) in enumerate(RUNS.items()):
        records = []
        for at in range(COUNT):
            step = at * stride
            values = [
                ef.image_value("samples/generated", encoded(drawn(96, at, number))),
                ef.scalar_value("train/loss", math.exp(-at / 4) + 0.1 * number),
            ]
            digits = [encoded(digit(at, number, sample)) for sample in range(4)]
            strings = [b"28", b"28", *digits]
            values.append(ef.tensor_value("samples/digits", ef.tensor(ef.STRING, strings, shape=[6]), IMAGES))
            values.append(ef.image_value("masks", encoded(mask(64, at))))
            records.append(ef.summary_record(values, step=step, wall_time=START + step))
        last = [
            ef.image_value("figure", encoded(figure(number))),
            ef.image_value("film", film(number)),
        ]
        records.append(ef.summary_record(last, step=8 * stride, wall_time=START + 9 * stride))
        ef.write_events(folder / run / "events.out.tfevents.1750000000.host", records)


def lies(folder: pathlib.Path) -> None:
    """Images that are none, claim too much, are broken off, or are very many in one step."""
    whole = encoded(drawn(96, 3, 0))
    many = [b"1", b"1", *[encoded(digit(at, 0, 0)) for at in range(40)]]
    values = {
        "lies/huge": ef.image_value("lies/huge", claimed(100_000, 100_000), width=8, height=8),
        "lies/svg": ef.image_value("lies/svg", SVG),
        "lies/cut": ef.image_value("lies/cut", whole[:60]),
        "lies/empty": ef.tensor_value("lies/empty", ef.tensor(ef.STRING, [b"1", b"1"], shape=[2]), IMAGES),
        "lies/many": ef.tensor_value("lies/many", ef.tensor(ef.STRING, many, shape=[len(many)]), IMAGES),
    }
    record = ef.summary_record(list(values.values()), step=5, wall_time=START)
    ef.write_events(folder / "run" / "events.out.tfevents.1750000000.host", [record])


TWINS = tuple(f"transformer-large-pretrained-on-everything-seed-000{seed}" for seed in (1, 2))
ODD_RUN, ODD_TAG = "обучение/прогон №1 & <b>", "训练/图 🚀/עברית #1?"


def odd(folder: pathlib.Path) -> None:
    """Names in many scripts, with signs that mean something elsewhere."""
    records = [
        ef.summary_record([ef.image_value(ODD_TAG, encoded(drawn(16, at, 0)))], step=step, wall_time=START)
        for at, step in enumerate((-5, 0, 2**53))
    ]
    ef.write_events(folder / ODD_RUN / "events.out.tfevents.1750000000.host", records)


LONGEST_TAG = "tag" * 21_845
"""64 KiB."""


def long_named(folder: pathlib.Path) -> None:
    """An image of a tag that no address has room for."""
    record = ef.summary_record([ef.image_value(LONGEST_TAG, encoded(drawn(16, 0, 0)))], step=1, wall_time=START)
    ef.write_events(folder / "run" / "events.out.tfevents.1750000000.host", [record])


def twins(folder: pathlib.Path) -> None:
    """Two runs whose names are long and differ at their ends."""
    for name in TWINS:
        record = ef.summary_record([ef.image_value("digits", encoded(drawn(16, 0, 0)))], step=1, wall_time=START)
        ef.write_events(folder / name / "events.out.tfevents.1750000000.host", [record])


DEEP = tuple(
    f"{data}/{model}/lr0.0001_wd{decay}/seed0"
    for data in ("imagenet1k", "coco2017")
    for model in ("convnext_tiny_in22k", "convnext_tiny_in22c")
    for decay in ("0", "0.05")
)
LONG_TAGS = tuple(f"model/encoder/layers/{layer:02}/attention/self/query/weight/grad_norm" for layer in (0, 11))


def deep(folder: pathlib.Path) -> None:
    """Eight runs four folders deep that all end alike, with an image and scalars whose tags are as long."""
    for number, name in enumerate(DEEP):
        values = [ef.image_value("digits", encoded(drawn(16, 0, number)))]
        values += [ef.scalar_value(tag, 0.1 * number) for tag in LONG_TAGS]
        record = ef.summary_record(values, step=1000, wall_time=START)
        ef.write_events(folder / name / "events.out.tfevents.1750000000.host", [record])


def encoded(pixels: Pixels) -> bytes:
    """As PNG."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def drawn(side: int, at: int, number: int) -> Pixels:
    """Rings that sharpen with the steps."""
    y, x = np.mgrid[0:side, 0:side] / side - 0.5
    rings = np.sin(np.hypot(x, y) * (10 + 6 * at) + number)
    noise = np.random.default_rng(at * 7 + number).normal(0, (COUNT - at) / COUNT, (side, side))
    value = 128 + 90 * rings + 60 * noise
    channels = [value * (0.5 + 0.5 * (number == channel)) for channel in range(3)]
    return np.clip(np.stack(channels, axis=-1), 0, 255).astype(np.uint8)


def digit(at: int, number: int, sample: int) -> Pixels:
    """A grey square with a bar that moves."""
    pixels = np.zeros((28, 28), np.uint8)
    pixels[4:24, 4:24] = 60 + 10 * number
    pixels[4:24, 4 + 2 * at : 6 + 2 * at] = 255
    pixels[6 + 4 * sample : 8 + 4 * sample, 4:24] = 200
    return pixels


def mask(side: int, at: int) -> Pixels:
    """A disc that grows, clear around it."""
    y, x = np.mgrid[0:side, 0:side] - side / 2
    inside = np.hypot(x, y) < 8 + 2.5 * at
    pixels = np.zeros((side, side, 4), np.uint8)
    pixels[inside] = (220, 60, 90, 230)
    return pixels


def figure(number: int) -> Pixels:
    """Larger than its place: lines on white."""
    pixels = np.full((600, 900, 3), 255, np.uint8)
    for line in range(0, 900, 30):
        pixels[:, line] = (225, 230, 238)
    x = np.arange(900)
    for width in range(3):
        y = (300 + 200 * np.sin(x / (60 + 20 * number))).astype(int) + width
        pixels[y, x] = (70, 107, 244)
    return pixels


def film(number: int) -> bytes:
    """A GIF of eight pictures that goes on for ever."""
    pictures = [Image.fromarray(drawn(48, at, number)) for at in range(8)]
    out = io.BytesIO()
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=120, loop=0)
    return out.getvalue()
