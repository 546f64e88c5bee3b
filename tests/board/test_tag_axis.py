"""Charts with another tag of the run on the x axis."""

import math
import random
from typing import Any

import numpy as np

from lightboard.testing.provider import Point, Runs
from support.board_client import BoardClient
from support.chart_decoding import ChartBlock, decode_charts


def draw(runs: Runs, chart: dict[str, Any] | None = None, **style: Any) -> list[ChartBlock]:
    """The blocks of one chart of `loss` over `lr`."""
    question = {"axis": "tag", "x_tag": "lr", "px": 4000, "charts": [{"tag": "loss", **(chart or {})}], **style}
    answer = BoardClient(runs).post("/api/v1/scalars/chart", json=question)
    assert answer.status_code == 200, answer.text
    (blocks,) = decode_charts(answer.content)
    return blocks


def at_steps(*pairs: tuple[int, float]) -> list[Point]:
    return [(step, 100.0 + step, value) for step, value in pairs]


LOSS = at_steps(*((step, 10.0 - step) for step in range(8)))
LR = at_steps((1, 0.5), (2, 2.0), (4, 1.0), (6, math.nan), (7, 4.0))


def test_x_is_interpolated_at_the_step() -> None:
    """Not extrapolated; NaN is skipped."""
    (block,) = draw({"a": {"loss": LOSS, "lr": LR}}, aux=True)

    assert block.x.tolist() == [0.5, 2.0, 1.5, 1.0, 2.0, 3.0, 4.0]
    assert block.y.tolist() == [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0]
    assert block.aux == [1, 2, 3, 4, 5, 6, 7]
    assert (block.raw, block.held, block.in_range) == (True, 8, 7)


def test_runs_without_the_tag_have_no_line() -> None:
    """In groups, only members with both tags count."""
    runs: Runs = {"a": {"loss": LOSS, "lr": LR}, "b": {"loss": LOSS}, "c": {"lr": LR}}

    blocks = draw(runs, {"groups": [{"id": 9, "runs": [0, 1, 2]}, {"id": 8, "runs": [1]}]})

    assert [(block.run, block.held) for block in blocks] == [(0, 8), (9, 8)]


def test_ranges_apply_to_x() -> None:
    """For every pass of the line, with neighbours."""
    (block,) = draw({"a": {"loss": LOSS, "lr": LR}}, {"x0": 1.8, "x1": 2.2})

    assert block.x.tolist() == [0.5, 2.0, 1.5, 1.0, 2.0, 3.0]


def test_smoothing_follows_steps() -> None:
    """Over the whole series."""
    (block,) = draw({"a": {"loss": LOSS, "lr": LR}}, smoothing=0.5)

    last, wanted = 0.0, []
    for count, (_, _, value) in enumerate(LOSS, start=1):
        last = last * 0.5 + value * 0.5
        wanted.append(last / (1 - 0.5**count))
    np.testing.assert_allclose(block.smoothed_y, wanted[1:], rtol=1e-6)
    assert block.smoothed_x.size == 0


def test_back_and_forth_lines_keep_extremes_per_pass() -> None:
    """Every pass through a pixel column keeps its own lowest and highest."""
    steps = range(6000)
    there_and_back = at_steps(*((step, abs(3000.0 - step)) for step in steps))
    chance = random.Random(5)
    loss = at_steps(*((step, chance.randrange(100) + 1000.0 * (step > 3000)) for step in steps))

    (block,) = draw({"a": {"loss": loss, "lr": there_and_back}}, px=50, smoothing=0.6, aux=True)

    assert not block.raw
    assert block.aux == sorted(block.aux)
    column = np.minimum(block.x * (50 / 3000), 49).astype(int)
    for pixel in range(1, 49):  # at 0 it turns back
        for late in (False, True):
            mine = [
                y for x, y, step in zip(column, block.y, block.aux, strict=True) if x == pixel and (step > 3000) == late
            ]
            values = [
                value
                for (step, _, value), (_, _, x) in zip(loss, there_and_back, strict=True)
                if min(int(x * (50 / 3000)), 49) == pixel and (step > 3000) == late
            ]
            assert (min(mine), max(mine)) == (min(values), max(values))
    assert block.smoothed_x.size == block.smoothed_y.size > 0


def test_erratic_lines_are_bounded() -> None:
    """Six exact points per pixel column."""
    chance = random.Random(6)
    loss, lr = (at_steps(*((step, chance.randrange(1 << 20) / 64) for step in range(5000))) for _ in range(2))

    (block,) = draw({"a": {"loss": loss, "lr": lr}}, px=20)

    values = [value for _, _, value in loss]
    assert block.x.size <= 20 * 6
    assert (block.y.min(), block.y.max()) == (min(values), max(values))


def test_groups_over_a_tag() -> None:
    """Members are aggregated at equal x."""
    runs: Runs = {
        "a": {"loss": at_steps((0, 1.0), (10, 3.0)), "lr": at_steps((0, 0.0), (10, 1.0))},
        "b": {"loss": at_steps((0, 5.0), (4, 3.0)), "lr": at_steps((0, 1.0), (4, 0.0))},
    }

    (block,) = draw(runs, {"runs": [], "groups": [{"id": 7, "runs": [0, 1]}]}, band="minmax")

    assert [*zip(block.x, block.y, block.low, block.high, strict=True)] == [(0, 2, 1, 3), (1, 4, 3, 5)]
    assert block.members == [2, 2]
