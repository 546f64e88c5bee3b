"""Log folders of embeddings for the browser tests: vectors in clusters, with metadata, laid out as torch does."""

import io
import pathlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

NAMES = ("cat", "dog", "horse", "truck", "ship", "frog", "deer", "plane", "bird", "car")
TILE = 12


class Clusters(NamedTuple):
    """Vectors and the number of the cluster of each."""

    vectors: NDArray[np.float32]
    clusters: NDArray[np.int64]


def clusters(rows: int, dims: int) -> Clusters:
    """As many clusters as there are names, about equally large; the same ones each time."""
    random = np.random.default_rng(7)
    numbers = random.integers(0, len(NAMES), rows)
    middles = random.normal(size=(len(NAMES), dims)) * 3
    vectors = middles[numbers] + random.normal(size=(rows, dims))
    return Clusters(vectors.astype("<f4"), numbers)


WORDS = clusters(600, 16)
MANY = clusters(100_000, 64)


def words(folder: pathlib.Path) -> None:
    """A run with `words`, 600 points each with label, name, number and picture, and `bare`, without metadata."""
    run = folder / "run1"
    run.mkdir(parents=True)
    lines = ["label\tname\tnorm"]
    for row, (vector, number) in enumerate(zip(WORDS.vectors, WORDS.clusters, strict=True)):
        lines.append(f"{NAMES[number]}\tpoint {row}\t{np.linalg.norm(vector):.4f}")
    (run / "metadata.tsv").write_text("\n".join(lines) + "\n")
    (run / "words.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in WORDS.vectors.tolist()))
    (run / "bare.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in WORDS.vectors[:40].tolist()))
    (run / "sprite.png").write_bytes(sprite(WORDS.clusters))
    (run / "projector_config.pbtxt").write_text(
        f"""embeddings {{
  tensor_name: "words"
  metadata_path: "metadata.tsv"
  sprite {{ image_path: "sprite.png" single_image_dim: {TILE} single_image_dim: {TILE} }}
  tensor_path: "words.tsv"
}}
embeddings {{ tensor_name: "bare" tensor_path: "bare.tsv" }}
"""
    )


def many(folder: pathlib.Path) -> None:
    """F7: 100,000 points of 64 dimensions with a name, a label and a number each."""
    run = folder / "run"
    run.mkdir(parents=True)
    lines = ["word\tlabel\tsize"]
    rows = zip(MANY.clusters.tolist(), MANY.vectors[:, 0].tolist(), strict=True)
    lines += [f"word {at}\tclass {number}\t{size:.4f}" for at, (number, size) in enumerate(rows)]
    (run / "metadata.tsv").write_text("\n".join(lines) + "\n")
    (run / "tensor.bytes").write_bytes(MANY.vectors.tobytes())
    (run / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "f7" metadata_path: "metadata.tsv" tensor_path: "tensor.bytes" '
        "tensor_shape: 100000 tensor_shape: 64 }\n"
    )


def odd(folder: pathlib.Path) -> None:
    """Names in any script, and such as mean something to a browser."""
    run = folder / "прогон 1"
    run.mkdir(parents=True)
    cells = ["<b>bold</b>", "مرحبا", "猫 🐱", "a" * 200, "x;y,z=1&w", ""]
    lines = ["класс <i>\tname"] + [f"{cells[row % 6]}\t{cells[(row + 1) % 6]} {row}" for row in range(60)]
    (run / "metadata.tsv").write_text("\n".join(lines) + "\n")
    (run / "tensor.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in WORDS.vectors[:60].tolist()))
    (run / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "слова <script>;=" metadata_path: "metadata.tsv" tensor_path: "tensor.tsv" }\n'
    )


def sprite(numbers: NDArray[np.int64]) -> bytes:
    """A picture with a tile for each point, as grey as its cluster's number is high."""
    across = int(np.ceil(np.sqrt(len(numbers))))
    pixels = np.full((across * TILE, across * TILE), 255, np.uint8)
    for row, number in enumerate(numbers.tolist()):
        top, left = row // across * TILE, row % across * TILE
        pixels[top : top + TILE, left : left + TILE] = 20 * number
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()
