"""Log folders of meshes for the browser tests: solids that grow, a cloud of many points, what cannot be drawn."""

import array
import math
import pathlib
from collections.abc import Sequence

from lightboard.testing import event_files as ef

START = 1_750_000_000.0
RUNS = ("baseline", "lr_1e-3")
STEPS = (0, 10, 20)
MANY = 200_001
PARTS = {"VERTEX": 1, "FACE": 2, "COLOR": 3}

CORNERS = (1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, -1.0)
SIDES = (0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2)
COLORS = (255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0)


def meshes(folder: pathlib.Path) -> None:
    """Two runs: a solid with colours, a plain one with an odd name, two clouds in a batch; the second run is larger."""
    for number, run in enumerate(RUNS):
        records = []
        for step in STEPS[number:]:
            grown = [x * (1 + number + step / 20) for x in CORNERS]
            records += [
                part("shapes/solid", "VERTEX", step, grown),
                part("shapes/solid", "FACE", step, SIDES),
                part("shapes/solid", "COLOR", step, COLORS),
                part("имя/训练 🚀/עברית", "VERTEX", step, grown),
                part("pair", "VERTEX", step, [*grown, *(x / 2 for x in grown)], shape=(2, 4, 3)),
            ]
        _write(folder / run, records)


def broken(folder: pathlib.Path) -> None:
    """What cannot be drawn, or not all of it; a scene that would like to run something; very many points."""
    nowhere = [math.nan, math.inf, 0.0] * 4
    scene = '{"camera": {"cls": "constructor"}, "material": {"cls": "alert(1)"}, "lights": "<script>"}'
    spiral = array.array("f")
    for at in range(MANY):
        spiral.extend((math.cos(at / 500), at / MANY, math.sin(at / 500)))
    records = [
        part("part/vertices", "VERTEX", 0, [*CORNERS, *nowhere[:3]]),
        part("part/vertices", "FACE", 0, [*SIDES, 0, 1, 4, 0, 1, 99, 0, 1, -7]),
        part("nothing", "VERTEX", 0, nowhere),
        part("not a mesh", "VERTEX", 0, CORNERS, shape=(4, 3, 1)),
        part("a gigabyte", "VERTEX", 0, CORNERS, shape=(1, 2**28, 3)),
        part("scene", "VERTEX", 0, CORNERS, config=scene),
        part("colours", "VERTEX", 0, CORNERS),
        part("colours", "COLOR", 0, COLORS[:6]),
        part("cloud", "VERTEX", 0, spiral.tolist()),
    ]
    _write(folder / "run", records)


def part(
    name: str, kind: str, step: int, numbers: Sequence[float], *, shape: tuple[int, ...] = (), config: str = ""
) -> bytes:
    """A record with one part of a mesh."""
    shape = shape or (1, len(numbers) // 3, 3)
    content = ef.bytes_field(2, name.encode()) + ef.varint_field(3, PARTS[kind])
    content += ef.bytes_field(5, config.encode()) + b"".join(ef.varint_field(6, size) for size in shape)
    proto = ef.tensor(ef.FLOAT, numbers, shape=shape, content=True)
    return ef.tensor_record(f"{name}_{kind}", step, proto, START + step, ef.summary_metadata("mesh", content))


def _write(folder: pathlib.Path, records: list[bytes]) -> None:
    ef.write_events(folder / f"events.out.tfevents.{int(START)}.trainer", records)
