"""The body of a chart answer: heads and blocks."""

import math
import struct

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.query.scalars import JOINED_BYTES, LOT_ROWS, ChartRequest, ChartStyle, Group, lots
from lightboard.testing.event_files import scalar_records, start_record, version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.provider import chart_body, memory_provider

STYLE = ChartStyle(axis=0, px=100, smoothing=0.0, aux=False, orphans=False)
ALL = (-math.inf, math.inf)
RUNS = {
    "a": {"loss": [(0, 1.0, 4.0), (1, 2.0, 2.0)], "lr": [(0, 1.0, 0.5)]},
    "b": {"loss": [(0, 1.0, 8.0)]},
}


def charts_of(body: bytes) -> list[tuple[int, int, list[int]]]:
    """(index, number of blocks, run of each block) of every chart."""
    magic, count, _ = struct.unpack_from("<4sIQ", body)
    assert magic == b"LBC1"
    at, found = 16, []
    for _ in range(count):
        index, series, length = struct.unpack_from("<IIQ", body, at)
        at += 16
        found.append((index, series, runs_of(body[at : at + length])))
        at += length
    assert at == len(body)
    return found


def runs_of(blocks: bytes) -> list[int]:
    """Run id at the head of each block; blocks are walked by the lengths in their heads."""
    at, runs = 0, []
    while at < len(blocks):
        run, flags, n, m = struct.unpack_from("<IIII", blocks, at)
        dx, dsx, daux, restarts = struct.unpack_from("<IIII", blocks, at + 48)
        width = 8 if flags & 2 else 4
        at += 64 + padded(n * width) + padded(m * width) + restarts * 8
        at = padded(at + dx + dsx + daux)
        runs.append(run)
    return runs


def padded(length: int) -> int:
    return (length + 7) // 8 * 8


def test_charts_stand_in_the_order_asked_with_runs_by_slot() -> None:
    """One block for each run that has the tag."""
    body = chart_body(memory_provider(RUNS), STYLE, [ChartRequest("lr", None, *ALL), ChartRequest("loss", None, *ALL)])

    assert charts_of(body) == [(0, 1, [0]), (1, 2, [0, 1])]


def test_only_the_runs_asked_are_drawn() -> None:
    """Unknown ids are passed over."""
    body = chart_body(memory_provider(RUNS), STYLE, [ChartRequest("loss", frozenset({1, 99}), *ALL)])

    assert charts_of(body) == [(0, 1, [1])]


def test_the_head_tells_the_generation() -> None:
    """So that a page knows how new the picture is."""
    provider = memory_provider(RUNS)

    body = chart_body(provider, STYLE, [])

    assert struct.unpack("<4sIQ", body) == (b"LBC1", 0, provider.generation)


def test_every_part_is_a_multiple_of_eight_bytes() -> None:
    """Browsers can lay typed arrays over it without copying."""
    body = chart_body(memory_provider(RUNS), STYLE, [ChartRequest("loss", None, *ALL)])

    assert len(body) % 8 == 0


def restarted_provider(purge: bool) -> CatalogProvider:
    """A run that went to step 3 and was started again at step 2."""
    first = [version_record(), *scalar_records("loss", [(s, float(s), 1.0) for s in range(4)])]
    second = [version_record(), start_record(step=2, wall_time=9.0), *scalar_records("loss", [(2, 10.0, 5.0)])]
    board = MemoryBoard({"r/events.tfevents.1": b"".join(first), "r/events.tfevents.2": b"".join(second)})
    return CatalogProvider(board.catalog, BoardSettings(logdir="x", purge_orphaned_data=purge))


def test_superseded_points_are_hidden_unless_asked_for() -> None:
    """What a restart wrote again is kept and can be seen."""
    provider = restarted_provider(purge=True)

    assert list(provider.series("r", "loss").steps) == [0, 1, 2]
    assert list(zip(*provider.series("r", "loss", orphans=True)[::3], strict=True)) == [
        (0, 0),
        (1, 0),
        (2, 1),
        (3, 1),
        (2, 0),
    ]


def test_the_flag_shows_superseded_points_everywhere() -> None:
    """--purge_orphaned_data false."""
    assert list(restarted_provider(purge=False).series("r", "loss").steps) == [0, 1, 2, 3, 2]


def test_what_a_request_could_hold_is_said_before_it_is_planned() -> None:
    """Two runs of 20,000 px could have 4 points of 6 bytes in each column; then what their two points take."""
    asked = [ChartRequest("lr", None, *ALL), ChartRequest("loss", frozenset({0}), *ALL, [Group(1, frozenset({0, 1}))])]

    pieces = memory_provider(RUNS).charts(STYLE._replace(px=20_000), asked)
    before_plans = next(pieces)
    told = [piece for piece in pieces if isinstance(piece, int)]

    assert (before_plans, told) == (3 * 20_000 * 4 * 6, [2 * 6])


def test_the_points_of_a_small_chart_are_not_counted() -> None:
    """Its lines count as if they were long, which is said once."""
    asked = [ChartRequest("loss", frozenset({0}), *ALL)]

    told = [piece for piece in memory_provider(RUNS).charts(STYLE, asked) if isinstance(piece, int)]

    assert told == [100 * 4 * 6]


def test_long_lines_are_drawn_two_at_a_time() -> None:
    """Side by side, however long; short ones until there are many rows together."""
    long, short = 10 * LOT_ROWS, LOT_ROWS // 4

    assert list(lots([long] * 5)) == [(0, 2), (2, 4), (4, 5)]
    assert list(lots([short] * 7)) == [(0, 3), (3, 6), (6, 7)]
    assert list(lots([])) == []


def test_a_small_chart_is_one_piece_with_its_heads() -> None:
    """A large one is handed over as it was drawn."""
    points = [(step, float(step), float(step % 7)) for step in range(20_000)]
    provider = memory_provider({"a": {"loss": points, "lr": points[:5]}})
    charts = [ChartRequest("lr", None, *ALL), ChartRequest("loss", None, *ALL)]
    made = [piece for piece in provider.charts(STYLE._replace(px=10_000), charts) if isinstance(piece, bytes)]

    assert [len(piece) > JOINED_BYTES for piece in made] == [False, False, True]
    assert [index for index, _, _ in charts_of(b"".join(made))] == [0, 1]
