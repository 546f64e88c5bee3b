"""The mark of cards whose chart does not show everything."""

import pathlib

from playwright.sync_api import expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import data_number, find_card
from support.page_driver import PageDriver
from support.settled_pages import settle


def test_downsampled_cards_show_counts(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """After a click on the mark."""
    page = driver.open(fifty_runs)
    mark = find_card(page, "loss").get_by_test_id("fidelity")
    expect(mark).to_have_attribute("data-why", "thinned")
    mark.click()
    sheet = page.get_by_role("dialog", name="Statistics: loss")

    expect(sheet.locator("[data-fact=held]")).to_have_text("500\u2009000")
    settle(page)
    drawn = sheet.locator("[data-fact=drawn]").inner_text().replace("\u2009", "")
    assert int(drawn) == data_number(find_card(page, "loss"), "drawn")


def test_complete_cards_have_no_mark(driver: PageDriver, sweep: BoardProcess) -> None:
    """Nothing at rest where there is nothing to say."""
    page = driver.open(sweep)
    find_card(page, "train/loss")

    expect(page.get_by_test_id("fidelity")).to_have_count(0)


def test_damaged_runs_mark_their_cards(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """A run whose file is torn marks the cards that draw it."""
    scalar_logs.damaged(tmp_path)
    page = driver.open(start_board(tmp_path))
    mark = find_card(page, "loss").get_by_test_id("fidelity")
    expect(mark).to_have_attribute("data-why", "skipped")
    mark.click()

    expect(page.get_by_role("dialog").locator("[data-fact=skipped]")).to_contain_text("1 run")
