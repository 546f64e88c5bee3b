"""Every page in any language, at any width: no overlaps, nothing cut off, accessible (checks 4, 27 and 29)."""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from support.board_process import BoardProcess, serve_logs
from support.layout_faults import KIND_PAGES
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.scalar_logs import START, scalars, write_run

WIDTHS = [1440, 1280, 1024, 860, 700, 390]
FEW_WIDTHS = [1440, 1280, 1024, 390]
PHONE_AND_WIDE = [1440, 390]
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
ACCESSIBLE = {"plain", "runs", "compare", "run in a folder"}
"""Those looked at for accessibility too; the others differ little from them."""
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


def find_header_faults(page: Page) -> list[str]:
    """Longer words find room in the head."""
    return [f"head: {fault}" for fault in page.evaluate(HEADER_FAULTS)]


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_intact_translated_and_accessible(driver: PageDriver, sweep: BoardProcess, name: str) -> None:
    """No box overlaps another, truncated text has an ellipsis, only tables scroll sideways; no English is left.

    Translated are visible text, tooltips and accessible names. What is accessible is so wide and on a phone.
    """
    page = driver.open(sweep, f"&lang={LANGUAGES[0]}{PAGES[name]}")
    accessible = PHONE_AND_WIDE if name in ACCESSIBLE else ()

    assert find_page_faults(page, WIDTHS, accessible=accessible, find_more=find_header_faults) == {}


@pytest.mark.parametrize("kind", KIND_PAGES)
def test_pages_of_kinds_are_intact_translated_and_accessible(
    driver: PageDriver, kinds: BoardProcess, kind: str
) -> None:
    """The same of everything that torch's writer writes."""
    page = driver.open(kinds, f"&lang={LANGUAGES[0]}#{kind}")

    faults = find_page_faults(page, FEW_WIDTHS, accessible=PHONE_AND_WIDE, find_more=find_header_faults)
    assert faults == {}


def test_mixed_cards_are_intact_and_translated(driver: PageDriver, kinds: BoardProcess) -> None:
    """The choice of kinds has room in the bar, images lower than their buttons have room beside them."""
    page = driver.open(kinds, f"&lang={LANGUAGES[0]}&kinds=scalars,images&tagFilter=high|low|batch#timeseries")
    expect(page.locator("[data-testid=card][data-tag=batch] img").first).to_be_visible()

    assert find_page_faults(page, FEW_WIDTHS, find_more=find_header_faults) == {}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """One run whose tags are in pairs."""
    tags = [f"{part}/{what}" for part in ("train", "validation") for what in ("loss", "accuracy")]
    records = {tag: scalars(tag, range(3), START + np.arange(3.0), np.ones(3)) for tag in tags}
    yield from serve_logs(tmp_path_factory.mktemp("pairs"), lambda folder: write_run(folder / "run", records))


def test_the_join_suggestion_fits(driver: PageDriver, pairs: BoardProcess) -> None:
    """It falls back to the name of the counterpart."""
    page = driver.open(pairs, f"&lang={LANGUAGES[0]}", width=390)

    def find_more(page: Page) -> list[str]:
        expect(page.get_by_test_id("pair-hint")).to_contain_text("validation", use_inner_text=True)
        return find_header_faults(page)

    assert find_page_faults(page, [390, 320], find_more=find_more) == {}


def test_faults_are_told_with_language_width_and_theme(driver: PageDriver, sweep: BoardProcess) -> None:
    """All of them, not the first alone."""
    page = driver.open(sweep, f"&lang={LANGUAGES[0]}#run/nobody")
    page.evaluate(
        """() => {
            document.querySelector('main').insertAdjacentHTML('beforeend',
                '<p id="english">The end</p><div id="wide"><p>…</p></div><p id="faint">faint</p>' +
                '<img id="nameless" src="data:,">');
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(`
                html:not([lang^=zh]) #english { display: none }
                html:not([lang^=ru]) #nameless { display: none }
                #wide { overflow: hidden } #wide p { width: 500px }
                #faint { background: #fff; color: #000 } [data-theme=dark] #faint { color: #eee }`);
            document.adoptedStyleSheets = [sheet];
        }"""
    )

    found = find_page_faults(page, [1440, 390], accessible=[390])

    assert set(found) == {
        *(("zh", width, "English") for width in (1440, 390)),
        *((language, 390) for language in LANGUAGES),
        ("ru", 390, "accessibility"),
        ("en", 390, "dark"),
    }
    assert found["zh", 390, "English"] == ["The end"]
    assert found["en", 390] == ['cut: div  "…"']
    assert [rule for rule, _ in found["en", 390, "dark"]] == ["color-contrast"]
    assert [rule for rule, _ in found["ru", 390, "accessibility"]] == ["image-alt"]
