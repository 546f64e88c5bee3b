"""Groups of runs: statistic and band equal NumPy's to 1e-6."""

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lightboard.testing.event_files import scalar_record, start_record, version_record
from lightboard.testing.provider import Point
from support.board_client import BoardClient
from support.chart_decoding import ChartBlock, Column, decode_charts

STATISTICS = ("mean", "median")
BANDS = ("none", "sd", "se", "minmax")


def walk(seed: int, count: int, *, stride: int = 1, begin: int = 0) -> list[Point]:
    """A run of its own length and pace; values that float32 holds, now and then none."""
    chance = random.Random(seed)
    step, points = begin, []
    for _ in range(count):
        value = math.nan if chance.random() < 0.02 else chance.randrange(-4000, 4000) / 64
        points.append((step, 1.7e9 + seed * 1000 + step * 0.5, value))
        step += chance.randint(1, 2 * stride - 1)
    return points


EQUAL = [walk(seed, 300) for seed in range(5)]
UNEQUAL = [walk(seed, 90 + 40 * seed, stride=seed + 1, begin=seed * 11) for seed in range(6)]


def smoothed(values: Sequence[float], weight: float) -> list[float]:
    """TensorBoard's formula."""
    last, count, out = 0.0, 0, []
    for value in values:
        if math.isfinite(value):
            last = last * weight + (1 - weight) * value
            count += 1
        out.append(last / (1 - weight**count) if weight and math.isfinite(value) else value)
    return out


def lines_of(members: Sequence[Sequence[Point]], axis: str, weight: float) -> list[tuple[Column, Column]]:
    """x and y of each member, NaN where it is no number."""
    found = []
    for points in members:
        steps, walls, values = (np.array(column, float) for column in zip(*points, strict=True))
        x = {"step": steps, "relative": walls - walls[0], "wall": walls}[axis]
        y = np.array(smoothed(values.tolist(), weight))
        found.append((x, y))
    return found


def expected(lines: Sequence[tuple[Column, Column]], statistic: str, band: str) -> tuple[Column, ...]:
    """x, statistic, lower and upper edge, number of members and of those without a number, by NumPy."""
    union = np.unique(np.concatenate([x for x, _ in lines]))
    finite = [np.isfinite(y) for _, y in lines]
    rows = np.array(
        [np.interp(union, x[f], y[f], left=np.nan, right=np.nan) for (x, y), f in zip(lines, finite, strict=True)]
    )
    void = np.array([np.isin(union, x[~f]) for (x, _), f in zip(lines, finite, strict=True)])
    values = np.ma.masked_array(rows, void | np.isnan(rows))
    line = np.ma.mean(values, axis=0) if statistic == "mean" else np.ma.median(values, axis=0)
    count = np.ma.count(values, axis=0)
    deviation = np.ma.std(values, axis=0)
    reach = {"none": 0 * deviation, "sd": deviation, "se": deviation / np.sqrt(count)}.get(band)
    low, high = (values.min(axis=0), values.max(axis=0)) if reach is None else (line - reach, line + reach)
    edges = (np.ma.filled(column, np.nan) for column in (line, low, high))
    return union, *edges, count, np.sum(void, axis=0)


def client_of(members: Sequence[Sequence[Point]]) -> BoardClient:
    return BoardClient({f"run{i}": {"loss": points} for i, points in enumerate(members)})


def draw(client: BoardClient, chart: dict[str, Any], **style: Any) -> list[ChartBlock]:
    """The blocks of one chart."""
    answer = client.post("/api/v1/scalars/chart", json={"px": 4000, "charts": [{"tag": "loss", **chart}], **style})
    assert answer.status_code == 200, answer.text
    (chart_blocks,) = decode_charts(answer.content)
    return chart_blocks


def draw_group(
    client: BoardClient, runs: int, x0: float | None = None, x1: float | None = None, **style: Any
) -> ChartBlock:
    """The block of all runs as one group, alone."""
    group = {"id": 4_000_000_000, "runs": [*range(runs)]}
    (block,) = draw(client, {"runs": [], "groups": [group], "x0": x0, "x1": x1}, **style)
    return block


