"""Settings of one card: differences, smoothing, tooltip order."""

import pytest
from playwright.sync_api import expect

from support.board_process import BoardProcess
from support.chart_cards import fetch_series, find_card, hover, tooltip_rows
from support.page_driver import PageDriver
from support.settled_pages import settle


def test_differences_are_relative_to_the_baseline(driver: PageDriver, sweep: BoardProcess) -> None:
    """At each step; the title says so."""
    page = driver.open(sweep, "&smoothing=0&tipRows=0&baseline=lr_1e-3&cards=train/loss;baseline=true")
    loss = find_card(page, "train/loss")
    expect(loss.get_by_role("heading")).to_contain_text("− lr_1e-3")
    hover(page, loss, 0.4)
    rows = tooltip_rows(page)
    step = int(rows[0]["step"])
    stored = {
        run: {at: value for _, at, value in fetch_series(sweep, run, "train/loss")}[step]
        for run in ("lr_1e-3", "baseline")
    }

    said = {row["run"]: float(row["value"]) for row in rows}

    assert said["lr_1e-3"] == 0
    assert said["baseline"] == pytest.approx(stored["baseline"] - stored["lr_1e-3"], abs=1e-9)


def test_cards_have_their_own_smoothing(driver: PageDriver, sweep: BoardProcess) -> None:
    """Others follow the page."""
    page = driver.open(sweep, "&smoothing=0.9&cards=train/loss;smoothing=0")
    hover(page, find_card(page, "train/loss"), 0.5)
    own = tooltip_rows(page)
    hover(page, find_card(page, "train/lr"), 0.5)
    settle(page)
    others = tooltip_rows(page)

    assert all("smoothed" not in row for row in own)
    assert all("smoothed" in row for row in others)


@pytest.mark.parametrize(("sort", "order"), [("ascending", 1), ("descending", -1)])
def test_tooltips_sort_by_value(driver: PageDriver, sweep: BoardProcess, sort: str, order: int) -> None:
    """All rows, in the order that was chosen."""
    page = driver.open(sweep, f"&smoothing=0&tipRows=0&tipSort={sort}")
    hover(page, find_card(page, "train/loss"), 0.3)
    values = [float(row["value"]) for row in tooltip_rows(page)]

    assert values == sorted(values, key=lambda value: order * value)
    assert len(values) == 6


def test_tooltips_have_the_chosen_number_of_rows(driver: PageDriver, sweep: BoardProcess) -> None:
    """Shift shows the rest."""
    page = driver.open(sweep, "&tipRows=3")
    hover(page, find_card(page, "train/loss"), 0.3)
    few = len(tooltip_rows(page))
    page.keyboard.down("Shift")
    expect(page.get_by_test_id("tip").locator("tbody tr")).to_have_count(6)

    assert few == 3


def test_log_x_spans_powers_of_ten(driver: PageDriver, sweep: BoardProcess) -> None:
    """The middle of the axis is the middle of the exponents."""
    page = driver.open(sweep, "&smoothing=0&logX=true")
    hover(page, find_card(page, "train/loss"), 0.55)

    step = float(tooltip_rows(page)[0]["step"])

    assert 10 < step < 1_000
