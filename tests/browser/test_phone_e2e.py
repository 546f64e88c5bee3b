"""Phones: one column, runs in a sheet, touch."""

from playwright.sync_api import Page, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import press


def phone(driver: PageDriver, board: BoardProcess, address: str = "") -> Page:
    """A page of 390 by 844 that is touched."""
    return driver.open(board, address, width=390, height=844, has_touch=True, is_mobile=True)


def test_cards_stand_one_below_the_other(driver: PageDriver, sweep: BoardProcess) -> None:
    """Each as wide as the window allows."""
    page = phone(driver, sweep)
    lefts = page.get_by_test_id("card").evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().left)")

    assert len(lefts) > 1
    assert len(set(lefts)) == 1


def test_the_runs_are_a_sheet(driver: PageDriver, sweep: BoardProcess) -> None:
    """A run switched off there is gone from the cards."""
    page = phone(driver, sweep)
    page.get_by_role("button", name="Open run list").tap()
    page.locator('[data-testid=run-row][data-run="baseline"] label').first.tap()
    page.get_by_role("button", name="Close").tap()

    expect(page.get_by_test_id("card").first).to_contain_text("5 runs")


def test_pages_are_changed_by_touch(driver: PageDriver, sweep: BoardProcess) -> None:
    """The tabs have a line of their own."""
    page = phone(driver, sweep)
    page.get_by_test_id("tab-runs").tap()

    expect(page.get_by_test_id("tab-runs")).to_have_attribute("aria-current", "page")
    expect(page.locator('[data-testid=run-row][data-run="baseline"]')).to_be_visible()


def test_anything_is_found_by_touch(driver: PageDriver, sweep: BoardProcess) -> None:
    """The palette opens from the head."""
    page = phone(driver, sweep)
    page.get_by_test_id("find").tap()
    page.get_by_test_id("palette").get_by_role("combobox").fill("tokens")
    page.locator("[data-testid=palette] [role=option]").first.tap()

    expect(page.locator('[data-testid=card][data-tag="perf/tokens_per_sec"]')).to_be_in_viewport()


def test_a_finger_reads_values(driver: PageDriver, sweep: BoardProcess) -> None:
    """A tap on a chart shows the step under it."""
    page = phone(driver, sweep)
    card = page.locator("[data-testid=card][data-state=ready]").first
    box = card.locator("canvas").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    expect(page.get_by_test_id("cursor-step").first).to_be_visible()


def test_what_a_finger_read_stays(driver: PageDriver, sweep: BoardProcess) -> None:
    """After a tap the values of all runs at that step stand on the page, until one taps elsewhere."""
    page = phone(driver, sweep)
    card = page.locator("[data-testid=card][data-state=ready]").first
    box = card.locator("canvas").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    kept = page.locator("[data-testid=tip][data-kept]")
    expect(kept.locator("tbody tr")).to_have_count(6)
    page.get_by_test_id("find").tap()

    expect(kept).to_have_count(0)


