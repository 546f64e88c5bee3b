"""Zooming loads more points and can be reset (checks 10 and 11)."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from support import scalar_logs
from support.board_process import BoardProcess
from support.chart_cards import data_number, drag, fetch_series, find_card, hover_step
from support.page_driver import PageDriver
from support.settled_pages import go_back, settle


def x_range(page: Page) -> tuple[float, float]:
    loss = find_card(page, "loss")
    return data_number(loss, "xmin"), data_number(loss, "xmax")


def test_zoom_asks_for_the_range_and_draws_every_point_of_it(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """Check 10: after a drag over a few percent of x, every point held in the range is drawn."""
    page = driver.open(fifty_runs, "&smoothing=0")
    loss = find_card(page, "loss")
    before = data_number(loss, "drawn")
    with page.expect_request(lambda r: "scalars/chart" in r.url and '"x0":null' not in (r.post_data or "")) as asked:
        drag(page, loss, 0.5, 0.53)

    chart = json.loads(asked.value.post_data)["charts"][0]
    settle(page)
    low, high = x_range(page)
    assert chart["x0"] == pytest.approx(low, abs=1)
    assert chart["x1"] == pytest.approx(high, abs=1)
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.drawn !== {before}")
    settle(page)
    inside = sum(
        sum(1 for _, step, _ in fetch_series(fifty_runs, f"run_{run:02d}", "loss") if low <= step <= high)
        for run in range(50)
    )
    # One neighbour on either side of each run leads the line to the edge.
    assert inside <= data_number(loss, "drawn") <= inside + 2 * 50


def test_a_spike_of_one_point_is_seen_at_full_view(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """Check 10: downsampling keeps the one value that is 100 times too high; its run comes with it."""
    spike = fetch_series(fifty_runs, "run_01", "loss")[scalar_logs.SPIKE_AT][2]
    page = driver.open(fifty_runs, "&smoothing=0&ignoreOutliers=false")
    loss = find_card(page, "loss")

    row = hover_step(page, loss, scalar_logs.SPIKE_AT, down=0.05)

    assert (row["run"], row["value"]) == ("run_01", str(spike))


def test_double_click_goes_back(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """Check 11: the range is the first one again."""
    page = driver.open(fifty_runs)
    first = x_range(page)
    loss = find_card(page, "loss")
    drag(page, loss, 0.4, 0.5)
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin > {first[0] + 100}")
    settle(page)

    box = loss.locator("canvas").first.bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin === {first[0]}")
    settle(page)
    assert x_range(page) == first


def test_the_back_button_goes_back(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """Check 11: zooming is a step of the browser's history."""
    page = driver.open(fifty_runs)
    first = x_range(page)
    drag(page, find_card(page, "loss"), 0.4, 0.5)
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin > {first[0] + 100}")

    go_back(page)

    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin === {first[0]}")
    settle(page)
    assert x_range(page) == first


def test_back_after_a_pan_returns_to_the_zoom_before(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """A gesture that shows many ranges on its way is one step of the history, and writes over none."""
    page = driver.open(fifty_runs)
    loss = find_card(page, "loss")
    drag(page, loss, 0.4, 0.5)
    expect(page).to_have_url(re.compile("zoom="))
    zoomed = page.url
    page.keyboard.down("Shift")
    drag(page, loss, 0.6, 0.3)
    page.keyboard.up("Shift")
    expect(page).not_to_have_url(zoomed)
    settle(page)

    go_back(page)

    expect(page).to_have_url(zoomed)
