"""Reading values with the pointer (check 7)."""

import pathlib
import re

import logs
import numpy as np
import pytest
from cards import card, hover, plot_box, series, tip_rows
from playwright.sync_api import expect
from served import Board, Serving
from visitor import Visitor


def test_the_tip_tells_the_stored_values(visitor: Visitor, sweep: Board) -> None:
    """Every row equals the API's value of that run at that step, to six digits."""
    page = visitor.open(sweep, "&smoothing=0")
    hover(page, card(page, "train/loss"), 0.5)

    for row in tip_rows(page):
        stored = {step: value for _, step, value in series(sweep, row["run"], "train/loss")}
        assert float(row["value"]) == pytest.approx(stored[int(row["step"])], rel=1e-6)


def test_the_nearest_run_comes_first(visitor: Visitor, sweep: Board) -> None:
    """At the top of the chart the nearest run is the one with the highest value."""
    page = visitor.open(sweep, "&smoothing=0")
    loss = card(page, "train/loss")
    hover(page, loss, 0.35, 0.05)

    values = [float(row["value"]) for row in tip_rows(page)]

    assert values[0] == max(values)


@pytest.mark.parametrize("across", [0.15, 0.5, 0.95])
def test_the_tip_stays_inside_the_window(visitor: Visitor, hundred_tags: Board, across: float) -> None:
    """Wherever the pointer is, the tip is whole."""
    page = visitor.open(hundred_tags)
    hover(page, page.locator("[data-testid=card][data-state=ready]").nth(2), across)
    tip_rows(page)

    box = page.get_by_test_id("tip").bounding_box()

    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= 1440
    assert box["y"] + box["height"] <= 900


def test_the_tip_leaves_with_the_pointer(visitor: Visitor, sweep: Board) -> None:
    """None is left behind after leaving the chart, nor after opening a menu by key."""
    page = visitor.open(sweep)
    hover(page, card(page, "train/loss"), 0.5)
    tip_rows(page)

    page.mouse.move(5, 5)

    expect(page.get_by_test_id("tip").locator("tbody tr")).to_have_count(0)


def test_the_tip_stays_while_the_table_follows(visitor: Visitor, fifty_runs: Board) -> None:
    """The table scrolls to the row of the run under the pointer; the tip does not go away for that."""
    page = visitor.open(fifty_runs, "&smoothing=0", height=600)
    loss = card(page, "loss")
    for place in range(40):
        hover(page, loss, 0.2 + 0.015 * place)
        first = tip_rows(page)[0]
        row = page.locator(f'[data-testid=run-row][data-run="{first["run"]}"]')
        if "nearest" in first and row.count() == 0:
            break

    expect(row).to_be_in_viewport()

    assert tip_rows(page)[0]["run"] == first["run"]


def test_the_cursor_stands_at_the_same_step_everywhere(visitor: Visitor, sweep: Board) -> None:
    """Check 9: hovering one card draws the cursor on every visible card."""
    page = visitor.open(sweep)
    loss = card(page, "train/loss")
    card(page, "eval/loss")
    hover(page, loss, 0.5)
    tip_rows(page)

    page.wait_for_function(
        """() => {
            const steps = [...document.querySelectorAll('[data-testid=card] [data-testid=cursor-step]')]
                .map((mark) => mark.textContent).filter((text) => text !== '');
            return steps.length >= 3 && new Set(steps).size === 1;
        }"""
    )


def test_hovering_a_chart_marks_the_run_in_the_table(visitor: Visitor, sweep: Board) -> None:
    """The run nearest to the pointer is marked in the run table, so that the table is the legend."""
    page = visitor.open(sweep)
    hover(page, card(page, "train/loss"), 0.3, 0.4)
    nearest = tip_rows(page)[0]["run"]

    marked = page.locator("[data-testid=run-row][data-front]")

    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(nearest)
    assert plot_box(card(page, "train/loss"))["width"] > 200


def test_the_tip_of_a_pinned_step_can_be_copied_from(visitor: Visitor, sweep: Board) -> None:
    """It stands still while the pointer comes to it, names every run, and its rows can be selected."""
    page = visitor.open(sweep)
    box = plot_box(card(page, "train/loss"))
    at = (box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    page.mouse.click(*at)
    tip = page.get_by_test_id("tip")
    rows = tip.locator("tbody tr")
    expect(rows).to_have_count(6)
    stands = tip.bounding_box()
    assert stands is not None
    page.mouse.move(stands["x"] + 20, stands["y"] + 50, steps=8)
    rows.first.locator("bdi:visible").dblclick()

    assert tip.bounding_box() == stands
    assert page.evaluate("getSelection().toString().length") > 0


def test_the_tip_of_a_pinned_step_goes_when_the_pointer_turns_away(visitor: Visitor, sweep: Board) -> None:
    """Then the tip follows the pointer again."""
    page = visitor.open(sweep)
    box = plot_box(card(page, "train/loss"))
    x, y = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4
    page.mouse.click(x, y)
    kept = page.locator("[data-testid=tip][data-kept]")
    expect(kept).to_be_visible()
    stands = kept.bounding_box()
    assert stands is not None
    away = 60 if stands["x"] < x else -60
    page.mouse.move(x + away, y, steps=6)

    expect(kept).to_have_count(0)
    tip_rows(page)


@pytest.mark.parametrize("key", ["Escape", "ArrowRight"])
def test_the_tip_of_a_pinned_step_goes_by_key(visitor: Visitor, sweep: Board, key: str) -> None:
    """What it says may hold no more after a key."""
    page = visitor.open(sweep)
    box = plot_box(card(page, "train/loss"))
    page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    expect(page.locator("[data-testid=tip][data-kept]")).to_be_visible()
    page.keyboard.press(key)

    expect(page.locator("[data-testid=tip][data-kept]")).to_have_count(0)


def test_on_an_axis_of_time_other_cards_say_the_time(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """A minute after the start one run is at step 60 and the other at 120: the step of one is not that of the other."""
    for name, pace in (("slow", 1.0), ("quick", 0.5)):
        walls = logs.START + pace * np.arange(200)
        logs.write_run(tmp_path / name, {name: logs.scalars(name, range(200), walls, logs.decay(0, 0, 200))})
    page = visitor.open(serving(tmp_path), "&axis=relative")
    card(page, "slow")
    hover(page, card(page, "quick"), 0.5)
    tip_rows(page)

    said = card(page, "slow").locator("header > div")
    expect(said).to_have_text(re.compile(r"^\+\d"))
    expect(said.get_by_test_id("cursor-step")).to_have_count(0)
