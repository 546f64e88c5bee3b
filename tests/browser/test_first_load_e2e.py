"""Opening the board (checks 1 to 3)."""

import pytest

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import settle

FIRST_CHART = """new MutationObserver((_, seen) => {
    if (document.querySelector("[data-testid=card][data-state=ready]") === null) return;
    window.firstChart = performance.now();
    seen.disconnect();
}).observe(document, { subtree: true, childList: true, attributeFilter: ["data-state"] });"""


def test_the_first_chart_needs_few_requests(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 1: at most twelve."""
    page = driver.open(sweep, strict=True, script=FIRST_CHART)

    asked = page.evaluate(
        """() => performance.getEntriesByType("resource").map((entry) => [entry.startTime, entry.name])
            .filter(([at, name]) => at < window.firstChart && !name.endsWith("/events")).map(([_, name]) => name)"""
    )

    assert any(name.endswith("/scalars/chart") for name in asked)
    assert len(asked) + 2 <= 12


def test_the_first_load_is_small(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 2: at most 220 KB of scripts and styles, all from this server."""
    page = driver.open(sweep, reused=False)

    sent = page.evaluate(
        """() => performance.getEntriesByType("resource")
            .filter((entry) => /\\.(js|css)($|\\?)/.test(entry.name))
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
    )

    assert 0 < sent <= 220_000


LAZY_KB = 60
FONTS_KB = {"en": 50, "ru": 70, "zh": 50}
SIZES = """() => Object.fromEntries(performance.getEntriesByType("resource")
    .map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize]))"""
ADDED = "!(name in before) && name.includes('/assets/')"


@pytest.mark.parametrize("hash", ["#runs", "#compare", "#run/baseline"])
def test_other_pages_are_small(driver: PageDriver, sweep: BoardProcess, hash: str) -> None:
    """At most 60 KB each."""
    page = driver.open(sweep, reused=False)
    before = page.evaluate(SIZES)
    page.evaluate("hash => { location.hash = hash; }", hash)
    page.wait_for_function(f"before => Object.keys(({SIZES})()).some(name => {ADDED})", arg=before)
    settle(page)
    after = page.evaluate(SIZES)

    added = {name: size for name, size in after.items() if name not in before and "/assets/" in name}
    assert 0 < sum(added.values()) <= LAZY_KB * 1000


@pytest.mark.parametrize("language", FONTS_KB)
def test_few_fonts_are_loaded(driver: PageDriver, sweep: BoardProcess, language: str) -> None:
    """Latin ones, and Cyrillic ones for Russian."""
    page = driver.open(sweep, f"&lang={language}", reused=False)
    fonts = {name: size for name, size in page.evaluate(SIZES).items() if name.endswith(".woff2")}

    assert sum(fonts.values()) <= FONTS_KB[language] * 1000


def test_nine_charts_are_visible(driver: PageDriver, hundred_tags: BoardProcess) -> None:
    """Check 3: at 1440x900."""
    page = driver.open(hundred_tags)

    whole = page.locator("[data-testid=card][data-state=ready]").evaluate_all(
        """(cards) => cards.filter((card) => {
            const box = card.getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
        }).length"""
    )

    assert whole >= 9
