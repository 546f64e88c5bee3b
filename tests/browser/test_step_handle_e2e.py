"""Dragging the pinned step by its handle on the axis."""

import re

from playwright.sync_api import Locator, Page, expect

from support.board_process import BoardProcess
from support.chart_cards import data_number, find_card, plot_box
from support.page_driver import PageDriver

# Margins of the plot inside its canvas, and how far above the axis a grip is taken.
LEFT, RIGHT, BOTTOM, GRIP = 36, 12, 22, 5


def grip_at(of: Locator, step: float) -> tuple[float, float]:
    """Where in the window the grip of a step lies."""
    box = plot_box(of)
    share = (step - data_number(of, "xmin")) / (data_number(of, "xmax") - data_number(of, "xmin"))
    x = box["x"] + LEFT + share * (box["width"] - LEFT - RIGHT)
    return x, box["y"] + box["height"] - BOTTOM - GRIP


def drag_grip(page: Page, of: Locator, begin: float, end: float) -> None:
    """Take the grip at one step to another."""
    places = grip_at(of, begin), grip_at(of, end)
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=5)
    page.mouse.up()


def test_the_pinned_step_is_dragged_to_another(driver: PageDriver, sweep: BoardProcess) -> None:
    """It stands at a real point again, and the address says which."""
    page = driver.open(sweep, "&pin=5000,baseline")
    drag_grip(page, find_card(page, "train/loss"), 5_000, 7_500)
    expect(page).to_have_url(re.compile(r"pin=7(4[5-9]|5[0-5])0,"))


def test_a_drag_beside_the_grip_is_a_zoom_as_ever(driver: PageDriver, sweep: BoardProcess) -> None:
    """Only the grip is taken hold of, not the whole line."""
    page = driver.open(sweep, "&pin=5000,baseline")
    of = find_card(page, "train/loss")
    x, y = grip_at(of, 5_000)
    page.mouse.move(x, y - 60)
    page.mouse.down()
    page.mouse.move(x + 80, y - 60, steps=5)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"zoom="))
    expect(page).to_have_url(re.compile(r"pin=5000,"))
