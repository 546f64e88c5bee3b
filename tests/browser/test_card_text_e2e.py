"""Text on a card: name, summary, values."""

import pathlib

import numpy as np
import pytest
from playwright.sync_api import expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import find_card, hover
from support.page_driver import PageDriver

DEEP = "transformer/encoder/layers/attention/projection/gradient_norm"
WALLS = scalar_logs.START + np.arange(50.0)


def test_the_scope_is_truncated_before_the_name(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """What tells the cards of a scope apart is read whole."""
    scalar_logs.write_run(
        tmp_path / "run", {DEEP: scalar_logs.scalars(DEEP, range(50), WALLS, scalar_logs.decay(0, 0, 50))}
    )
    page = driver.open(start_board(tmp_path), "&columns=4")

    name = find_card(page, DEEP).locator("h3 span").last

    expect(name).to_have_text("gradient_norm")
    assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth")


def test_counts_are_shown_in_full(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Not rounded to six digits."""
    counts = np.full(50, 1_234_567.0)
    scalar_logs.write_run(tmp_path / "run", {"tokens": scalar_logs.scalars("tokens", range(50), WALLS, counts)})
    page = driver.open(start_board(tmp_path), "&smoothing=0")
    hover(page, find_card(page, "tokens"), 0.5)

    expect(page.get_by_test_id("tip").locator("tbody tr")).to_contain_text("1\u2009234\u2009567")


def test_large_values_are_distinguishable(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """Tooltips have as many digits as the axis."""
    values = np.where(np.arange(50) < 25, 1_000_000.25, 1_000_000.75)
    scalar_logs.write_run(tmp_path / "run", {"energy": scalar_logs.scalars("energy", range(50), WALLS, values)})
    page = driver.open(start_board(tmp_path), "&smoothing=0")
    said = page.get_by_test_id("tip").locator("tbody tr")
    hover(page, find_card(page, "energy"), 0.3)
    expect(said).to_contain_text("1\u2009000\u2009000.25")
    hover(page, find_card(page, "energy"), 0.8)

    expect(said).to_contain_text("1\u2009000\u2009000.75")


@pytest.mark.parametrize("query", ["", "&pin=3000,baseline&range=3000,6000"])
def test_buttons_do_not_cover_the_summary(driver: PageDriver, sweep: BoardProcess, query: str) -> None:
    """While the menu is open."""
    page = driver.open(sweep, query)
    loss = find_card(page, "train/loss")
    loss.hover()
    loss.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Export").hover()

    expect(loss.locator("header > div")).to_be_hidden()


def test_a_missing_axis_tag_is_named(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """There are points, and nowhere to put them."""
    for name in ("epoch", "loss"):
        scalar_logs.write_run(tmp_path / name, {name: scalar_logs.scalars(name, range(50), WALLS, np.arange(50.0))})
    page = driver.open(start_board(tmp_path), "&axis=tag&xTag=epoch")
    loss = page.locator('[data-testid=card][data-tag="loss"]')

    expect(loss).to_have_attribute("data-state", "empty")
    expect(loss).to_contain_text("None of the visible runs has both this tag and epoch")
