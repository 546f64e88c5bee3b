"""Accessibility: axe finds no violation of WCAG 2.2 A and AA (check 27; `test_layout_e2e.py` has other pages)."""

import pathlib

import pytest
from playwright.sync_api import expect

from support.accessibility import find_violations, find_violations_in_both_themes
from support.board_process import BoardProcess, BoardStarter
from support.downloads import open_export_menu
from support.page_driver import PageDriver
from support.settled_pages import follow_fragment, press

PAGES = {
    "links": "&links=true",
    "joined": "&pinned=train/lr&join=train/loss;eval/loss&pin=2000,baseline&range=2000,4000",
    "missing": "#histograms",
    "gone": "#run/nobody",
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_violations(driver: PageDriver, sweep: BoardProcess, name: str) -> None:
    """In both themes, wide and on a phone."""
    page = driver.open(sweep, PAGES[name])

    assert find_violations_in_both_themes(page, [1440, 390]) == {}


def test_overlays_have_no_violations(driver: PageDriver, sweep: BoardProcess) -> None:
    """Palette, key list, view name, full screen, undo message, in both themes."""
    page = driver.open(sweep)
    faults = {}
    for key in ("Control+k", "?", "s", "f", "a"):  # the message last: it outlasts Escape
        page.get_by_test_id("card").first.hover()
        press(page, key)
        shown = page.locator("dialog[open], [data-testid=undo-toast], [data-testid=fullscreen]").first
        shown.hover()  # a message stays while the pointer is on it
        faults[key] = find_violations_in_both_themes(page)
        expect(shown).to_be_visible()
        if key != "a":
            press(page, "Escape")
            expect(shown).to_have_count(0)

    assert {key: found for key, found in faults.items() if found} == {}


def test_the_export_menu_has_no_violations(driver: PageDriver, sweep: BoardProcess) -> None:
    """The menu of a card with the menu within it, in both themes."""
    page = driver.open(sweep)
    open_export_menu(page, page.get_by_test_id("card").first)
    item = page.get_by_role("menuitem", name="Image as SVG")
    expect(item).to_be_visible()

    assert find_violations_in_both_themes(page) == {}
    expect(item).to_be_visible()


def test_an_empty_board_has_no_violations(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """The page of an empty folder."""
    page = driver.open(start_board(tmp_path))

    assert find_violations(page) == []
    expect(page.get_by_test_id("empty")).to_be_visible()


def test_zooming_to_200_percent_loses_nothing(driver: PageDriver, sweep: BoardProcess) -> None:
    """At 1280 pixels, on each page: no horizontal scrolling, all header buttons visible."""
    page = driver.open(sweep, width=640, height=400, device_scale_factor=2)
    faults = {}
    for fragment in ("timeseries", "runs", "run/big/seed0", "compare"):
        follow_fragment(page, fragment)
        outside = page.locator("header button, header a").evaluate_all(
            """(parts) => parts.filter((part) => part.checkVisibility()).filter((part) => {
                const box = part.getBoundingClientRect();
                return box.left < 0 || box.right > innerWidth + 1;
            }).map((part) => part.outerHTML)"""
        )
        scrolls = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        faults[fragment] = outside + ["the page scrolls sideways"] * scrolls

    assert {place: found for place, found in faults.items() if found} == {}


@pytest.mark.parametrize(
    ("part", "dark", "light", "rule"),
    [
        ("<p>faint</p>", "color: #000; background: #fff", "color: #eee", "color-contrast"),
        ('<p><img src="data:,"></p>', "display: none", "display: block", "image-alt"),
    ],
)
def test_violations_of_the_second_theme_are_found(
    driver: PageDriver, sweep: BoardProcess, part: str, dark: str, light: str, rule: str
) -> None:
    """In colours, and in what only this theme shows."""
    page = driver.open(sweep, "#run/nobody")
    page.evaluate(
        """([part, dark, light]) => {
            document.body.insertAdjacentHTML('afterbegin', `<main id="odd">${part}</main>`);
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(`#odd p { ${dark} } [data-theme=light] #odd p { ${light} }`);
            document.adoptedStyleSheets = [sheet];
        }""",
        [part, dark, light],
    )

    found = find_violations_in_both_themes(page)

    assert [look for look, violations in found.items() if rule in dict(violations)] == [(1440, "light")]