def assert_close(block: ChartBlock, wanted: Sequence[Column]) -> None:
    x, line, low, high, count, nonfinite = wanted
    scale = float(np.nanmax(np.abs([low, high])))
    assert (block.members, block.nonfinite) == (count.tolist(), nonfinite.tolist())
    np.testing.assert_allclose(block.x, x, rtol=0, atol=1e-6)  # microseconds
    for found, by_numpy in ((block.y, line), (block.low, low), (block.high, high)):
        np.testing.assert_allclose(found, by_numpy, rtol=1e-6, atol=1e-7 * scale)


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("members", [EQUAL, UNEQUAL], ids=["equal steps", "unequal steps"])
def test_statistics_and_bands_equal_numpy(members: list[list[Point]], statistic: str, band: str) -> None:
    """At every step of any member, over members that have started and not ended."""
    block = draw_group(client_of(members), len(members), statistic=statistic, band=band)

    assert (block.run, block.raw) == (4_000_000_000, True)
    assert_close(block, expected(lines_of(members, "step", 0), statistic, band))


@pytest.mark.parametrize("members", [EQUAL, UNEQUAL], ids=["equal steps", "unequal steps"])
def test_members_are_smoothed_before_aggregation(members: list[list[Point]]) -> None:
    """And then taken together, not the other way round."""
    block = draw_group(client_of(members), len(members), smoothing=0.9)

    assert_close(block, expected(lines_of(members, "step", 0.9), "mean", "sd"))


@pytest.mark.parametrize("axis", ["relative", "wall"])
def test_time_axes(axis: str) -> None:
    """Relative and wall time of each member."""
    block = draw_group(client_of(UNEQUAL), len(UNEQUAL), axis=axis, band="minmax")

    assert_close(block, expected(lines_of(UNEQUAL, axis, 0), "mean", "minmax"))


def test_ranges_include_neighbours() -> None:
    """So that lines reach the edges; smoothing uses the whole series."""
    block = draw_group(client_of(UNEQUAL), len(UNEQUAL), 50.5, 80.5, smoothing=0.8)

    x, *columns = expected(lines_of(UNEQUAL, "step", 0.8), "mean", "sd")
    first, last = np.searchsorted(x, 50.5) - 1, np.searchsorted(x, 80.5) + 1
    assert_close(block, [column[first:last] for column in (x, *columns)])


def test_the_last_point_of_a_step_counts() -> None:
    """Also for neighbours of the range."""
    ties = [(0, 1.0, 1.0), (5, 2.0, 9.0), (5, 3.0, 2.0), (9, 4.0, 7.0), (9, 5.0, 3.0), (9, 6.0, 4.0)]
    block = draw_group(client_of([ties]), 1, 5.5, 6.0)

    assert [*zip(block.x, block.y, strict=True)] == [(5, 2), (9, 4)]


@pytest.mark.parametrize("where", [(-100.0, -1.0), (1e6, 2e6), (60.0, 50.0)])
def test_ranges_without_points_are_empty(where: tuple[float, float]) -> None:
    """Inverted ones too; totals are still reported."""
    block = draw_group(client_of(EQUAL), len(EQUAL), *where)

    assert (block.x.size, block.members, block.held) == (0, [], 1500)


def test_downsampling_keeps_exact_extremes() -> None:
    """First, last, and extremes of line and band in each pixel column."""
    members = [walk(seed, 4000) for seed in range(4)]
    block = draw_group(client_of(members), len(members), px=100)

    x, *columns = expected(lines_of(members, "step", 0), "mean", "sd")
    assert not block.raw
    assert_close(block, [x[np.isin(x, block.x)], *(column[np.isin(x, block.x)] for column in columns)])
    by_pixel = np.minimum((x - x[0]) * (100 / (x[-1] - x[0])), 99).astype(int)
    drawn = np.minimum((block.x - x[0]) * (100 / (x[-1] - x[0])), 99).astype(int)
    line, low, high, *_ = columns
    for pixel in range(100):
        here, there = drawn == pixel, by_pixel == pixel
        assert (block.x[here][0], block.x[here][-1]) == (x[there][0], x[there][-1])
        assert block.y[here].min() == pytest.approx(line[there].min(), rel=1e-6)
        assert block.y[here].max() == pytest.approx(line[there].max(), rel=1e-6)
        assert block.low[here].min() == pytest.approx(low[there].min(), rel=1e-6)
        assert block.high[here].max() == pytest.approx(high[there].max(), rel=1e-6)
        assert here.sum() <= 7


