"""The command palette (check 26)."""

import pathlib
import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from lightboard.testing.event_files import scalar_record, version_record, write_events
from support.board_process import BoardProcess, BoardStarter
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


def test_what_was_found_is_seen_in_a_long_name(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """On a phone, where the name is cut: before the match and behind it, never the match."""
    tag = "encoder/layers/residual_attention_block/query_projection/weight/gradient_norm/of_all_heads"
    write_events(tmp_path / "run" / "events.out.tfevents.1", [version_record(), scalar_record(tag, 0, 1.0)])
    page = driver.open(start_board(tmp_path), width=390)
    find(page, "gradient_norm")

    mark = page.locator("[data-testid=palette] mark").first
    expect(mark).to_have_text("gradient_norm")
    assert mark.evaluate(
        """mark => {
            const box = mark.getBoundingClientRect(), item = mark.closest("bdi").getBoundingClientRect();
            return [mark.scrollWidth <= mark.clientWidth, box.left >= item.left, box.right <= item.right + 0.5];
        }"""
    ) == [True, True, True]
