"""Reading a long series in chunks gives the same points as reading it at once."""

import pytest

from lightboard.query.export import chunks
from lightboard.query.scalars import points_of
from lightboard.testing.event_files import scalar_records, start_record, version_record
from lightboard.testing.fakes import MemoryBoard, event_file

POINTS = [(step, step + 0.5) for step in range(10)]


@pytest.fixture
def board() -> MemoryBoard:
    """A run of three files: ten points, another tag, and a restart at step 6 that continues to 12."""
    restarted = [
        start_record(step=6, wall_time=20.0),
        *scalar_records("loss", [(s, 20.0 + s, -1.0 * s) for s in range(6, 13)]),
    ]
    return MemoryBoard(
        {
            "a/tfevents.1": event_file("loss", POINTS),
            "a/tfevents.2": event_file("other", [(0, 0.0)], start=15.0),
            "a/tfevents.3": b"".join([version_record(wall_time=20.0), *restarted]),
        }
    )


@pytest.mark.parametrize("most", [1, 3, 7, 1000])
@pytest.mark.parametrize("purge", [True, False])
def test_chunks_make_up_the_whole_series(board: MemoryBoard, most: int, purge: bool) -> None:
    """Row by row, with marks of superseded points, and without empty chunks."""
    parts = board.catalog.run("a").parts("loss")
    whole = points_of(parts, purge)
    pieces = list(chunks(parts, purge, most))

    assert [row for piece in pieces for row in zip(*piece, strict=True)] == list(zip(*whole, strict=True))
    assert min(len(piece.steps) for piece in pieces) > 0


def test_points_added_meanwhile_are_returned_once(board: MemoryBoard) -> None:
    """A file in the middle grows between two chunks."""
    before = points_of(board.catalog.run("a").parts("loss"), False)
    pieces = chunks(board.catalog.run("a").parts("loss"), False, 4)
    steps = list(next(pieces).steps)
    board.storage.append("a/tfevents.1", b"".join(scalar_records("loss", [(99, 99.0, 0.0)])))
    board.refresh()
    steps += [step for piece in pieces for step in piece.steps]

    assert steps == [*before.steps[:10], 99, *before.steps[10:]]