def test_superseded_points_are_ignored() -> None:
    """Unless requested: then the later value of a step counts."""
    client = BoardClient({"other": {"loss": [(0, 1.0, 1.0), (8, 9.0, 1.0)]}})
    records = [scalar_record("loss", step, float(step), 1.0 + step) for step in range(6)]
    again = [scalar_record("loss", step, 10.0, 20.0 + step) for step in (3, 7)]
    data = b"".join([version_record(), *records, start_record(step=3), *again])
    client.memory.storage.write("restarted/events.out.tfevents.0", data)
    client.memory.refresh()

    hidden = draw_group(client, 2, band="minmax")
    shown = draw_group(client, 2, band="minmax", orphans=True)

    assert [*zip(hidden.x, hidden.high, strict=True)] == [(0, 1), (1, 1), (2, 2), (3, 10), (7, 10), (8, 1)]
    assert [*zip(shown.x, shown.high, strict=True)] == [
        (0, 1),
        (1, 1),
        (2, 2),
        (3, 10),
        (4, 4),
        (5, 5),
        (7, 10),
        (8, 1),
    ]


def test_groups_follow_runs() -> None:
    """In request order; groups without the tag are omitted."""
    client = client_of(EQUAL)
    groups = [{"id": 9, "runs": [3, 1]}, {"id": 2, "runs": [77]}, {"id": 3, "runs": [0]}]

    blocks = draw(client, {"runs": [4, 2], "groups": groups})

    assert [(block.run, block.members is not None) for block in blocks] == [
        (2, False),
        (4, False),
        (9, True),
        (3, True),
    ]
    assert [block.held for block in blocks] == [300, 300, 600, 300]


def test_a_group_of_one_equals_its_run() -> None:
    """Without a band."""
    client = client_of([EQUAL[1]])

    run, group = draw(client, {"groups": [{"id": 5, "runs": [0]}]})

    finite = np.isfinite(run.y)
    for found in (group.y, group.low, group.high):
        np.testing.assert_array_equal(found, run.y)
    assert group.x.tolist() == run.x.tolist()
    assert (group.members, group.nonfinite) == (finite.astype(int).tolist(), (~finite).astype(int).tolist())


def seeds(*ends: float) -> list[list[Point]]:
    """Runs of one pace that go well until step 4 and end in a value each, of which the third goes on longer."""
    return [
        [*((step, 1.7e9 + step, 2.0) for step in range(4)), *((step, 1.7e9 + step, end) for step in range(4, last))]
        for end, last in zip(ends, (6, 6, 8), strict=True)
    ]


def test_diverged_members_are_counted() -> None:
    """If two of three end in NaN, the third remains and the count is reported at each point."""
    block = draw_group(client_of(seeds(math.nan, math.nan, 1.22)), 3)

    assert [*zip(block.x, block.members, block.nonfinite, strict=True)] == [
        *((step, 3, 0) for step in range(4)),
        *((step, 1, 2) for step in range(4, 8)),
    ]
    assert block.y.tolist() == pytest.approx([2.0] * 4 + [1.22] * 4)


def test_fully_diverged_groups_end_with_nan() -> None:
    """One NaN, and nothing after it."""
    block = draw_group(client_of(seeds(math.nan, math.inf, math.nan)), 3)

    assert [*zip(block.x, block.members, block.nonfinite, strict=True)] == [*((s, 3, 0) for s in range(4)), (4, 0, 3)]
    assert np.isnan([block.y[-1], block.low[-1], block.high[-1]]).all()


def test_members_without_numbers_are_counted() -> None:
    """From their first point."""
    members = [[(step, 1.7e9 + step, value) for step in range(3)] for value in (math.nan, 1.0)]
    block = draw_group(client_of(members), 2)

    assert (block.members, block.nonfinite) == ([1, 1, 1], [1, 1, 1])


def test_ranges_after_a_divergence_count_it() -> None:
    """What was lost before the part in view is lost in it."""
    members = seeds(math.nan, 1.0, 1.22)
    members[2] += [(step, 1.7e9 + step, 1.22) for step in range(8, 20)]
    block = draw_group(client_of(members), 3, 10, 12)

    assert [*zip(block.x, block.members, block.nonfinite, strict=True)] == [(step, 1, 1) for step in range(9, 14)]


@pytest.mark.parametrize("px", [8, 40])
def test_downsampling_keeps_divergence_steps(px: int) -> None:
    """Exactly, on narrow charts too."""
    members = [[(step, 1.7e9 + step, math.sin(step + seed)) for step in range(2000)] for seed in range(3)]
    members[1] = [(step, wall, value if step < 777 else math.nan) for step, wall, value in members[1]]
    block = draw_group(client_of(members), 3, px=px)

    assert not block.raw
    assert min(x for x, lost in zip(block.x, block.nonfinite, strict=True) if lost) == 777
