"""Step, relative and wall time axes (check 13)."""

import pytest

from support.board_process import BoardProcess
from support.chart_cards import data_number, fetch_series, find_card, hover, tooltip_rows
from support.page_driver import PageDriver


def test_the_step_axis_spans_the_steps(driver: PageDriver, sweep: BoardProcess) -> None:
    """By default x is the step, from the first to the last."""
    page = driver.open(sweep)
    loss = find_card(page, "train/loss")

    assert (data_number(loss, "xmin"), data_number(loss, "xmax")) == (0, 9_990)


def test_the_relative_axis_starts_at_zero(driver: PageDriver, sweep: BoardProcess) -> None:
    """Seconds since the first point of each run."""
    page = driver.open(sweep)
    page.get_by_role("radio", name="Relative").click()
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmax < 1000")
    loss = find_card(page, "train/loss")

    assert (data_number(loss, "xmin"), data_number(loss, "xmax")) == (0, pytest.approx(499.5))


def test_the_wall_axis_spans_all_runs(driver: PageDriver, sweep: BoardProcess) -> None:
    """From the first to the last event."""
    page = driver.open(sweep)
    page.get_by_role("radio", name="Wall time").click()
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmax > 1e9")
    loss = find_card(page, "train/loss")
    first = fetch_series(sweep, "baseline", "train/loss")[0][0]
    last = fetch_series(sweep, "big/seed2", "train/loss")[-1][0]

    assert data_number(loss, "xmin") == pytest.approx(first, abs=1e-3)
    assert data_number(loss, "xmax") == pytest.approx(last, abs=1e-3)


def test_tooltips_agree_on_every_axis(driver: PageDriver, sweep: BoardProcess) -> None:
    """Run, step and value equal the stored ones."""
    page = driver.open(sweep, "&smoothing=0&axis=wall")
    hover(page, find_card(page, "train/loss"), 0.5, 0.3)
    row = tooltip_rows(page)[0]

    stored = {int(step): value for _, step, value in fetch_series(sweep, row["run"], "train/loss")}

    assert float(row["value"]) == pytest.approx(stored[int(row["step"])], rel=1e-6)
