"""What TensorBoard's `EventAccumulator` read from the corpus (tests/data/oracle), run by run."""

import gzip
import json
import math
import struct
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parent.parent / "data"


class Point(NamedTuple):
    """One point of a scalar series."""

    wall: float
    step: int
    value: float


def _runs() -> dict[str, dict[str, Any]]:
    runs = {}
    for path in sorted((DATA / "oracle").glob("*.json.gz")):
        folder = path.name.removesuffix(".json.gz")
        for name, run in json.loads(gzip.decompress(path.read_bytes()))["runs"].items():
            runs[folder if name == "." else f"{folder}/{name}"] = run
    return runs


def _thirds() -> list[float]:
    return [struct.unpack("<f", struct.pack("<f", i / 3))[0] for i in range(4)]


ORACLE = _runs()

# What TensorBoard cannot read, and what was put in: see tests/data/README.md.
_WRITTEN = {
    ("hand/forms", "half in float bits"): _thirds(),
    ("hand/forms", "bfloat16 in float bits"): _thirds(),
    ("hand/forms", "uint8 in uint32_val"): [0.0, 1.0, 2.0, 3.0],
}


def values(run: str, tag: str) -> list[float] | None:
    """The numbers of a scalar series, superseded ones included; None if the tag holds something else."""
    written = _WRITTEN.get((run, tag))
    return written if written is not None else ORACLE[run]["series"][tag].get("values")


def visible(run: str, tag: str) -> list[Point]:
    """The points of a scalar series that no restart hides."""
    series, numbers = ORACLE[run]["series"][tag], values(run, tag)
    assert numbers is not None
    hidden = set(series["hidden"])
    rows = zip(series["walls"], series["steps"], numbers, strict=True)
    return [Point(*row) for place, row in enumerate(rows) if place not in hidden]


def exact(numbers: list[float]) -> list[str]:
    """Doubles so that equal means the same bits, save that one NaN is as good as another."""
    return ["nan" if math.isnan(number) else float(number).hex() for number in numbers]