def test_a_group_is_shown_alone_by_touch(driver: PageDriver, sweep: BoardProcess) -> None:
    """There is no double tap on a box: the row has a button for what is done with its runs."""
    page = phone(driver, sweep, "&group=mean,sd,name:^(.*)/seed")
    page.get_by_role("button", name="Open run list").tap()
    page.get_by_role("button", name="Actions for big").tap()
    page.get_by_role("menuitem", name="Show only these in charts").tap()

    expect(page.get_by_role("checkbox", name="Show baseline")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Show runs of big")).to_be_checked()


def test_runs_are_picked_one_after_the_other_by_touch(driver: PageDriver, sweep: BoardProcess) -> None:
    """A finger has no Ctrl key: each tap picks one more."""
    page = phone(driver, sweep, "#runs")
    for run in ("baseline", "big/seed0"):
        page.locator(f'[data-testid=run-row][data-run="{run}"] [data-drag]').tap()

    expect(page.get_by_text("2 selected")).to_be_visible()


def test_a_run_is_done_something_with_in_the_sheet(driver: PageDriver, sweep: BoardProcess) -> None:
    """What pops up lies above the sheet it is opened from, and closes before it."""
    page = phone(driver, sweep)
    page.get_by_role("button", name="Open run list").tap()
    page.get_by_role("button", name="Actions for baseline").tap()
    page.get_by_role("menuitem", name="Name, note, tags…").tap()
    page.get_by_role("textbox", name="Note (Markdown)").tap()
    press(page, "Escape")

    expect(page.get_by_role("textbox", name="Note (Markdown)")).to_have_count(0)
    expect(page.get_by_role("button", name="Actions for baseline")).to_be_visible()


def test_runs_are_grouped_by_touch(driver: PageDriver, sweep: BoardProcess) -> None:
    """The sheet of groups opens over the sheet of runs."""
    page = phone(driver, sweep)
    page.get_by_role("button", name="Open run list").tap()
    page.get_by_role("button", name="Grouping & color").tap()
    page.get_by_role("checkbox", name="Show as folder tree").tap()

    expect(page.get_by_test_id("group-row")).to_contain_text("big")


def test_the_sheet_gives_way_to_the_page_opened_from_it(driver: PageDriver, sweep: BoardProcess) -> None:
    """The page of a run is seen as soon as it is asked for."""
    page = phone(driver, sweep)
    page.get_by_role("button", name="Open run list").tap()
    page.get_by_role("button", name="Actions for baseline").tap()
    page.get_by_role("menuitem", name="Open run page").tap()

    expect(page.get_by_role("heading", name="baseline")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_filter_out_of_sight_is_told_of(driver: PageDriver, sweep: BoardProcess) -> None:
    """Where the table of runs is a sheet, its button says what keeps runs from being drawn."""
    page = driver.open(sweep, "&runFilter=seed", width=390, height=844, has_touch=True)
    expect(page.get_by_test_id("card").first).to_contain_text("3 runs")

    expect(page.get_by_role("button", name="Open run list · Run filter: seed")).to_be_visible()


def test_a_folded_side_bar_tells_of_its_filter(driver: PageDriver, sweep: BoardProcess) -> None:
    """As does the strip that is left of it."""
    page = driver.open(sweep, "&runFilter=seed")
    press(page, "b")

    expect(page.get_by_role("button", name="Expand sidebar · Run filter: seed")).to_be_visible()


def test_what_was_hidden_in_the_sheet_comes_back(driver: PageDriver, sweep: BoardProcess) -> None:
    """The word that takes it back lies above the sheet, for a finger and for the keyboard."""
    page = phone(driver, sweep)
    page.get_by_role("button", name="Open run list").tap()
    all_runs = page.get_by_role("checkbox", name="Show or hide all of these runs")
    undo = page.get_by_role("dialog").get_by_role("button", name="Undo")
    for take_back in (undo.tap, lambda: undo.press("Enter")):
        all_runs.tap()
        expect(all_runs).not_to_be_checked()
        take_back()
        expect(all_runs).to_be_checked()

    expect(undo).to_have_count(0)


def test_a_group_is_pinned_and_compared_by_touch(driver: PageDriver, sweep: BoardProcess) -> None:
    """Its menu has what that of a single run has; pinned it is still a group."""
    page = phone(driver, sweep, "&group=mean,sd,name:^(.*)/seed")
    page.get_by_role("button", name="Open run list").tap()
    page.get_by_role("button", name="Actions for big").tap()
    page.get_by_role("menuitem", name="Pin to top").tap()
    rows = page.locator("[data-testid=group-row], [data-testid=run-row]")
    expect(rows.first).to_have_attribute("data-group", "big")
    expect(page.get_by_text("Pinned")).to_be_visible()
    page.get_by_role("button", name="Actions for big").press("Enter")
    expect(page.get_by_role("menuitem", name="Unpin")).to_be_visible()
    page.get_by_role("menuitem", name="Compare").press("Enter")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(
        page.locator("main table thead").get_by_role("button", name="Remove big/seed2 from comparison")
    ).to_be_visible()
    expect(page.locator("main table thead")).not_to_contain_text("lr_1e-3")
