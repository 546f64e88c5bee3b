"""Russian and Chinese (check 29; test_layout looks for English that is left in other pages)."""

import pytest
from playwright.sync_api import expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.translations import find_english


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_empty_pages_are_translated(driver: PageDriver, sweep: BoardProcess, language: str) -> None:
    """Visible text, tooltips and accessible names."""
    page = driver.open(sweep, f"&lang={language}#histograms")

    assert find_english(page) == []


@pytest.mark.parametrize(("language", "told"), [("en", "en"), ("ru", "ru"), ("zh", "zh-CN")])
def test_the_page_has_a_lang_attribute(driver: PageDriver, sweep: BoardProcess, language: str, told: str) -> None:
    """For readers of the screen and for hyphens."""
    page = driver.open(sweep, f"&lang={language}")

    expect(page.locator("html")).to_have_attribute("lang", told)


@pytest.mark.parametrize(
    ("hidden", "words"),
    [(1, "1 запуск"), (2, "2 запуска"), (5, "5 запусков")],
)
def test_russian_has_three_plural_forms(driver: PageDriver, sweep: BoardProcess, hidden: int, words: str) -> None:
    """One, few and many."""
    page = driver.open(sweep, "&lang=ru")
    boxes = page.locator("[data-testid=run-row] input")
    for at in range(6 - hidden):
        boxes.nth(at).click()

    expect(page.locator("[data-testid=card]").first).to_contain_text(words)
