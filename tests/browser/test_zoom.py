"""Zooming fetches more points, and there is a way back (checks 10 and 11)."""

import json
import re

import logs
import pytest
from cards import card, drag, hover_step, number, series
from playwright.sync_api import Page, expect
from served import Board
from visitor import Visitor


def x_range(page: Page) -> tuple[float, float]:
    loss = card(page, "loss")
    return number(loss, "xmin"), number(loss, "xmax")


def test_zoom_asks_for_the_range_and_draws_every_point_of_it(visitor: Visitor, fifty_runs: Board) -> None:
    """Check 10: after a drag over a few percent of x, every point held in the range is drawn."""
    page = visitor.open(fifty_runs, "&smoothing=0")
    loss = card(page, "loss")
    before = number(loss, "drawn")
    with page.expect_request(lambda r: "scalars/chart" in r.url and '"x0":null' not in (r.post_data or "")) as asked:
        drag(page, loss, 0.5, 0.53)

    chart = json.loads(asked.value.post_data)["charts"][0]
    low, high = x_range(page)
    assert chart["x0"] == pytest.approx(low, abs=1)
    assert chart["x1"] == pytest.approx(high, abs=1)
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.drawn !== {before}")
    inside = sum(
        sum(1 for _, step, _ in series(fifty_runs, f"run_{run:02d}", "loss") if low <= step <= high)
        for run in range(50)
    )
    # One neighbour on either side of each run leads the line to the edge.
    assert inside <= number(loss, "drawn") <= inside + 2 * 50


def test_a_spike_of_one_point_is_seen_at_full_view(visitor: Visitor, fifty_runs: Board) -> None:
    """Check 10: thinning keeps the one value that is 100 times too high; its run comes with it."""
    spike = series(fifty_runs, "run_01", "loss")[logs.SPIKE_AT][2]
    page = visitor.open(fifty_runs, "&smoothing=0&ignoreOutliers=false")
    loss = card(page, "loss")

    row = hover_step(page, loss, logs.SPIKE_AT, down=0.05)

    assert (row["run"], row["value"]) == ("run_01", str(spike))


def test_double_click_goes_back(visitor: Visitor, fifty_runs: Board) -> None:
    """Check 11: the range is the first one again."""
    page = visitor.open(fifty_runs)
    first = x_range(page)
    loss = card(page, "loss")
    drag(page, loss, 0.4, 0.5)
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin > {first[0] + 100}")

    box = loss.locator("canvas").first.bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin === {first[0]}")
    assert x_range(page) == first


def test_the_back_button_goes_back(visitor: Visitor, fifty_runs: Board) -> None:
    """Check 11: zooming is a step of the browser's history."""
    page = visitor.open(fifty_runs)
    first = x_range(page)
    drag(page, card(page, "loss"), 0.4, 0.5)
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin > {first[0] + 100}")

    page.go_back()

    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmin === {first[0]}")
    assert x_range(page) == first


def test_back_after_a_pan_returns_to_the_zoom_before(visitor: Visitor, fifty_runs: Board) -> None:
    """A gesture that shows many ranges on its way is one step of the history, and writes over none."""
    page = visitor.open(fifty_runs)
    loss = card(page, "loss")
    drag(page, loss, 0.4, 0.5)
    expect(page).to_have_url(re.compile("zoom="))
    zoomed = page.url
    page.keyboard.down("Shift")
    drag(page, loss, 0.6, 0.3)
    page.keyboard.up("Shift")
    expect(page).not_to_have_url(zoomed)

    page.go_back()

    expect(page).to_have_url(zoomed)
