"""The pages for everyone: no violation of WCAG 2.2 A and AA that axe can find (check 27)."""

import pathlib
from typing import Any

import pytest
from layout import PAGES_OF_KINDS
from playwright.sync_api import Page, expect
from served import Board, Serving
from taking import open_menu
from visitor import Visitor

AXE = pathlib.Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PAGES = {
    "timeseries": "",
    "links": "&links=true",
    "joined": "&pinned=train/lr&join=train/loss;eval/loss&pin=2000,baseline&range=2000,4000",
    "runs": "#runs",
    "run": "#run/big/seed0",
    "compare": "#compare",
    "missing": "#histograms",
    "gone": "#run/nobody",
}


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """Rules that are broken, each with the elements that break it."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("(tags) => axe.run({ runOnly: tags })", RULES)
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(visitor: Visitor, sweep: Board, name: str, scheme: str, width: int) -> None:
    """Every page, in both themes, wide and on a phone."""
    page = visitor.open(sweep, PAGES[name], scheme=scheme, width=width, ready=False)
    expect(page.locator("html[data-ready]")).to_be_attached()

    assert violations(page) == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("dark", 390)])
@pytest.mark.parametrize("kind", PAGES_OF_KINDS)
def test_axe_finds_nothing_on_pages_of_kinds(
    visitor: Visitor, kinds: Board, kind: str, scheme: str, width: int
) -> None:
    """The same of everything that torch's writer writes."""
    page = visitor.open(kinds, f"#{kind}", scheme=scheme, width=width, ready=False)
    expect(page.locator(f"main[data-page={kind}]")).to_have_attribute("aria-busy", "false")

    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("key", ["Control+k", "?", "s", "a", "f"])
def test_axe_finds_nothing_in_what_lies_over_the_page(visitor: Visitor, sweep: Board, key: str, scheme: str) -> None:
    """The palette, the list of keys, the name of a view, a word with Undo, a card over the whole window."""
    page = visitor.open(sweep, scheme=scheme)
    page.get_by_test_id("card").first.hover()
    page.keyboard.press(key)
    expect(page.locator("dialog[open], [data-testid=undo-toast], [data-testid=fullscreen]").first).to_be_visible()

    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_can_be_taken_away(visitor: Visitor, sweep: Board, scheme: str) -> None:
    """The menu of a card with the menu within it."""
    page = visitor.open(sweep, scheme=scheme)
    open_menu(page, page.get_by_test_id("card").first)
    expect(page.get_by_role("menuitem", name="Picture as SVG")).to_be_visible()

    assert violations(page) == []


def test_axe_finds_nothing_where_there_are_no_logs(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """The page of an empty folder."""
    page = visitor.open(serving(tmp_path), ready=False)
    expect(page.get_by_test_id("empty")).to_be_visible()

    assert violations(page) == []


@pytest.mark.parametrize("name", ["timeseries", "runs", "run", "compare"])
def test_nothing_is_lost_at_twice_the_size(visitor: Visitor, sweep: Board, name: str) -> None:
    """200 % zoom of a window of 1280: the page does not scroll sideways and every button of the head is in sight."""
    page = visitor.open(sweep, PAGES[name], width=640, height=400, ready=False, device_scale_factor=2)
    expect(page.locator("html[data-ready]")).to_be_attached()

    outside = page.locator("header button, header a").evaluate_all(
        """(parts) => parts.filter((part) => part.checkVisibility()).filter((part) => {
            const box = part.getBoundingClientRect();
            return box.left < 0 || box.right > innerWidth + 1;
        }).map((part) => part.outerHTML)"""
    )

    assert outside == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
