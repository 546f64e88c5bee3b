"""Smoothing is TensorBoard's (check 12)."""

import functools
import math
from collections.abc import Callable

import pytest

from support.board_process import BoardProcess
from support.chart_cards import fetch_series, find_card, hover, tooltip_rows
from support.page_driver import PageDriver


def smoothed(values: list[float], weight: float) -> list[float]:
    """TensorBoard's debiased exponential moving average, from its formula."""
    last, count, out = 0.0, 0, []
    if len(set(values)) == 1:
        return values
    for value in values:
        if not math.isfinite(value):
            out.append(value)
            continue
        last = last * weight + (1 - weight) * value
        count += 1
        out.append(last / (1 - weight**count))
    return out


@pytest.fixture(scope="module")
def fetch() -> Callable[[BoardProcess, str, str], list[list[float]]]:
    """As `fetch_series`, once for each series."""
    return functools.cache(fetch_series)


@pytest.mark.parametrize("weight", [0.6, 0.95])
@pytest.mark.parametrize("board_name", ["sweep", "fifty_runs"])
def test_smoothed_values_are_those_of_the_formula(
    driver: PageDriver,
    request: pytest.FixtureRequest,
    fetch: Callable[[BoardProcess, str, str], list[list[float]]],
    board_name: str,
    weight: float,
) -> None:
    """Check 12: at twenty places, on series sent whole and on thinned ones, to 1e-6."""
    board: BoardProcess = request.getfixturevalue(board_name)
    tag = "train/loss" if board_name == "sweep" else "loss"
    page = driver.open(board, f"&smoothing={weight}")
    chart = find_card(page, tag)
    for i in range(20):
        hover(page, chart, 0.2 + 0.035 * i)
        row = tooltip_rows(page)[0]
        points = fetch(board, row["run"], tag)
        steps = [int(step) for _, step, _ in points]
        expected = smoothed([value for _, _, value in points], weight)[steps.index(int(row["step"]))]
        assert float(row["smoothed"]) == pytest.approx(expected, rel=1e-6, nan_ok=True)
