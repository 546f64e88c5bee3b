"""Russian and Chinese translations (check 29)."""

import pytest
from playwright.sync_api import expect

from support.board_process import BoardProcess
from support.layout_faults import KIND_PAGES
from support.page_driver import PageDriver
from support.translations import find_english

PAGES = ["", "#runs", "#run/big/seed0", "#compare", "#histograms"]


@pytest.mark.parametrize("language", ["ru", "zh"])
@pytest.mark.parametrize("address", PAGES)
def test_pages_are_translated(driver: PageDriver, sweep: BoardProcess, language: str, address: str) -> None:
    """Visible text, tooltips and accessible names."""
    page = driver.open(sweep, f"&lang={language}{address}")

    assert find_english(page) == []


@pytest.mark.parametrize("language", ["ru", "zh"])
@pytest.mark.parametrize("kind", KIND_PAGES)
def test_pages_of_kinds_are_translated(driver: PageDriver, kinds: BoardProcess, language: str, kind: str) -> None:
    """Except for data."""
    page = driver.open(kinds, f"&lang={language}#{kind}")

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


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
@pytest.mark.parametrize("width", [1440, 1024, 860, 700, 390])
@pytest.mark.parametrize("address", ["", "#runs", "#compare", "#run/baseline"])
def test_header_text_fits_in_every_language(
    driver: PageDriver, sweep: BoardProcess, language: str, width: int, address: str
) -> None:
    """Longer words find room: no part of the head overlaps another or leaves the window."""
    page = driver.open(sweep, f"&lang={language}{address}", width=width)

    wrong = page.locator("body header").first.evaluate(
        """(head) => {
            const parts = [...head.querySelectorAll(':scope > *, nav > *')].filter((part) => part.checkVisibility());
            const bad = [];
            for (const part of parts) {
                const box = part.getBoundingClientRect();
                if (box.right > innerWidth + 1) bad.push('outside: ' + part.outerHTML.slice(0, 80));
                for (const other of parts) {
                    if (part === other || part.contains(other) || other.contains(part)) continue;
                    const its = other.getBoundingClientRect();
                    const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
                    const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
                    if (across > 1 && down > 1) bad.push('overlap: ' + part.outerHTML.slice(0, 80));
                }
            }
            return bad;
        }"""
    )

    assert wrong == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
