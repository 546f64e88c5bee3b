"""Tooltips (check 7)."""

import pathlib
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import fetch_series, find_card, hover, plot_box, tooltip_rows
from support.page_driver import PageDriver
from support.settled_pages import press, settle


def test_c21_tooltips_show_stored_values(driver: PageDriver, sweep: BoardProcess) -> None:
    """Equal to the API's, to six digits."""
    page = driver.open(sweep, "&smoothing=0")
    hover(page, find_card(page, "train/loss"), 0.5)
    settle(page)

    for row in tooltip_rows(page):
        stored = {step: value for _, step, value in fetch_series(sweep, row["run"], "train/loss")}
        assert float(row["value"]) == pytest.approx(stored[int(row["step"])], rel=1e-6)


def test_the_nearest_run_comes_first(driver: PageDriver, sweep: BoardProcess) -> None:
    """At the top of the chart the nearest run is the one with the highest value."""
    page = driver.open(sweep, "&smoothing=0")
    loss = find_card(page, "train/loss")
    hover(page, loss, 0.35, 0.05)
    settle(page)

    values = [float(row["value"]) for row in tooltip_rows(page)]

    assert values[0] == max(values)


def test_tooltips_stay_inside_the_window(driver: PageDriver, hundred_tags: BoardProcess) -> None:
    """Wherever the pointer is, the tip is whole."""
    page = driver.open(hundred_tags)
    outside = {}
    for across in (0.15, 0.5, 0.95):
        hover(page, page.locator("[data-testid=card][data-state=ready]").nth(2), across)
        settle(page)
        tooltip_rows(page)
        box = page.get_by_test_id("tip").bounding_box()
        assert box is not None
        right, foot = box["x"] + box["width"], box["y"] + box["height"]
        if min(box["x"], box["y"]) < 0 or right > 1440 or foot > 900:
            outside[across] = box

    assert outside == {}


def test_tooltips_disappear_with_the_pointer(driver: PageDriver, sweep: BoardProcess) -> None:
    """Also when a menu opens by key."""
    page = driver.open(sweep)
    hover(page, find_card(page, "train/loss"), 0.5)
    tooltip_rows(page)

    page.mouse.move(5, 5)

    expect(page.get_by_test_id("tip").locator("tbody tr")).to_have_count(0)


def test_tooltips_stay_while_the_table_scrolls(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """To the hovered run."""
    page = driver.open(fifty_runs, "&smoothing=0", height=600)
    loss = find_card(page, "loss")
    for place in range(40):
        hover(page, loss, 0.2 + 0.015 * place)
        settle(page)
        first = tooltip_rows(page)[0]
        row = page.locator(f'[data-testid=run-row][data-run="{first["run"]}"]')
        if "nearest" in first and row.count() == 0:
            break

    expect(row).to_be_in_viewport()
    settle(page)

    assert tooltip_rows(page)[0]["run"] == first["run"]


def test_the_cursor_is_shared_by_all_cards(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 9."""
    page = driver.open(sweep)
    hover(page, find_card(page, "train/loss"), 0.5)
    tooltip_rows(page)

    page.wait_for_function(
        """() => {
            const steps = [...document.querySelectorAll('[data-testid=card] [data-testid=cursor-step]')]
                .map((mark) => mark.textContent).filter((text) => text !== '');
            return steps.length >= 3 && new Set(steps).size === 1;
        }"""
    )


def test_hovering_a_chart_marks_the_run_in_the_table(driver: PageDriver, sweep: BoardProcess) -> None:
    """So that the table is the legend."""
    page = driver.open(sweep)
    hover(page, find_card(page, "train/loss"), 0.3, 0.4)
    settle(page)
    nearest = tooltip_rows(page)[0]["run"]

    marked = page.locator("[data-testid=run-row][data-front]")

    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(nearest)
    assert plot_box(find_card(page, "train/loss"))["width"] > 200


def test_pinned_tooltips_can_be_selected(driver: PageDriver, sweep: BoardProcess) -> None:
    """They stay, name every run, and allow text selection."""
    page = driver.open(sweep)
    box = plot_box(find_card(page, "train/loss"))
    at = (box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    page.mouse.click(*at)
    tip = page.get_by_test_id("tip")
    rows = tip.locator("tbody tr")
    expect(rows).to_have_count(6)
    settle(page)
    stands = tip.bounding_box()
    assert stands is not None
    page.mouse.move(stands["x"] + 20, stands["y"] + 50, steps=8)
    rows.first.locator("bdi:visible").dblclick()
    settle(page)

    assert tip.bounding_box() == stands
    assert page.evaluate("getSelection().toString().length") > 0


def test_pinned_tooltips_close_when_the_pointer_leaves(driver: PageDriver, sweep: BoardProcess) -> None:
    """Then the tip follows the pointer again."""
    page = driver.open(sweep)
    box = plot_box(find_card(page, "train/loss"))
    x, y = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4
    page.mouse.click(x, y)
    kept = page.locator("[data-testid=tip][data-kept]")
    expect(kept).to_be_visible()
    settle(page)
    stands = kept.bounding_box()
    assert stands is not None
    away = 60 if stands["x"] < x else -60
    page.mouse.move(x + away, y, steps=6)

    expect(kept).to_have_count(0)
    tooltip_rows(page)


def test_pinned_tooltips_close_on_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """What it says may hold no more after a key."""
    page = driver.open(sweep)
    kept = page.locator("[data-testid=tip][data-kept]")
    for key, across in (("Escape", 0.4), ("ArrowRight", 0.6)):
        box = plot_box(find_card(page, "train/loss"))
        page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * 0.4)
        expect(kept, key).to_be_visible()
        press(page, key)

        expect(kept, key).to_have_count(0)


def test_on_time_axes_other_cards_show_the_time(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """Runs reach steps at different times."""
    for name, pace in (("slow", 1.0), ("quick", 0.5)):
        walls = scalar_logs.START + pace * np.arange(200)
        scalar_logs.write_run(
            tmp_path / name, {name: scalar_logs.scalars(name, range(200), walls, scalar_logs.decay(0, 0, 200))}
        )
    page = driver.open(start_board(tmp_path), "&axis=relative")
    find_card(page, "slow")
    hover(page, find_card(page, "quick"), 0.5)
    tooltip_rows(page)

    said = find_card(page, "slow").locator("header > div")
    expect(said).to_have_text(re.compile(r"^\+\d"))
    expect(said.get_by_test_id("cursor-step")).to_have_count(0)
