"""Layout and translations: no overlaps, nothing cut off, at any width and language (checks 4 and 29)."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from support.board_process import BoardProcess, serve_logs
from support.layout_faults import KIND_PAGES, find_layout_faults
from support.page_driver import PageDriver
from support.scalar_logs import START, scalars, write_run
from support.translations import find_english

LANGUAGES = pytest.mark.parametrize("language", ["en", "zh", "ru"])
WIDTHS = [1440, 1280, 1024, 860, 700, 390]
PAGES = {
    "plain": "",
    "time series": "&pinned=eval/loss&join=train/loss;eval/loss#timeseries",
    "groups": "&group=mean,sd,config:lr&runColorGroup=config:lr#timeseries",
    "runs": "#runs",
    "compare": "#compare",
    "compare three": "&compare=baseline,big/seed0,big/seed1#compare",
    "run": "#run/baseline",
    "run in a folder": "#run/big/seed0",
}
HEADER_FAULTS = """() => {
    const head = document.querySelector('body header');
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
"""Parts of the head that overlap another or leave the window."""


def find_faults(page: Page, widths: list[int], *, language: str = "en") -> dict[Any, list[str]]:
    """What is wrong at each width, and the English that is left where the page speaks another language."""
    found: dict[Any, list[str]] = {"English": [] if language == "en" else find_english(page)}
    for width in widths:
        found |= find_layout_faults(page, [width])
        found["head", width] = page.evaluate(HEADER_FAULTS)
    return {key: faults for key, faults in found.items() if faults}


@LANGUAGES
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_intact_and_translated(driver: PageDriver, sweep: BoardProcess, name: str, language: str) -> None:
    """No box overlaps another, truncated text has an ellipsis, only tables scroll sideways; no English is left.

    Translated are visible text, tooltips and accessible names. Longer words find room in the head.
    """
    page = driver.open(sweep, f"&lang={language}{PAGES[name]}")

    assert find_faults(page, WIDTHS, language=language) == {}


@LANGUAGES
@pytest.mark.parametrize("kind", KIND_PAGES)
def test_pages_of_kinds_are_intact_and_translated(
    driver: PageDriver, kinds: BoardProcess, kind: str, language: str
) -> None:
    """The same of everything that torch's writer writes."""
    page = driver.open(kinds, f"&lang={language}#{kind}")

    assert find_faults(page, [1440, 1280, 1024, 390], language=language) == {}


@LANGUAGES
def test_mixed_cards_have_no_layout_faults(driver: PageDriver, kinds: BoardProcess, language: str) -> None:
    """The choice of kinds has room in the bar, images lower than their buttons have room beside them."""
    page = driver.open(kinds, f"&lang={language}&kinds=scalars,images&tagFilter=high|low|batch#timeseries")
    expect(page.locator("[data-testid=card][data-tag=batch] img").first).to_be_visible()

    assert find_faults(page, [1440, 1280, 1024, 390]) == {}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """One run whose tags are in pairs."""
    tags = [f"{part}/{what}" for part in ("train", "validation") for what in ("loss", "accuracy")]
    records = {tag: scalars(tag, range(3), START + np.arange(3.0), np.ones(3)) for tag in tags}
    yield from serve_logs(tmp_path_factory.mktemp("pairs"), lambda folder: write_run(folder / "run", records))


@LANGUAGES
def test_the_join_suggestion_fits(driver: PageDriver, pairs: BoardProcess, language: str) -> None:
    """It falls back to the name of the counterpart."""
    page = driver.open(pairs, f"&lang={language}", width=390)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.get_by_test_id("pair-hint")).to_contain_text("validation", use_inner_text=True)
        assert find_faults(page, [width]) == {}
