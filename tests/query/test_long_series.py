"""A series a stretch at a time: the same points as whole, whatever restarts and files it has."""

import pytest

from lightboard.query.export import stretches
from lightboard.query.scalars import points_of
from lightboard.testing.event_files import scalar_records, start_record, version_record
from lightboard.testing.fakes import MemoryBoard, event_file

POINTS = [(step, step + 0.5) for step in range(10)]


@pytest.fixture
def memory() -> MemoryBoard:
    """A run of three files: ten points, a file of another tag, and a restart at step 6 that goes on to 12."""
    again = [
        start_record(step=6, wall_time=20.0),
        *scalar_records("loss", [(s, 20.0 + s, -1.0 * s) for s in range(6, 13)]),
    ]
    return MemoryBoard(
        {
            "a/tfevents.1": event_file("loss", POINTS),
            "a/tfevents.2": event_file("other", [(0, 0.0)], start=15.0),
            "a/tfevents.3": b"".join([version_record(wall_time=20.0), *again]),
        }
    )


@pytest.mark.parametrize("most", [1, 3, 7, 1000])
@pytest.mark.parametrize("purge", [True, False])
def test_stretches_are_the_whole_series(memory: MemoryBoard, most: int, purge: bool) -> None:
    """Row by row, marks included, none empty."""
    parts = memory.catalog.run("a").parts("loss")
    whole = points_of(parts, purge)
    pieces = list(stretches(parts, purge, most))

    assert [row for piece in pieces for row in zip(*piece, strict=True)] == list(zip(*whole, strict=True))
    assert min(len(piece.steps) for piece in pieces) > 0


def test_points_that_come_meanwhile_disturb_nothing(memory: MemoryBoard) -> None:
    """A file in the middle grows while the series is taken: no point comes twice, none is left out."""
    before = points_of(memory.catalog.run("a").parts("loss"), False)
    pieces = stretches(memory.catalog.run("a").parts("loss"), False, 4)
    taken = list(next(pieces).steps)
    memory.storage.append("a/tfevents.1", b"".join(scalar_records("loss", [(99, 99.0, 0.0)])))
    memory.look()
    taken += [step for piece in pieces for step in piece.steps]

    assert taken == [*before.steps[:10], 99, *before.steps[10:]]
