"""Undo (check 43)."""

import random

import pytest
from playwright.sync_api import Page, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import go_back, press, settle, type_text

ACTIONS = 20
KEYS = ("l", "Shift+L", "x", "[", "]", "0", "a", "c", "g+t", "g+r", "pin", "run", "filter", "theme", "page", "axis")


def at_once(key: str) -> str:
    """As often as there were actions, by somebody who does not wait for the effect of each."""
    return " ".join([key] * ACTIONS)


def address(page: Page) -> str:
    """The link that copying would give."""
    press(page, "y")
    expect(page.get_by_test_id("toast")).to_be_visible()
    page.get_by_test_id("toast").get_by_role("button", name="Close").click()
    settle(page)
    return page.url


def act(page: Page, action: str, chance: random.Random) -> None:
    """One thing a person does with the view."""
    if action == "run":
        rows = page.locator("[data-testid=run-row] input")
        rows.nth(chance.randrange(rows.count())).click()
        settle(page)
        page.evaluate("document.activeElement.blur()")
        settle(page)
    elif action == "filter":
        press(page, "t")
        type_text(page, chance.choice(["loss", "eval", "train/l"]))
        # Where there is no such box, the s of "loss" opens a dialog, which takes keys until it is gone.
        press(page, "Escape")
        expect(page.locator("dialog")).to_have_count(0)
    elif action == "pin":
        press(page, "j", "p")
    elif action in ("page", "g+r", "g+t"):
        press(page, "g t" if action == "g+t" else "g r")
    elif action == "theme":
        press(page, "Alt+m")
    else:
        press(page, "x" if action == "axis" else action)


@pytest.mark.parametrize("seed", [1, 2, 43])
def test_twenty_actions_and_twenty_undos_return_to_the_start(
    driver: PageDriver, sweep: BoardProcess, seed: int
) -> None:
    """Whatever was done, undoing it all gives the view there was at first; redoing gives the last one back."""
    chance = random.Random(seed)
    page = driver.open(sweep, "#timeseries")
    start = address(page)
    for _ in range(ACTIONS):
        act(page, chance.choice(KEYS), chance)
    end = address(page)
    press(page, at_once("Control+z"))
    undone = address(page)
    press(page, at_once("Control+Shift+z"))

    assert start != end
    assert undone == start
    assert address(page) == end


def test_hidden_runs_come_back(driver: PageDriver, sweep: BoardProcess) -> None:
    """Runs that vanish by one step say so, and the word beside it brings them back."""
    page = driver.open(sweep)
    on = page.locator("[data-testid=run-row] input:checked")
    press(page, "a")
    expect(on).to_have_count(0)

    toast = page.get_by_test_id("undo-toast")
    expect(toast).to_contain_text("6 runs hidden")
    toast.get_by_role("button", name="Undo").click()

    expect(on).to_have_count(6)
    expect(toast).to_have_count(0)


def test_three_single_runs_come_back_one_by_one(driver: PageDriver, sweep: BoardProcess) -> None:
    """Hide three runs; each undo brings one back."""
    page = driver.open(sweep)
    boxes = page.locator("[data-testid=run-row] input")
    on = page.locator("[data-testid=run-row] input:checked")
    for at in range(3):
        boxes.nth(at).click()
    expect(on).to_have_count(3)

    for count in (4, 5, 6):
        press(page, "Control+z")
        expect(on).to_have_count(count)


def test_back_stays_in_step_with_undo(driver: PageDriver, sweep: BoardProcess) -> None:
    """Back of the browser is a step like any other: undo takes it back."""
    page = driver.open(sweep)
    press(page, "x")
    relative = page.get_by_role("radio", name="Relative")
    expect(relative).to_be_checked()
    go_back(page)
    expect(page.get_by_role("radio", name="Step", exact=True)).to_be_checked()

    press(page, "Control+z")

    expect(relative).to_be_checked()


def test_keys_of_a_text_box_are_its_own(driver: PageDriver, sweep: BoardProcess) -> None:
    """Ctrl Z inside a box undoes typing, not the view."""
    page = driver.open(sweep)
    press(page, "x", "t", "Control+z")

    expect(page.get_by_role("radio", name="Relative")).to_be_checked()
