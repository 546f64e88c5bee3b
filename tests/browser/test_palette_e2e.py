"""The command palette (check 26)."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import press, press_unsettled, type_text


def find(page: Page, text: str) -> None:
    """Open the palette and type."""
    press(page, "Control+k")
    type_text(page, text)


def chosen(page: Page) -> Locator:
    """What Enter would do."""
    return page.locator("[data-testid=palette] [role=option][aria-selected=true]")


def test_enter_jumps_to_the_first_matching_tag(driver: PageDriver, sweep: BoardProcess) -> None:
    """Also with another keyboard layout, in which the same keys are other letters."""
    page = driver.open(sweep, "&tagFilter=eval")
    chart = page.locator('[data-testid=card][data-tag="train/grad_norm"] [role=img]')
    for typed in ("grad", "пкфв"):
        find(page, typed)
        press(page, "Enter")

        expect(page.get_by_test_id("palette"), typed).to_have_count(0)
        expect(chart, typed).to_be_focused()
        chart.blur()
        expect(chart).not_to_be_focused()


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
def test_commands_match_in_every_language(driver: PageDriver, sweep: BoardProcess, language: str) -> None:
    """Whatever the language of the page."""
    page = driver.open(sweep, f"&lang={language}")
    for typed in ("theme dark", "тема тёмная", "主题 深色"):
        find(page, typed)
        first = page.locator("[data-testid=palette] [role=option]").first
        expect(first, typed).to_have_attribute("data-kind", "setting")
        press(page, "Enter")
        expect(page.locator("html"), typed).to_have_attribute("data-theme", "dark")

        press(page, "Control+z")
        expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_commands_accept_numbers(driver: PageDriver, sweep: BoardProcess) -> None:
    """Such as smoothing."""
    page = driver.open(sweep)
    find(page, "smoothing 0.9")
    press(page, "Enter")

    expect(page.locator("input[type=range]").first).to_have_value("0.9")


def test_runs_can_be_isolated_by_text(driver: PageDriver, sweep: BoardProcess) -> None:
    """The runs whose names hold the text are on, the others off."""
    page = driver.open(sweep)
    find(page, "only runs like seed")
    expect(chosen(page)).to_contain_text("(3)")
    press(page, "Enter")

    expect(page.locator("[data-testid=run-row] input:checked")).to_have_count(3)


def test_the_last_choice_comes_first(driver: PageDriver, sweep: BoardProcess) -> None:
    """Without input."""
    page = driver.open(sweep)
    find(page, "log y")
    press(page, "Enter", "Control+k")

    expect(page.locator("[data-testid=palette] [role=option]").first).to_contain_text("Log y axis on all cards")


def test_runs_open_their_page(driver: PageDriver, sweep: BoardProcess) -> None:
    """And the address names it."""
    page = driver.open(sweep)
    find(page, "big/seed1")
    press(page, "Enter")

    expect(page.locator("main[data-run='big/seed1']")).to_be_visible()
    expect(page).to_have_url(re.compile("#run/big/seed1$"))


def test_escape_changes_nothing(driver: PageDriver, sweep: BoardProcess) -> None:
    """And returns the focus."""
    page = driver.open(sweep)
    page.get_by_label("Filter tags").first.focus()
    find(page, "dark")
    press(page, "Escape")

    expect(page.get_by_test_id("palette")).to_have_count(0)
    expect(page.get_by_label("Filter tags").first).to_be_focused()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_early_input_is_kept(driver: PageDriver, sweep: BoardProcess) -> None:
    """On slow connections it is typed into the palette."""
    page = driver.open(sweep)
    held: list[Route] = []
    page.route("**/palette-dialog*.js", lambda route: held.append(route))
    with page.expect_request("**/palette-dialog*.js"):
        press_unsettled(page, "Control+k")
    press_unsettled(page, *"smoothing", "Space", *"0.5x", "Backspace")
    for route in held:
        route.continue_()

    box = page.get_by_test_id("palette").get_by_role("combobox")
    expect(box).to_have_value("smoothing 0.5")
    press(page, "Enter")
    expect(page.locator("input[type=range]").first).to_have_value("0.5")
    expect(page.get_by_role("radio", name="Step", exact=True)).to_be_checked()
