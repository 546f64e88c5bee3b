"""Pinned step and selected range on all cards, with statistics (checks 9 and 13)."""

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from support.board_process import BoardProcess
from support.chart_cards import data_number, fetch_series, find_card, hover, plot_box
from support.page_driver import PageDriver
from support.settled_pages import press, settle, type_text

RUN, TAG = "big/seed1", "train/loss"


def click_at(page: Page, tag: str, across: float, shift: bool = False) -> None:
    """Click in a chart, with Shift or without."""
    settle(page)
    box = plot_box(find_card(page, tag))
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * 0.4)
    if shift:
        page.keyboard.up("Shift")


def parameter(page: Page, name: str) -> list[str]:
    """The parts of a parameter of the address, once it is there."""
    page.wait_for_function(f"new URLSearchParams(location.search).has('{name}')")
    text: str = page.evaluate(f"new URLSearchParams(location.search).get('{name}')")
    return text.split(",")


def summaries(page: Page) -> list[dict[str, str]]:
    """What the cards say of the range: its steps."""
    found: list[dict[str, str]] = page.get_by_test_id("range-summary").evaluate_all(
        "(texts) => texts.map((text) => ({ from: text.dataset.from, to: text.dataset.to }))"
    )
    return found


def test_a_click_pins_the_step_on_every_card(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 9: each card says the same step, and still does when it has scrolled away and back."""
    page = driver.open(sweep, height=600)
    click_at(page, TAG, 0.4)
    step = parameter(page, "pin")[0]
    page.mouse.move(5, 5)
    settle(page)
    marks = page.get_by_test_id("cursor-step")
    expect(marks).to_have_count(page.locator("[data-testid=card]").count())
    for place in (9999, 0):
        page.locator("#cards").evaluate("(list, place) => list.scrollTo(0, place)", place)
        settle(page)
    find_card(page, "eval/loss")

    assert set(marks.evaluate_all("(marks) => marks.map((mark) => mark.dataset.step)")) == {step}


def test_shift_and_a_click_reach_the_chart_under_the_tip(driver: PageDriver, sweep: BoardProcess) -> None:
    """The tip of the pinned step lies over the place of the second one."""
    page = driver.open(sweep)
    hover(page, find_card(page, TAG), 0.2, 0.4)
    expect(page.get_by_test_id("tip")).to_be_visible()
    click_at(page, TAG, 0.2)
    begin = parameter(page, "pin")[0]
    settle(page)
    tip = page.get_by_test_id("tip").bounding_box()
    assert tip is not None
    page.keyboard.down("Shift")
    page.mouse.click(tip["x"] + 20, tip["y"] + 20)
    page.keyboard.up("Shift")

    assert parameter(page, "range")[0] == begin


def test_shift_and_a_click_choose_a_range_on_every_card(driver: PageDriver, sweep: BoardProcess) -> None:
    """From the pinned step to the second one, in the address and on all cards."""
    page = driver.open(sweep)
    click_at(page, TAG, 0.3)
    first = int(parameter(page, "pin")[0])
    click_at(page, TAG, 0.7, shift=True)
    from_step, to_step = map(int, parameter(page, "range"))
    page.mouse.move(5, 5)
    expect(page.get_by_test_id("range-summary")).to_have_count(6)
    settle(page)

    assert from_step == first < to_step
    assert summaries(page) == [{"from": str(from_step), "to": str(to_step)}] * 6


def test_the_ends_of_a_range_are_dragged(driver: PageDriver, sweep: BoardProcess) -> None:
    """The grip below the chart moves the end, on all cards at once."""
    page = driver.open(sweep, "&pin=2000,baseline&range=2000,6000")
    loss = find_card(page, TAG)
    canvas = loss.locator("canvas").first.bounding_box()
    assert canvas is not None
    x_of = page.evaluate(
        """() => {
            const card = document.querySelector('[data-testid=card][data-tag="train/loss"]');
            const [min, max] = [+card.dataset.xmin, +card.dataset.xmax];
            return { min, max };
        }"""
    )
    grip = grip_of(page, canvas, 6000 / x_of["max"])
    page.mouse.move(*grip)
    page.mouse.down()
    page.mouse.move(grip[0] + 40, grip[1], steps=4)
    page.mouse.up()

    page.wait_for_function("!new URLSearchParams(location.search).get('range').endsWith(',6000')")
    begin, end = map(int, parameter(page, "range"))
    assert (begin, end > 6000) == (2000, True)


def grip_of(page: Page, canvas: dict[str, float] | Any, part: float) -> tuple[float, float]:
    """Where the pointer can take hold of the end at a part of the plot: the cursor says so."""
    y = canvas["y"] + canvas["height"] - 24
    middle = canvas["x"] + 36 + part * (canvas["width"] - 44)
    for apart in range(60):
        for x in (middle - apart, middle + apart):
            page.mouse.move(x, y)
            settle(page)
            under = page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y).closest('[role=img]')?.style.cursor", [x, y]
            )
            if under == "ew-resize":
                return x, y
    raise AssertionError("no grip was found")


def test_a_pinned_step_is_the_same_event_on_other_axes(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 13: on the relative axis the pin is where its run had the step; the card still says the step."""
    page = driver.open(sweep, "&pin=5000,baseline")
    page.get_by_role("radio", name="Relative").click()
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmax < 1000")
    marks = page.get_by_test_id("cursor-step")
    expect(marks).to_have_count(6)
    settle(page)

    assert set(marks.evaluate_all("(marks) => marks.map((mark) => mark.dataset.step)")) == {"5000"}


def test_any_tag_is_the_x_axis(driver: PageDriver, sweep: BoardProcess) -> None:
    """Another tag found by typing: x spans its values."""
    page = driver.open(sweep)
    page.get_by_role("button", name="Metric…", exact=True).click()
    settle(page)
    type_text(page, "tokens")
    press(page, "Enter")
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmax < 10")
    settle(page)
    loss = find_card(page, TAG)
    runs = ("baseline", "lr_1e-3", "lr_3e-4", "big/seed0", "big/seed1", "big/seed2")
    values = [value for run in runs for _, _, value in fetch_series(sweep, run, "perf/tokens_per_sec")]

    assert parameter(page, "xTag") == ["perf/tokens_per_sec"]
    assert data_number(loss, "xmin") == pytest.approx(min(values))
    assert data_number(loss, "xmax") == pytest.approx(max(values))


def cells(page: Page, run: str) -> dict[str, str]:
    """The exact numbers of a run's row in the table of values."""
    row = page.get_by_test_id("value-table").locator(f'tbody tr[data-run="{run}"]')
    expect(row).to_have_count(1)
    found: dict[str, str] = row.evaluate(
        """(row) => Object.fromEntries(
            [...row.querySelectorAll('td[data-value]')].map((cell) => [cell.dataset.column, cell.dataset.value]))"""
    )
    return found


@pytest.mark.parametrize("axis", ["step", "relative"])
def test_statistics_over_the_range_equal_numpy(driver: PageDriver, sweep: BoardProcess, axis: str) -> None:
    """Start, end, change, least, greatest, mean and slope over 2,000 to 6,000, both with them, on any axis."""
    page = driver.open(sweep, f"&axis={axis}&pin=2000,baseline&range=2000,6000")
    find_card(page, TAG).get_by_role("img").focus()
    press(page, "Enter")
    expect(page.get_by_test_id("value-table").locator("td[data-column=mean][data-value]")).to_have_count(6)
    points = np.array([(step, value) for _, step, value in fetch_series(sweep, RUN, TAG) if 2000 <= step <= 6000])
    steps, values = points.T

    found = {name: float(text) for name, text in cells(page, RUN).items()}

    assert {name: found[name] for name in ("start", "end", "min", "max", "change", "mean", "slope")} == {
        "start": values[0],
        "end": values[-1],
        "min": values.min(),
        "max": values.max(),
        "change": values[-1] - values[0],
        "mean": pytest.approx(values.mean(), rel=1e-12),
        "slope": pytest.approx(np.polyfit(steps, values, 1)[0], rel=1e-9),
    }


def test_the_range_of_a_long_series_is_of_all_its_points(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """Thinned on the chart, the series is not thinned in its statistics."""
    page = driver.open(fifty_runs, "&pin=1000,run_07&range=1000,4000")
    loss = find_card(page, "loss")
    loss.get_by_role("img").focus()
    press(page, "Enter")
    values = np.array([value for _, step, value in fetch_series(fifty_runs, "run_07", "loss") if 1000 <= step <= 4000])
    mean = page.get_by_test_id("value-table").locator('tr[data-run="run_07"] td[data-column=mean]')
    expect(mean).not_to_contain_text("≈")
    expect(mean).to_have_attribute("data-value", json.dumps(math.fsum(values) / len(values)))


def test_figures_of_a_whole_long_series_are_of_all_its_points(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """Of more points than an answer holds the server tells mean and slope."""
    page = driver.open(fifty_runs)
    find_card(page, "loss").get_by_role("img").focus()
    press(page, "Enter")
    steps, values = np.array([(step, value) for _, step, value in fetch_series(fifty_runs, "run_07", "loss")]).T
    row = page.get_by_test_id("value-table").locator('tr[data-run="run_07"]')
    # First come estimates from the points drawn; these are what the server tells.
    for column in ("mean", "slope"):
        expect(row.locator(f"td[data-column={column}]")).to_have_text(re.compile("^[^≈]*[0-9]"))
    found = {
        name: float(row.locator(f"td[data-column={name}]").get_attribute("data-value") or "")
        for name in ("mean", "slope")
    }

    assert found == {
        "mean": pytest.approx(values.mean(), rel=1e-12),
        "slope": pytest.approx(np.polyfit(steps, values, 1)[0], rel=1e-6),
    }


def test_hovering_leaves_a_range_alone(driver: PageDriver, sweep: BoardProcess) -> None:
    """Only a click begins anew."""
    page = driver.open(sweep, "&pin=2000,baseline&range=2000,6000")
    hover(page, find_card(page, TAG), 0.8)
    page.mouse.move(5, 5)

    expect(page.get_by_test_id("range-summary")).to_have_count(6)


def test_a_long_series_says_its_value_at_the_very_step_that_is_pinned(
    driver: PageDriver, fifty_runs: BoardProcess
) -> None:
    """Not at the nearest point that was drawn."""
    page = driver.open(fifty_runs, "&smoothing=0&pin=1000,run_12")
    find_card(page, "loss").get_by_role("img").focus()
    press(page, "Enter")
    table = page.get_by_test_id("value-table")
    expect(table.locator("td[data-column=step][data-value='1000']")).to_have_count(50)
    settle(page)
    said = table.locator("tr[data-run=run_10] td[data-column=value]").get_attribute("data-value")

    assert said is not None
    assert float(said) == fetch_series(fifty_runs, "run_10", "loss")[1000][2]


@pytest.mark.parametrize("smoothing", [0, 0.6])
def test_the_tip_of_a_pinned_step_says_the_stored_values_of_long_series(
    driver: PageDriver, fifty_runs: BoardProcess, smoothing: float
) -> None:
    """Every run is at the very step, after one more request; most of them have no point drawn there."""
    page = driver.open(fifty_runs, f"&smoothing={smoothing}")
    find_card(page, "loss")
    asked = len([url for url in driver.requests if url.endswith("/scalars/chart")])
    click_at(page, "loss", 0.4)
    step = parameter(page, "pin")[0]
    rows = page.locator("[data-testid=tip][data-kept] tbody tr")
    expect(rows).to_have_count(50)
    expect(page.locator(f"[data-testid=tip] tbody tr[data-step='{step}']")).to_have_count(50)
    settle(page)
    said = page.locator("[data-testid=tip] tbody tr[data-run=run_10]").get_attribute("data-value")

    assert said is not None
    assert float(said) == fetch_series(fifty_runs, "run_10", "loss")[int(step)][2]
    assert len([url for url in driver.requests if url.endswith("/scalars/chart")]) == asked + 1


def pinned_values(page: Page, tag: str) -> Locator:
    """What the head of a card says of the pinned step."""
    return find_card(page, tag).get_by_test_id("pinned-values").locator("b")


def test_every_card_says_the_least_and_the_greatest_value_at_the_pinned_step(
    driver: PageDriver, sweep: BoardProcess
) -> None:
    """At rest, of all runs; a card has no room for each of six."""
    page = driver.open(sweep, "&smoothing=0&pin=5000,baseline")
    runs = ("baseline", "lr_1e-3", "lr_3e-4", "big/seed0", "big/seed1", "big/seed2")
    for tag in ("train/loss", "eval/loss"):
        values = [value for run in runs for _, step, value in fetch_series(sweep, run, tag) if step == 5000]
        ends = pinned_values(page, tag)
        expect(ends).to_have_count(2)

        assert [float(end.get_attribute("data-value") or "") for end in ends.all()] == [min(values), max(values)]


def test_a_card_of_one_run_says_its_value_at_the_pinned_step(driver: PageDriver, sweep: BoardProcess) -> None:
    """Without anybody pointing at it."""
    page = driver.open(sweep, "&smoothing=0&pin=5000,baseline&runs=none&show=baseline")
    stored = {step: value for _, step, value in fetch_series(sweep, "baseline", TAG)}
    only = pinned_values(page, TAG)
    expect(only).to_have_count(1)

    assert float(only.get_attribute("data-value") or "") == stored[5000]


def test_the_name_of_a_card_keeps_its_room_beside_values_and_buttons(driver: PageDriver, sweep: BoardProcess) -> None:
    """With the pointer at its head the buttons are there, and the values give way."""
    page = driver.open(sweep, "&pin=5000,baseline")
    head = find_card(page, TAG).locator("header")
    name = head.locator("h3")
    whole = "(title) => [...title.children].every((part) => part.scrollWidth <= part.clientWidth + 1)"
    expect(pinned_values(page, TAG)).to_have_count(2)
    at_rest = name.evaluate(whole)
    head.hover(position={"x": 20, "y": 10})
    expect(pinned_values(page, TAG).first).to_be_hidden()
    settle(page)

    assert (at_rest, name.evaluate(whole)) == (True, True)
