"""The body of a chart response: headers and blocks."""

import math
import struct

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.query.scalars import BATCH_ROWS, JOINED_BYTES, ChartRequest, ChartStyle, Group, batches
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
    """Index, number of blocks, and run of each block, for every chart."""
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
    """The run id of each block; headers contain the lengths."""
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


def test_charts_are_in_request_order() -> None:
    """With one block for each run that has the tag, by slot."""
    body = chart_body(memory_provider(RUNS), STYLE, [ChartRequest("lr", None, *ALL), ChartRequest("loss", None, *ALL)])

    assert charts_of(body) == [(0, 1, [0]), (1, 2, [0, 1])]


def test_only_requested_runs_are_drawn() -> None:
    """Unknown ids are ignored."""
    body = chart_body(memory_provider(RUNS), STYLE, [ChartRequest("loss", frozenset({1, 99}), *ALL)])

    assert charts_of(body) == [(0, 1, [1])]


def test_the_header_has_the_generation() -> None:
    """Pages compare it with that of later changes."""
    provider = memory_provider(RUNS)

    body = chart_body(provider, STYLE, [])

    assert struct.unpack("<4sIQ", body) == (b"LBC1", 0, provider.generation)


def test_all_parts_are_aligned_to_eight_bytes() -> None:
    """Browsers create typed arrays without copying."""
    body = chart_body(memory_provider(RUNS), STYLE, [ChartRequest("loss", None, *ALL)])

    assert len(body) % 8 == 0


def restarted_provider(purge: bool) -> CatalogProvider:
    """A run that reached step 3 and restarted at step 2."""
    first = [version_record(), *scalar_records("loss", [(s, float(s), 1.0) for s in range(4)])]
    second = [version_record(), start_record(step=2, wall_time=9.0), *scalar_records("loss", [(2, 10.0, 5.0)])]
    board = MemoryBoard({"r/events.tfevents.1": b"".join(first), "r/events.tfevents.2": b"".join(second)})
    return CatalogProvider(board.catalog, BoardSettings(logdir="x", purge_orphaned_data=purge))


def test_superseded_points_are_hidden_by_default() -> None:
    """With `orphans=True` they are returned and marked."""
    provider = restarted_provider(purge=True)

    assert list(provider.series("r", "loss").steps) == [0, 1, 2]
    assert list(zip(*provider.series("r", "loss", orphans=True)[::3], strict=True)) == [
        (0, 0),
        (1, 0),
        (2, 1),
        (3, 1),
        (2, 0),
    ]


def test_a_flag_shows_superseded_points_everywhere() -> None:
    """--purge_orphaned_data false."""
    assert list(restarted_provider(purge=False).series("r", "loss").steps) == [0, 1, 2, 3, 2]


def test_charts_report_their_size_before_planning() -> None:
    """First an upper bound, 4 points of 6 bytes per column and run; then the actual size."""
    requests = [
        ChartRequest("lr", None, *ALL),
        ChartRequest("loss", frozenset({0}), *ALL, [Group(1, frozenset({0, 1}))]),
    ]

    pieces = memory_provider(RUNS).charts(STYLE._replace(px=20_000), requests)
    upper_bound = next(pieces)
    sizes = [piece for piece in pieces if isinstance(piece, int)]

    assert (upper_bound, sizes) == (3 * 20_000 * 4 * 6, [2 * 6])


def test_small_charts_report_an_upper_bound() -> None:
    """Once, without counting their points."""
    requests = [ChartRequest("loss", frozenset({0}), *ALL)]

    sizes = [piece for piece in memory_provider(RUNS).charts(STYLE, requests) if isinstance(piece, int)]

    assert sizes == [100 * 4 * 6]


def test_long_lines_are_batched_in_pairs() -> None:
    """Short ones up to a number of rows."""
    long, short = 10 * BATCH_ROWS, BATCH_ROWS // 4

    assert list(batches([long] * 5)) == [(0, 2), (2, 4), (4, 5)]
    assert list(batches([short] * 7)) == [(0, 3), (3, 6), (6, 7)]
    assert list(batches([])) == []


def test_small_charts_are_joined_with_their_headers() -> None:
    """Large ones are sent as they were drawn."""
    points = [(step, float(step), float(step % 7)) for step in range(20_000)]
    provider = memory_provider({"a": {"loss": points, "lr": points[:5]}})
    charts = [ChartRequest("lr", None, *ALL), ChartRequest("loss", None, *ALL)]
    pieces = [piece for piece in provider.charts(STYLE._replace(px=10_000), charts) if isinstance(piece, bytes)]

    assert [len(piece) > JOINED_BYTES for piece in pieces] == [False, False, True]
    assert [index for index, _, _ in charts_of(b"".join(pieces))] == [0, 1]
