"""A phone: one card in a row, the runs behind a button, everything within reach of a finger."""

from playwright.sync_api import Page, expect
from served import Board
from visitor import Visitor


def phone(visitor: Visitor, board: Board, address: str = "") -> Page:
    """A page of 390 by 844 that is touched."""
    return visitor.open(board, address, width=390, height=844, has_touch=True, is_mobile=True, ready=False)


def test_cards_stand_one_below_the_other(visitor: Visitor, sweep: Board) -> None:
    """Each as wide as the window allows."""
    page = phone(visitor, sweep)
    expect(page.locator("[data-testid=card][data-state=ready]").first).to_be_visible()
    lefts = page.get_by_test_id("card").evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().left)")

    assert len(lefts) > 1
    assert len(set(lefts)) == 1


def test_the_runs_are_a_sheet(visitor: Visitor, sweep: Board) -> None:
    """A run switched off there is gone from the cards."""
    page = phone(visitor, sweep)
    page.get_by_role("button", name="Open the runs").tap()
    page.locator('[data-testid=run-row][data-run="baseline"] label').first.tap()
    page.get_by_role("button", name="Close").tap()

    expect(page.get_by_test_id("card").first).to_contain_text("5 runs")


def test_pages_are_changed_by_touch(visitor: Visitor, sweep: Board) -> None:
    """The tabs have a line of their own."""
    page = phone(visitor, sweep)
    page.get_by_test_id("tab-runs").tap()

    expect(page.get_by_test_id("tab-runs")).to_have_attribute("aria-current", "page")
    expect(page.locator('[data-testid=run-row][data-run="baseline"]')).to_be_visible()


def test_anything_is_found_by_touch(visitor: Visitor, sweep: Board) -> None:
    """The palette opens from the head."""
    page = phone(visitor, sweep)
    page.get_by_test_id("find").tap()
    page.get_by_test_id("palette").get_by_role("combobox").fill("tokens")
    page.locator("[data-testid=palette] [role=option]").first.tap()

    expect(page.locator('[data-testid=card][data-tag="perf/tokens_per_sec"]')).to_be_in_viewport()


def test_a_finger_reads_values(visitor: Visitor, sweep: Board) -> None:
    """A tap on a chart shows the step under it."""
    page = phone(visitor, sweep)
    card = page.locator("[data-testid=card][data-state=ready]").first
    expect(card).to_be_visible()
    box = card.locator("canvas").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    expect(page.get_by_test_id("cursor-step").first).to_be_visible()


def test_what_a_finger_read_stays(visitor: Visitor, sweep: Board) -> None:
    """After a tap the values of all runs at that step stand on the page, until one taps elsewhere."""
    page = phone(visitor, sweep)
    card = page.locator("[data-testid=card][data-state=ready]").first
    expect(card).to_be_visible()
    box = card.locator("canvas").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    kept = page.locator("[data-testid=tip][data-kept]")
    expect(kept.locator("tbody tr")).to_have_count(6)
    page.get_by_test_id("find").tap()

    expect(kept).to_have_count(0)
