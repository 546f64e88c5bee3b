"""Finding anything (check 26)."""

import pytest
from playwright.sync_api import Page, Route, expect
from served import Board
from visitor import Visitor


def find(page: Page, text: str) -> None:
    """Open the palette and type."""
    page.keyboard.press("Control+k")
    expect(page.get_by_test_id("palette")).to_be_visible()
    page.keyboard.type(text)


def chosen(page: Page) -> str:
    """What Enter would do."""
    return page.locator("[data-testid=palette] [role=option][aria-selected=true]").inner_text()


@pytest.mark.parametrize("typed", ["grad", "пкфв"])
def test_enter_jumps_to_the_first_matching_tag(visitor: Visitor, sweep: Board, typed: str) -> None:
    """Also when the keyboard has the other layout."""
    page = visitor.open(sweep, "&tagFilter=eval")
    find(page, typed)
    page.keyboard.press("Enter")

    expect(page.get_by_test_id("palette")).to_have_count(0)
    expect(page.locator('[data-testid=card][data-tag="train/grad_norm"] [role=img]')).to_be_focused()


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
@pytest.mark.parametrize("typed", ["theme dark", "тема тёмная", "主题 深色"])
def test_words_of_every_language_are_understood(visitor: Visitor, sweep: Board, language: str, typed: str) -> None:
    """Whatever the language of the page."""
    page = visitor.open(sweep, f"&lang={language}")
    find(page, typed)
    expect(page.locator("[data-testid=palette] [role=option]").first).to_have_attribute("data-kind", "setting")
    page.keyboard.press("Enter")

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_number_goes_with_its_word(visitor: Visitor, sweep: Board) -> None:
    """Smoothing is set as it is said."""
    page = visitor.open(sweep)
    find(page, "smoothing 0.9")
    page.keyboard.press("Enter")

    expect(page.locator("input[type=range]").first).to_have_value("0.9")


def test_only_runs_like_these(visitor: Visitor, sweep: Board) -> None:
    """The runs whose names hold the text are on, the others off."""
    page = visitor.open(sweep)
    find(page, "only runs like seed")
    assert "(3)" in chosen(page)
    page.keyboard.press("Enter")

    expect(page.locator("[data-testid=run-row] input:checked")).to_have_count(3)


def test_what_was_chosen_comes_first_next_time(visitor: Visitor, sweep: Board) -> None:
    """Without a word typed, the last choice leads."""
    page = visitor.open(sweep)
    find(page, "log y")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+k")

    expect(page.locator("[data-testid=palette] [role=option]").first).to_contain_text("Log y on all cards")


def test_a_run_opens_its_page(visitor: Visitor, sweep: Board) -> None:
    """And the address names it."""
    page = visitor.open(sweep)
    find(page, "big/seed1")
    page.keyboard.press("Enter")

    expect(page.locator("main[data-run='big/seed1']")).to_be_visible()
    assert page.url.endswith("#run/big/seed1")


def test_escape_leaves_everything_as_it_was(visitor: Visitor, sweep: Board) -> None:
    """And the keyboard is back where it came from."""
    page = visitor.open(sweep)
    page.get_by_label("Filter tags").first.focus()
    find(page, "dark")
    page.keyboard.press("Escape")

    expect(page.get_by_test_id("palette")).to_have_count(0)
    expect(page.get_by_label("Filter tags").first).to_be_focused()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_what_is_typed_before_the_palette_is_there_is_not_lost(visitor: Visitor, sweep: Board) -> None:
    """On a slow line the letters wait in the box; none is taken for a key of the page."""
    page = visitor.open(sweep)
    held: list[Route] = []
    page.route("**/palette-door*.js", lambda route: held.append(route))
    page.keyboard.press("Control+k")
    page.keyboard.type("smoothing 0.5x")
    page.keyboard.press("Backspace")
    for route in held:
        route.continue_()

    box = page.get_by_test_id("palette").get_by_role("combobox")
    expect(box).to_have_value("smoothing 0.5")
    page.keyboard.press("Enter")
    expect(page.locator("input[type=range]").first).to_have_value("0.5")
    expect(page.get_by_role("radio", name="Step", exact=True)).to_be_checked()
